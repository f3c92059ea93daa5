import { type LevelTimes, findUnsteady } from '#core/statistics/unsteady.ts';
import { formatMs } from '#core/base/units.ts';
import type { SeriesRow } from './result.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { type SeriesDocument, seriesSchema } from '#core/plan/schema/series.ts';

/** Minimum number of repeats per side for a significant difference: docs/method.md. */
export const MIN_REPEATS = 5;
const SIGNIFICANCE_LEVEL = 0.05;

export type NoiseJudgement = 'differs' | 'withinNoise' | 'tooFew';

/**
 * Tests whether two sides of repeated runs differ significantly. With few repeats, overlapping sides are within noise, and others have too
 * few runs to decide. From {@link MIN_REPEATS} on, the exact rank-sum test decides (Wilcoxon 1945; two-sided, mid-ranks for ties, over all
 * assignments of runs to sides).
 */
export function judgeDifference(left: readonly number[], right: readonly number[]): NoiseJudgement {
  if (left.length < 2 || right.length < 2) return 'tooFew';
  if (Math.min(left.length, right.length) < MIN_REPEATS) return overlap(left, right) ? 'withinNoise' : 'tooFew';
  return rankSumProbability(left, right) <= SIGNIFICANCE_LEVEL ? 'differs' : 'withinNoise';
}

function overlap(left: readonly number[], right: readonly number[]): boolean {
  return Math.max(...left) >= Math.min(...right) && Math.max(...right) >= Math.min(...left);
}

/** Returns the probability, under the null hypothesis, of a rank sum at least as far from its mean as that of `left`. */
export function rankSumProbability(left: readonly number[], right: readonly number[]): number {
  const ranks = computeDoubledRanks([...left, ...right]);
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

/** Returns twice the mid-rank of each value, which is a whole number. */
function computeDoubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/** Returns, for each sum, the number of ways in which `size` of the ranks give it. */
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

const CONCURRENCY_FIELDS = ['users', 'connections'] as const;

/**
 * Returns a sentence for each variant with a cell that was slower than another cell with more users or connections, everything else being
 * equal.
 */
export function steadinessNotes(rows: readonly SeriesRow[]): string[] {
  return CONCURRENCY_FIELDS.flatMap((field) => {
    const alike = Map.groupBy(
      rows.filter(({ level }) => level[field] !== undefined),
      ({ variant, level }) => JSON.stringify([variant, { ...level, [field]: 0 }]),
    );
    return [...alike.values()].flatMap((group) => noteSlowerCells(group, field));
  });
}

function noteSlowerCells(rows: readonly SeriesRow[], field: (typeof CONCURRENCY_FIELDS)[number]): string[] {
  const found = findUnsteady(rows.flatMap((row) => levelTimes(row, row.level[field] ?? 0)));
  if (found === null) return [];
  const { lighter, heavier } = found;
  return [
    `Not steady: at “${lighter.name}” 5 % of responses took ${formatMs(lighter.leastP95)} or more, but at “${heavier.name}”, with more load, 99 % took at most ${formatMs(heavier.mostP99)}. A cache was cold, or something else ran: warm it up and repeat the series before you trust either.`,
  ];
}

function levelTimes({ cell, p95, p99, runs }: SeriesRow, level: number): LevelTimes[] {
  if (p95 === null || p99 === null) return [];
  const responses = runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures.ok] : []));
  return [{ name: cell, level, responses: Math.min(...responses), leastP95: p95.least, mostP99: p99.most }];
}

/** Two versions of a server, each with its own addresses. */
interface Versions {
  readonly a: readonly Target[];
  readonly b: readonly Target[];
}

const MAX_NAME_LENGTH = 60;

/** Returns a series that compares two versions: the plan runs against each version, with enough repeats. */
export function seriesOfVersions(plan: Plan, { a, b }: Versions, repeats = MIN_REPEATS): SeriesDocument {
  const { story: _story, ...rest } = plan;
  const variants = [
    { name: nameOf('A', a), targets: a },
    { name: nameOf('B', b), targets: b },
  ];
  return { plan: { ...rest, story: '', targets: [...a] }, series: seriesSchema.parse({ variants, repeats }) };
}

/** Returns a name such as “B (127.0.0.1:8001/new)”. The letter distinguishes versions with the same address. */
function nameOf(letter: string, [first]: readonly Target[]): string {
  const place = first === undefined ? '' : placeOf(first.url);
  if (place === '') return letter;
  return `${letter} (${place.length > MAX_NAME_LENGTH - 4 ? `${place.slice(0, MAX_NAME_LENGTH - 5)}…` : place})`;
}

/** Returns the host and path of an address; empty for an invalid one. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

/** Returns whether two runs may be runs of two versions, because everything is equal except addresses, names and descriptions. */
export function isSameTest(plan: Plan, other: Plan): boolean {
  const omitDescriptions = ({ name: _name, story: _story, targets: _targets, claim: _claim, answers: _answers, ...rest }: Plan): string =>
    JSON.stringify(rest);
  return omitDescriptions(plan) === omitDescriptions(other);
}
