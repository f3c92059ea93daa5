import { describe, expect, it } from 'vitest';
import type { Window } from '#core/measurement/window.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { planWith } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { createHlog } from './otherTools.ts';

const run = { ...runHead, id: 'run-1', startedAt: '2026-03-12T14:05:07.250Z', holdfastVersion: '1.2.3' };
const journey = [{ name: 'log in, again' }, { name: 'page' }];

/** Returns the text before each histogram of a run. */
function linesOf(windows: readonly Window[], durationSeconds: number | null = windows.length, steps = journey.slice(0, 1)): string[] {
  const log = createHlog({ run, plan: planWith({ journey: steps }), durationSeconds });
  return [...windows.flatMap((window) => log.add(window)), ...log.end()].map(({ before }) => before);
}
const ok = [{ count: 3, ms: 20 }];

describe('createHlog', () => {
  it('begins with its version and the start of the run', () => {
    expect(createHlog({ run, plan: planWith(), durationSeconds: 10 }).head.split('\n')).toEqual([
      '#[Logged with Holdfast 1.2.3, run run-1: response times in microseconds, highest value in ms]',
      '#[Histogram log format version 1.3]',
      '#[StartTime: 1773324307.250 (seconds since epoch), 2026-03-12T14:05:07.250Z]',
      '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
      '',
    ]);
  });

  it('writes a line per second with the maximum time in ms', () => {
    expect(linesOf([windowWith({ second: 0, ok }), windowWith({ second: 1, ok: [{ count: 1, ms: 50 }] })])).toEqual([
      expect.stringMatching(/^0\.000,1\.000,20\.0\d\d,$/),
      expect.stringMatching(/^1\.000,1\.000,50\.0\d\d,$/),
    ]);
  });

  it('writes a line per step, in order, with its name as the tag', () => {
    const both = [windowWith({ second: 0, step: 1, ok }), windowWith({ second: 0, ok })];
    const [first, second] = both;
    if (first === undefined || second === undefined) throw new Error('two windows');
    const window = { ...first, cells: [...first.cells, ...second.cells] };
    expect(linesOf([window], 1, journey).map((line) => line.split(',')[0])).toEqual(['Tag=log_in_again', 'Tag=page']);
    expect(linesOf([windowWith({ second: 0, step: 4, ok })], 1, journey)[0]).toMatch(/^Tag=step-5,/);
  });

  it('writes no line for a second without responses', () => {
    expect(linesOf([windowWith({ second: 0 }), windowWith({ second: 1, failed: { timeout: 3 } })])).toEqual([]);
    expect(linesOf([])).toEqual([]);
  });

  it('merges adjacent seconds of long runs to at most 4,000 lines', () => {
    const starts = (durationSeconds: number | null, steps = 1): string[] =>
      linesOf(repeatedWindows(25, { second: 5, ok }), durationSeconds, [...journey, { name: 'third' }].slice(0, steps)).map((line) =>
        line
          .replace(/^Tag=[^,]*,/, '')
          .split(',', 2)
          .join(' '),
      );
    expect(starts(4_000)).toHaveLength(25);
    expect(starts(4_001)).toEqual(['0.000 10.000', '10.000 10.000', '20.000 10.000']);
    expect(starts(2_001, 2)).toHaveLength(3);
    expect(starts(40_001)).toEqual(['0.000 30.000']);
    expect(starts(null)).toHaveLength(25);
  });

  it('starts a one-second interval at the start of its window', () => {
    expect(linesOf([windowWith({ second: 2.5, width: 0.5, ok })], 3)[0]).toMatch(/^2\.500,0\.500,/);
  });
});
