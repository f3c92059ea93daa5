import { describe, expect, it } from 'vitest';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { listDifferences } from './differences.ts';
import { WHOLE_RUN } from './comparedRun.ts';
import { type Figure, MEASURES } from './schema.ts';
import { RECORDED_RUNS } from './testing/recordedRuns.ts';

const COMPARISONS = 1_000;
const RUNS = 5;

const computeFigures = (runs: (typeof RECORDED_RUNS)['one']): Figure[][] =>
  runs.map((run) =>
    Object.entries(run).flatMap(([name, value]) => {
      const measure = MEASURES.find((known) => known === name);
      return measure === undefined ? [] : [{ scope: WHOLE_RUN, measure, value }];
    }),
  );
const one = computeFigures(RECORDED_RUNS.one);
const other = computeFigures(RECORDED_RUNS.other);
const slower = computeFigures(RECORDED_RUNS.slower);

/** Draws five runs per side repeatedly without replacement, compares them, and counts the claims by direction. */
function resample(first: readonly Figure[][], second: readonly Figure[][] | null): { claimed: number; worse: number } {
  const tally = { claimed: 0, worse: 0 };
  let drawn = 0;
  const take = (runs: readonly Figure[][], count: number): Figure[][] => {
    const left = [...runs];
    return Array.from({ length: count }, () => {
      drawn += 1;
      return left.splice(Math.floor(uniformAt(7, drawn) * left.length), 1)[0] ?? [];
    });
  };
  for (let comparison = 0; comparison < COMPARISONS; comparison += 1) {
    const pool = take(first, second === null ? 2 * RUNS : RUNS);
    const sides = second === null ? { first: pool.slice(0, RUNS), second: pool.slice(RUNS) } : { first: pool, second: take(second, RUNS) };
    const found = listDifferences({ ...sides, isRefused: false }).filter(({ judgement }) => judgement === 'differs');
    if (found.length > 0) tally.claimed += 1;
    if (found.some(({ direction }) => direction === 'worse')) tally.worse += 1;
  }
  return tally;
}

describe('40 real runs of two identical configurations, resampled into 1,000 comparisons of 5 runs per side', () => {
  it('are all read from the records', () => expect(one.length + other.length).toBe(40));

  it('lead to a claimed difference in at most 2 % of comparisons', () => {
    expect(resample([...one, ...other], null).claimed).toBeLessThanOrEqual(20);
  });

  it('reveal a target that is 10 % slower in at least 95 % of comparisons', () => {
    expect(resample([...one, ...other], slower).worse).toBeGreaterThanOrEqual(950);
  });
});
