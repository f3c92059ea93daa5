import { describe, expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { makeDistribution } from './testing/distributionOf.ts';

/** Returns a window of one stage whose responses took the given times in ms. */
function makeWindow(second: number, timesMs: readonly number[], stage = 0): Window {
  const window = emptyWindow(second, 1);
  const cell = findOrAddCell(window, stage, 0);
  const histogram = createHistogram();
  for (const time of timesMs) record(histogram, time * 1_000);
  cell.times.serviceOk = histogram;
  return window;
}

const plan = planWith();

describe('distribution of a run', () => {
  it('ranges from the fastest response to the slowest, evenly spaced on a logarithmic scale of the share', () => {
    const times = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const [line, ...others] = makeDistribution(plan, [makeWindow(0, times)]).lines;
    expect(others).toEqual([]);
    expect(line?.points[0]).toEqual({ percentile: 0, ms: 1 });
    expect(line?.points.at(-1)).toEqual({ percentile: 100, ms: 1_000 });
    expect(line?.points).toHaveLength(62);
    const at = (percentile: number): number | undefined => line?.points.find((point) => Math.abs(point.percentile - percentile) < 1e-9)?.ms;
    // The table of percentiles has the median of all other tables.
    expect(at(50)).toBeCloseTo(500, -1);
    expect(at(90)).toBeCloseTo(900, -1);
    expect(at(99)).toBeCloseTo(990, -1);
    const ms = line?.points.map((point) => point.ms) ?? [];
    expect(ms).toEqual(ms.toSorted((one, other) => one - other));
  });

  it('has the line of the counted stages, and the heat map of all stages', () => {
    const counted = planWith({ load: stages({ connections: 1, seconds: 1, counted: false }, { connections: 1, seconds: 1 }) });
    const { lines, heatmap } = makeDistribution(counted, [makeWindow(0, [500]), makeWindow(1, [5, 6], 1)]);
    expect(lines[0]?.points.at(-1)?.ms).toBe(6);
    expect(heatmap.columns.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0))).toEqual([1, 2]);
    expect(heatmap.columns[0]?.counts.at(-1)).toBe(1);
    expect(heatmap.columns[1]?.counts[0]).toBe(2);
  });

  it('has the line of all stages if no counted one was reached', () => {
    const counted = planWith({
      load: stages(
        { connections: 1, seconds: 1, counted: false },
        { connections: 1, seconds: 1, counted: false },
        { connections: 1, seconds: 1 },
      ),
    });
    const { lines } = makeDistribution(counted, [makeWindow(0, [500]), makeWindow(1, [5, 6], 1)]);
    expect(lines[0]?.points.map(({ ms }) => Math.round(ms)).filter((ms, index, all) => ms !== all[index - 1])).toEqual([5, 6, 500]);
  });

  it('counts each response in the row of its time', () => {
    const { heatmap } = makeDistribution(plan, [makeWindow(0, [1, 12, 12, 900])]);
    const { columns, edgesMs } = heatmap;
    expect(edgesMs).toHaveLength((columns[0]?.counts.length ?? 0) + 1);
    const rowFor = (ms: number): number => edgesMs.findLastIndex((edge) => edge <= ms);
    expect(columns[0]?.counts[rowFor(12)]).toBe(2);
    expect(columns[0]?.counts[rowFor(900)]).toBe(1);
    expect(columns[0]?.counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it('joins the seconds of a long run into at most 120 columns without losing responses', () => {
    const windows = Array.from({ length: 1_000 }, (_, second) => makeWindow(second, [10]));
    const { columns } = makeDistribution(plan, windows).heatmap;
    expect(columns.length).toBeLessThanOrEqual(120);
    expect(columns.reduce((sum, { counts }) => sum + (counts[0] ?? 0), 0)).toBe(1_000);
    expect(columns[1]).toMatchObject({ second: 9, width: 9 });
  });

  it('distinguishes service times if they exist', () => {
    const open = planWith({ load: arrivals([{ kind: 'constant', perSecond: 1, seconds: 1 }]) });
    const window = makeWindow(0, [5]);
    const cell = window.cells[0];
    if (cell === undefined) throw new Error('a cell');
    cell.times.responseOk = createHistogram();
    record(cell.times.responseOk, 50_000);
    const { lines } = makeDistribution(open, [window]);
    expect(lines.map(({ kind, points }) => [kind, points.at(-1)?.ms])).toEqual([
      ['response', 50],
      ['service', 5],
    ]);
  });

  it('is empty without responses', () => {
    expect(makeDistribution(plan, [])).toEqual({ lines: [], heatmap: { columns: [], edgesMs: [] } });
    expect(makeDistribution(plan, [emptyWindow(0, 1)]).heatmap.columns).toEqual([]);
  });
});
