import { type LevelTimes, unsteadyAmong } from '#core/statistics/unsteady.ts';
import { formatMs } from '#core/base/units.ts';
import type { SeriesRow } from './result.ts';

/** Repeats on each side from which a difference can be told from noise: docs/method.md. */
export const ENOUGH_REPEATS = 5;
/** Differences that chance alone would make this often or rarer are taken for real. */
const LEVEL = 0.05;

export type NoiseJudgement = 'differs' | 'withinNoise' | 'tooFew';

/**
 * Whether two sides of repeated runs differ by more than runs differ among themselves. Overlapping sides of few repeats are within the
 * noise; few that do not overlap are too few to tell. From {@link ENOUGH_REPEATS} on the exact rank-sum test decides (Wilcoxon 1945;
 * two-sided, with mid-ranks for ties, over all ways to deal the runs to the sides).
 */
export function judgeDifference(left: readonly number[], right: readonly number[]): NoiseJudgement {
  if (left.length < 2 || right.length < 2) return 'tooFew';
  if (Math.min(left.length, right.length) < ENOUGH_REPEATS) return overlap(left, right) ? 'withinNoise' : 'tooFew';
  return rankSumProbability(left, right) <= LEVEL ? 'differs' : 'withinNoise';
}

function overlap(left: readonly number[], right: readonly number[]): boolean {
  return Math.max(...left) >= Math.min(...right) && Math.max(...right) >= Math.min(...left);
}

/** Probability, if sides meant nothing, of a rank sum at least as far from its mean as that of `left`. */
export function rankSumProbability(left: readonly number[], right: readonly number[]): number {
  const ranks = doubledRanks([...left, ...right]);
  const observed = ranks.slice(0, left.length).reduce((sum, rank) => sum + rank, 0);
  const mean = (ranks.reduce((sum, rank) => sum + rank, 0) * left.length) / ranks.length;
  let far = 0;
  let all = 0;
  for (const [sum, ways] of waysToSum(ranks, left.length)) {
    all += ways;
    if (Math.abs(sum - mean) >= Math.abs(observed - mean) - 1e-9) far += ways;
  }
  return far / all;
}

/** Twice the rank of each value, so that the middle of equal ones is whole. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/** In how many ways `size` of the ranks make which sum. */
function waysToSum(ranks: readonly number[], size: number): Map<number, number> {
  const bySize: Map<number, number>[] = Array.from({ length: size + 1 }, () => new Map());
  bySize[0]?.set(0, 1);
  for (const rank of ranks) {
    for (let taken = size; taken > 0; taken -= 1) {
      for (const [sum, ways] of bySize[taken - 1] ?? []) bySize[taken]?.set(sum + rank, (bySize[taken]?.get(sum + rank) ?? 0) + ways);
    }
  }
  return bySize[size] ?? new Map();
}

const AT_THE_SAME_TIME = ['users', 'connections'] as const;

/** A sentence for each variant of which a cell was slower than another with more users or connections and everything else alike. */
export function steadinessNotes(rows: readonly SeriesRow[]): string[] {
  return AT_THE_SAME_TIME.flatMap((field) => {
    const alike = Map.groupBy(
      rows.filter(({ level }) => level[field] !== undefined),
      ({ variant, level }) => JSON.stringify([variant, { ...level, [field]: 0 }]),
    );
    return [...alike.values()].flatMap((group) => noteOf(group, field));
  });
}

function noteOf(rows: readonly SeriesRow[], field: (typeof AT_THE_SAME_TIME)[number]): string[] {
  const found = unsteadyAmong(rows.flatMap((row) => timesOf(row, row.level[field] ?? 0)));
  if (found === null) return [];
  const { lighter, heavier } = found;
  return [
    `Not steady: at “${lighter.name}” 5 % of responses took ${formatMs(lighter.leastP95)} or more, but at “${heavier.name}”, with more load, 99 % took at most ${formatMs(heavier.mostP99)}. A cache was cold, or something else ran: warm it up and repeat the series before you trust either.`,
  ];
}

function timesOf({ cell, p95, p99, runs }: SeriesRow, level: number): LevelTimes[] {
  if (p95 === null || p99 === null) return [];
  const answers = runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures.ok] : []));
  return [{ name: cell, level, answers: Math.min(...answers), leastP95: p95.least, mostP99: p99.most }];
}
