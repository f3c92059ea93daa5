import { lowestUsOf } from '#core/statistics/buckets.ts';
import { forEachUsed, type Histogram } from '#core/statistics/histogram.ts';

/** Times that lie together, with next to nothing between them and the next group. In ms. */
export interface TimeGroup {
  readonly count: number;
  /** Of all times. */
  readonly share: number;
  readonly fromMs: number;
  readonly medianMs: number;
  readonly toMs: number;
}

/** Fewer times have no groups. */
const LEAST_TIMES = 100;
/** A group of fewer is a handful of strays. */
const LEAST_IN_GROUP = 5;
/** Between two groups the time grows at least by this factor… */
const LEAST_GAP = 2.5;
/** …and by this time: below it, machines are uneven by themselves. */
const LEAST_GAP_US = 10_000;
/** What may lie in the gap, as a share of the smaller group. */
const STRAYS = 0.05;
const MOST_GROUPS = 4;

interface Bucket {
  readonly us: number;
  readonly count: number;
}

/**
 * The groups that times fall into, from short to long: one where they lie together, however widely they are spread. A gap is where the time grows by
 * {@link LEAST_GAP} while hardly anything lies between. Times of one kind with a heavy tail have such gaps among their last few by chance: with the tail
 * falling as the square of the time, the fifth largest is 2.5 times the sixth once in 10,000 times (Rényi: the logarithms of neighbouring times differ by
 * exponential variables of mean 1/(2k)). Empty for fewer than 100 times.
 */
export function timeGroups(times: Histogram | undefined): TimeGroup[] {
  if (times === undefined || times.totalCount < LEAST_TIMES) return [];
  const all = bucketsOf(times);
  let parts: Bucket[][] = [all];
  while (parts.length < MOST_GROUPS) {
    const best = parts.flatMap((part) => widestGap(part) ?? []).toSorted((one, other) => other.factor - one.factor)[0];
    if (best === undefined) break;
    const at = widestStep(best);
    parts = parts.flatMap((part) => (part === best.part ? [part.slice(0, at), part.slice(at)] : [part]));
  }
  return parts.map((part) => groupOf(part, times.totalCount));
}

interface Gap {
  readonly part: Bucket[];
  /** The first bucket in the gap or above it, and the first above it. */
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
    const from = usOf(part[lower - 1]);
    // As far up as strays allow: the farther, the wider the gap.
    const least = below(lower);
    while (isHollow(least, below(upper + 1), total)) upper += 1;
    const to = usOf(part[upper]);
    const isGap = least >= LEAST_IN_GROUP && total - below(upper) >= LEAST_IN_GROUP;
    if (isGap && to - from >= LEAST_GAP_US && to / from >= Math.max(LEAST_GAP, best?.factor ?? 0))
      best = { part, lower, upper, factor: to / from };
  }
  return best;
}

/** Where the time grows most within a gap: strays belong to the group that they are nearer to. */
function widestStep({ part, lower, upper }: Gap): number {
  let widest = lower;
  const factorAt = (index: number): number => usOf(part[index]) / usOf(part[index - 1]);
  for (let index = lower; index <= upper; index += 1) if (factorAt(index) > factorAt(widest)) widest = index;
  return widest;
}

/** Whether next to nothing lies between `least` times below a gap and those from the `until`-th on above it. */
function isHollow(least: number, until: number, total: number): boolean {
  return until - least <= STRAYS * Math.min(least, total - until);
}

function usOf(bucket: Bucket | undefined): number {
  return bucket?.us ?? 0;
}

function bucketsOf(times: Histogram): Bucket[] {
  const buckets: Bucket[] = [];
  forEachUsed(times, (index, count) => buckets.push({ us: lowestUsOf(index), count }));
  return buckets;
}

function groupOf(part: readonly Bucket[], all: number): TimeGroup {
  const count = part.reduce((sum, bucket) => sum + bucket.count, 0);
  let seen = 0;
  const median = part.find((bucket) => (seen += bucket.count) * 2 >= count);
  return {
    count,
    share: count / all,
    fromMs: usOf(part[0]) / 1_000,
    medianMs: usOf(median) / 1_000,
    toMs: usOf(part.at(-1)) / 1_000,
  };
}
