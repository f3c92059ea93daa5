import { HistogramLogReader } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { newHistogram, record } from '../stats/histogram.ts';
import { cellOf, emptyWindow } from '../stats/windowFold.ts';
import type { Window } from '../stats/window.ts';
import { planWith } from '../testing/plans.ts';
import { formatHlog } from './hlogFormat.ts';
import { runHead } from './testing/runHead.ts';

function windowOf(second: number, times: readonly (readonly number[])[]): Window {
  const window = emptyWindow(second, 1);
  for (const [step, values] of times.entries()) {
    const histogram = newHistogram();
    for (const value of values) record(histogram, value);
    cellOf(window, 0, step).times = { serviceOk: histogram };
  }
  return window;
}

interface Line {
  readonly tag: string | undefined;
  readonly count: number;
  readonly highest: number;
}

/** As the library's own reader understands the log. */
function linesOf(log: string): Line[] {
  const reader = new HistogramLogReader(log);
  const lines: Line[] = [];
  for (let histogram = reader.nextIntervalHistogram(); histogram !== null; histogram = reader.nextIntervalHistogram()) {
    const { tag, totalCount: count, maxValue: highest } = histogram;
    lines.push({ tag: String(tag) === 'NO TAG' ? undefined : tag, count, highest });
  }
  return lines;
}

describe('a log of HDR histograms', () => {
  const run = { ...runHead, durationSeconds: 3 };

  it('is read back with every count, a line for each second', () => {
    const windows = [windowOf(0, [[1_000, 2_000, 5_000_000]]), windowOf(1, [[]]), windowOf(2, [[300]])];
    const log = formatHlog({ run, plan: planWith(), durationSeconds: 3 }, windows);
    expect(log).toContain('#[Histogram log format version 1.3]\n#[StartTime: 1767225600.000 ');
    const lines = linesOf(log);
    expect(lines.map(({ tag, count }) => [tag, count])).toEqual([
      [undefined, 3],
      [undefined, 1],
    ]);
    expect(lines[0]?.highest).toBeGreaterThanOrEqual(5_000_000);
    expect(log.split('\n')[4]).toMatch(/^0\.000,1\.000,5000\.000,HIST/);
  });

  it('tags each step of a journey, in one word', () => {
    const plan = planWith({ journey: [{ name: 'log in, then' }, { name: 'page' }] });
    const lines = linesOf(formatHlog({ run, plan, durationSeconds: 1 }, [windowOf(0, [[10], [20, 30]])]));
    expect(lines).toMatchObject([
      { tag: 'log_in_then', count: 1 },
      { tag: 'page', count: 2 },
    ]);
  });

  it('adds up neighbouring seconds of a long run, and loses none', () => {
    const windows = Array.from({ length: 9_000 }, (_, second) => windowOf(second, [[1_000 + second]]));
    const lines = linesOf(formatHlog({ run, plan: planWith(), durationSeconds: 9_000 }, windows));
    expect(lines).toHaveLength(900);
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(9_000);
  });
});
