import { describe, expect, it } from 'vitest';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { Window } from '#core/measurement/window.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { planWith } from '#core/testing/plans.ts';
import { type WaitResult, WaitTally, waitWords } from './waits.ts';

/** Returns a second in which results of a step began to be awaited and others arrived, `ms` after their requests. */
function makeWindow(
  second: number,
  waits: readonly { readonly step: number; readonly begun?: number; readonly came?: number; readonly ms?: number }[],
): Window {
  const window = emptyWindow(second, 1);
  for (const { step, begun = 0, came = 0, ms = 1_000 } of waits) {
    const cell = findOrAddCell(window, 0, step);
    cell.waitsBegun = begun;
    if (came === 0) continue;
    const times = createHistogram();
    for (let index = 0; index < came; index += 1) record(times, ms * 1_000);
    cell.times.waited = times;
  }
  return window;
}

describe('WaitTally', () => {
  const plan = planWith({ journey: [{ name: 'hand in' }, { name: 'grade' }] });

  it('counts awaited results per step, and those pending at the end of each second', () => {
    const tally = new WaitTally();
    const waiting = [
      makeWindow(0, [{ step: 1, begun: 5 }, { step: 0 }]),
      makeWindow(1, [
        { step: 1, begun: 1, came: 4, ms: 800 },
        { step: 0, begun: 2 },
      ]),
      makeWindow(2, []),
      makeWindow(3, [{ step: 1, came: 2, ms: 2_500 }]),
    ].map((window) => tally.add(window));
    expect(waiting).toEqual([5, 4, 4, 2]);
    const results = tally.results(plan);
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({ step: 'grade', begun: 6, came: 6, most: 5, mostAtSecond: 1, clearedAtSecond: 4, overdue: 0 });
    expect(results[0]?.times).toMatchObject({ count: 6 });
    expect(results[0]?.times.max).toBeCloseTo(2_500, -1);
    // No result arrived when it was due.
    expect(results[1]).toMatchObject({ step: 'hand in', begun: 2, came: 0, most: 2, mostAtSecond: 2, clearedAtSecond: null, overdue: 2 });
  });

  it('counts results as overdue if they began longer ago than usual times', () => {
    const tally = new WaitTally();
    for (let second = 0; second < 30; second += 1)
      tally.add(makeWindow(second, [{ step: 1, begun: second < 10 ? 10 : 0, came: second < 6 ? 10 : 0, ms: 500 }]));
    expect(tally.results(plan)[0]).toMatchObject({ begun: 100, came: 60, overdue: 40, clearedAtSecond: null });
  });

  it('returns nothing if no step polls', () => {
    const tally = new WaitTally();
    expect(tally.add(makeWindow(0, [{ step: 0 }]))).toBe(0);
    expect(tally.results(plan)).toEqual([]);
  });
});

describe('sentence about awaited results', () => {
  const tally = new WaitTally();
  tally.add(makeWindow(0, [{ step: 0, begun: 1, came: 1 }]));
  const [waited] = tally.results(planWith({ journey: [{ name: 'grade' }] }));

  it.each<[Partial<WaitResult>, string]>([
    [{}, 'All 1,200 results of “grade” came.'],
    [{ clearedAtSecond: 31.5 }, 'All 1,200 results of “grade” came by second 31.5.'],
    [{ perSecond: 12, clearedAtSecond: 9 }, 'All 1,200 results of “grade” came by second 9, 12/s while there was work.'],
    [{ perSecond: 12, keptUp: true }, 'All 1,200 results of “grade” came, 12/s, as fast as they were requested.'],
    [{ came: 1_100 }, '100 of 1,200 results of “grade” were still missing when the test ended.'],
    [{ came: 1_199, perSecond: 12 }, '1 of 1,200 results of “grade” were still missing when the test ended, 12/s while there was work.'],
  ])('reports how many results arrived and how fast: %j', (changes, words) => {
    if (waited === undefined) throw new Error('Nothing was waited for.');
    expect(waitWords({ ...waited, begun: 1_200, came: 1_200, perSecond: null, keptUp: false, clearedAtSecond: null, ...changes })).toBe(
      words,
    );
  });
});
