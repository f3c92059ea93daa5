import { lowestUsOf } from '#core/statistics/buckets.ts';
import { forEachUsed, type Histogram } from '#core/statistics/histogram.ts';

/** A cluster of times in ms, separated from the next cluster by an almost empty gap. */
export interface TimeGroup {
  readonly count: number;
  /** Share of all times, 0 to 1. */
  readonly share: number;
  readonly fromMs: number;
  readonly medianMs: number;
  readonly toMs: number;
}

const MIN_TIMES = 100;
/** Minimum number of times in a group. Fewer are outliers. */
const MIN_GROUP_TIMES = 5;
/** Minimum ratio of the times above and below a gap. */
const MIN_GAP_RATIO = 2.5;
/** Minimum width of a gap in µs. Shorter pauses occur on any computer. */
const MIN_GAP_US = 10_000;
/** Maximum number of times inside the gap, as a share of the smaller group. */
const MAX_OUTLIER_SHARE = 0.05;
const MAX_GROUPS = 4;

interface Bucket {
  readonly us: number;
  readonly count: number;
}

/**
 * Returns the groups of times, the shortest first; one group if there is no gap, however wide the spread. At a gap, the time grows by
 * {@link MIN_GAP_RATIO} with almost no times in between. A heavy tail has such gaps by chance among its last few times. With a tail that
 * falls as 1/t², the fifth largest time is 2.5 times the sixth in 1 of 10,000 cases (Rényi: the logarithms of neighbouring times differ by
 * exponential variables of mean 1/(2k)). Returns an empty list for fewer than 100 times.
 */
export function timeGroups(times: Histogram | undefined): TimeGroup[] {
  if (times === undefined || times.totalCount < MIN_TIMES) return [];
  const all = listBuckets(times);
  let parts: Bucket[][] = [all];
  while (parts.length < MAX_GROUPS) {
    const best = parts.flatMap((part) => widestGap(part) ?? []).toSorted((one, other) => other.factor - one.factor)[0];
    if (best === undefined) break;
    const at = widestStep(best);
    parts = parts.flatMap((part) => (part === best.part ? [part.slice(0, at), part.slice(at)] : [part]));
  }
  return parts.map((part) => makeGroup(part, times.totalCount));
}

interface Gap {
  readonly part: Bucket[];
  /** Index of the first bucket in or above the gap, and of the first one above it. */
  readonly lower: number;
  readonly upper: number;
  readonly factor: number;
}

function widestGap(part: Bucket[]): Gap | null {
  const before: number[] = [0];
  for (const { count } of part) before.push((before.at(-1) ?? 0) + count);
  const total = before.at(-1) ?? 0;
  const below = (index: number): number => before[index] ?? total;
  let best: Gap | null = null;
  let upper = 1;
  for (let lower = 1; lower < part.length; lower += 1) {
    const from = toMicroseconds(part[lower - 1]);
    // The gap is extended upwards as far as the outliers allow, because a longer gap is wider.
    const countBelow = below(lower);
    while (isAlmostEmpty(countBelow, below(upper + 1), total)) upper += 1;
    const to = toMicroseconds(part[upper]);
    const isGap = countBelow >= MIN_GROUP_TIMES && total - below(upper) >= MIN_GROUP_TIMES;
    if (isGap && to - from >= MIN_GAP_US && to / from >= Math.max(MIN_GAP_RATIO, best?.factor ?? 0))
      best = { part, lower, upper, factor: to / from };
  }
  return best;
}

/** Returns the largest step within a gap. Each outlier belongs to the nearer group. */
function widestStep({ part, lower, upper }: Gap): number {
  let widest = lower;
  const factorAt = (index: number): number => toMicroseconds(part[index]) / toMicroseconds(part[index - 1]);
  for (let index = lower; index <= upper; index += 1) if (factorAt(index) > factorAt(widest)) widest = index;
  return widest;
}

/** Returns whether a gap is almost empty. `until`: number of times below the upper end of the gap. */
function isAlmostEmpty(countBelow: number, until: number, total: number): boolean {
  return until - countBelow <= MAX_OUTLIER_SHARE * Math.min(countBelow, total - until);
}

function toMicroseconds(bucket: Bucket | undefined): number {
  return bucket?.us ?? 0;
}

function listBuckets(times: Histogram): Bucket[] {
  const buckets: Bucket[] = [];
  forEachUsed(times, (index, count) => buckets.push({ us: lowestUsOf(index), count }));
  return buckets;
}

function makeGroup(part: readonly Bucket[], all: number): TimeGroup {
  const count = part.reduce((sum, bucket) => sum + bucket.count, 0);
  let seen = 0;
  const median = part.find((bucket) => (seen += bucket.count) * 2 >= count);
  return {
    count,
    share: count / all,
    fromMs: toMicroseconds(part[0]) / 1_000,
    medianMs: toMicroseconds(median) / 1_000,
    toMs: toMicroseconds(part.at(-1)) / 1_000,
  };
}
