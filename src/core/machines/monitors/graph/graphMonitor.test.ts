import { describe, expect, it } from 'vitest';
import { graphMonitor, layOnRun, explainOutside } from './graphMonitor.ts';
import type { Graph } from './readGraph.ts';

const HOUR_MS = 3_600_000;
const STARTED_MS = Date.UTC(2026, 2, 12, 14);
const run = { startedAtMs: STARTED_MS, seconds: 60 };

/** Returns a graph with a value every 10 s, starting at second `from` of the run. */
function graph(from: number, values: readonly (number | null)[], name = 'cpu', unit = ''): Graph {
  const timesMs = values.map((_, index) => STARTED_MS + (from + 10 * index) * 1_000);
  const points = values.map((value, index) => ({ atMs: timesMs[index] ?? 0, value }));
  return { columns: [{ name, unit, points }], timesMs, stepMs: 10_000 } as unknown as Graph;
}

describe('layOnRun', () => {
  it('keeps readings during the run and one step before and after', () => {
    const laid = layOnRun(graph(-20, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), run);
    expect(laid?.columns[0]?.points.map(({ second }) => second)).toEqual([-10, 0, 10, 20, 30, 40, 50, 60, 70]);
    expect(laid).toMatchObject({ stepSeconds: 10, outside: 1 });
  });

  it('returns null without readings during the run', () => {
    expect(layOnRun(graph(80, [1, 2]), run)).toBeNull();
    expect(layOnRun(graph(0, [null, null]), run)).toBeNull();
    expect(layOnRun(graph(0, [null, 1]), run)).not.toBeNull();
  });
});

describe('explainOutside', () => {
  const moved = (hours: number): string => {
    const { columns, timesMs, stepMs } = graph(0, [1, 2, 3, 4, 5, 6, 7]);
    return explainOutside({ columns, stepMs, timesMs: timesMs.map((atMs) => atMs + hours * HOUR_MS) } as Graph, run);
  };

  it('names both periods, and the shift in hours that would match them', () => {
    expect(moved(-2)).toBe(
      'the file covers 2026-03-12 12:00:00 UTC to 2026-03-12 12:01:00 UTC, the run 2026-03-12 14:00:00 UTC to 2026-03-12 14:01:00 UTC: it would match if its times were 2 h later',
    );
    expect(moved(1)).toMatch(/: it would match if its times were 1 h earlier$/);
  });

  it('suggests no shift of 0, of more than 14 hours or of a fraction of an hour', () => {
    expect([moved(14), moved(-14)].every((words) => words.includes('14 h'))).toBe(true);
    expect([moved(15), moved(-15), moved(0.5), moved(0)].filter((words) => words.includes('it would match'))).toEqual([]);
  });
});

describe('graphMonitor', () => {
  const monitorOf = (columns: readonly { name: string; unit: string; points: readonly { second: number; value: number | null }[] }[]) =>
    graphMonitor({ columns, stepSeconds: 10, outside: 0 }, { number: 3, name: 'dashboard.csv' });
  const scaled = (unit: string, name = 'x') => {
    const { info, points } = monitorOf([{ name, unit, points: [{ second: 0, value: 3 }] }]);
    return [info.quantities[0]?.unit, points[0]?.values['graph.1']];
  };

  it('returns a chart for each column, named after it', () => {
    const { info } = monitorOf([
      { name: 'cpu', unit: '%', points: [] },
      { name: 'memory', unit: 'MiB', points: [] },
    ]);
    expect(info).toMatchObject({ number: 3, name: 'dashboard.csv', kind: 'graph', state: 'ended' });
    expect(info.quantities.map(({ id, words, chart, unit }) => [id, words, chart, unit])).toEqual([
      ['graph.1', 'cpu', 'cpu', 'share'],
      ['graph.2', 'memory', 'memory', 'bytes'],
    ]);
  });

  it('merges values of one second, and ends each point where the next begins', () => {
    const { points } = monitorOf([
      {
        name: 'a',
        unit: '',
        points: [
          { second: 10, value: 2 },
          { second: 0, value: 1 },
          { second: 30, value: null },
        ],
      },
      {
        name: 'b',
        unit: '',
        points: [
          { second: 10, value: 5 },
          { second: 13, value: 6 },
        ],
      },
    ]);
    expect(points).toEqual([
      { second: 0, width: 10, values: { 'graph.1': 1 } },
      { second: 10, width: 3, values: { 'graph.1': 2, 'graph.2': 5 } },
      { second: 13, width: 10, values: { 'graph.2': 6 } },
    ]);
  });

  it.each([
    ['%', 'share', 0.03],
    ['percent', 'share', 0.03],
    ['ms', 'ms', 3],
    ['s', 'ms', 3_000],
    ['req/s', 'perSecond', 3],
    ['ops/s', 'perSecond', 3],
    ['/s', 'perSecond', 3],
    ['B', 'bytes', 3],
    ['bytes', 'bytes', 3],
    ['kB', 'bytes', 3_000],
    ['MB/s', 'bytesPerSecond', 3_000_000],
    ['GB', 'bytes', 3e9],
    ['TB', 'bytes', 3e12],
    ['KiB', 'bytes', 3_072],
    ['MiB', 'bytes', 3 * 1_024 ** 2],
    ['GiB/s', 'bytesPerSecond', 3 * 1_024 ** 3],
    ['TiB', 'bytes', 3 * 1_024 ** 4],
    ['furlongs', 'count', 3],
    ['', 'count', 3],
  ])('reads the unit %s', (unit, quantity, value) => expect(scaled(unit)).toEqual([quantity, value]));

  it('takes the unit from brackets at the end of a name if the values have none', () => {
    expect([scaled('', 'load (ms)'), scaled('', 'memory [MB] '), scaled('', '(ms) load'), scaled('%', 'load (ms)')]).toEqual([
      ['ms', 3],
      ['bytes', 3_000_000],
      ['count', 3],
      ['share', 0.03],
    ]);
  });
});
