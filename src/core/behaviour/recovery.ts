import type { Description } from '../presets/schema.ts';
import type { Point } from '../report/result.ts';
import type { Recovery } from './schema.ts';

type Stretch = Description['profile'][number];
type Second = Pick<Point, 'second' | 'width' | 'completed' | 'failed' | 'inFlight' | 'p90'>;

/** A spike is where at least this share of the highest planned level is reached, calm where at most the other is. */
const SPIKE_SHARE = 0.5;
const CALM_SHARE = 0.34;
/** Times of a second are of few answers: so much beyond the slowest calm second is still as before. */
const TOLERANCE = 1.1;
/** Fewer calm seconds with answers tell nothing of how it was before. */
const LEAST_CALM = 3;
/** A larger share of failures in the calm is no calm. */
const MOST_FAILED = 0.05;
/** So many seconds with answers in a row must be as before. */
const STEADY = 2;

interface Spike {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly stage: string;
}

/**
 * How long after each spike of the planned load the times and failures were as in the calm before the first one. `seconds` are all windows of
 * the run in their order. Nothing for a load without a spike, or that ends by requests.
 */
export function recoveriesOf(profile: readonly Stretch[], seconds: readonly Second[]): Recovery[] {
  const spikes = spikesOf(profile);
  const [first] = spikes;
  const highest = highestOf(profile);
  const calm =
    first === undefined
      ? []
      : seconds.filter((one) => end(one) <= first.from && levelIn(profile, one.second, end(one)) <= CALM_SHARE * highest);
  // A load that begins high, or hardly below its height, has no spike.
  if (first === undefined || calm.length < 2) return [];
  // With the last stage everything ends: nobody could tell a recovery from the end of the load.
  const loadEnd = Math.max(0, ...profile.map(({ toSecond }) => toSecond ?? 0));
  // In the first second connections are opened and code is loaded.
  const before = calm.filter((one, index) => index > 0 && one.completed > 0);
  return spikes.flatMap((spike, index) =>
    spike.to >= loadEnd ? [] : [recoveryOf(spike, before, after(spike, spikes[index + 1], profile, highest, seconds), seconds)],
  );
}

function recoveryOf(spike: Spike, before: readonly Second[], watched: readonly Second[], seconds: readonly Second[]): Recovery {
  const times = before.flatMap(({ p90 }) => p90 ?? []);
  const beforeMs = times.length === 0 ? null : Math.max(...times);
  const mostFailed = Math.max(0, ...before.map(failedShare));
  const asBefore = (one: Second): boolean =>
    one.completed === 0 && one.failed === 0
      ? one.inFlight === 0
      : (one.p90 ?? Number.POSITIVE_INFINITY) <= (beforeMs ?? 0) * TOLERANCE && failedShare(one) <= mostFailed;
  const back = watched.findIndex((_, index) => {
    const next = watched.slice(index, index + STEADY);
    return (next.length === STEADY || index > 0) && next.every(asBefore);
  });
  const found = watched[back];
  const last = watched.at(-1);
  const until = found?.second ?? (last === undefined ? spike.to : end(last));
  const hit = seconds.filter((one) => end(one) > spike.from && one.second < until).flatMap(({ p90 }) => p90 ?? []);
  const reason = whyNotKnown(before, times, watched);
  return {
    stage: spike.stage,
    level: spike.level,
    endedAtSecond: spike.to,
    beforeMs,
    worstMs: hit.length === 0 ? null : Math.max(...hit),
    seconds: reason === null && found !== undefined ? Math.max(0, found.second - spike.to) : null,
    watchedSeconds: last === undefined ? 0 : Math.max(0, end(last) - spike.to),
    resolutionSeconds: Math.max(0, ...watched.map(({ width }) => width)),
    reason,
  };
}

function whyNotKnown(before: readonly Second[], times: readonly number[], watched: readonly Second[]): string | null {
  if (times.length < LEAST_CALM) return 'There are too few answers of calm seconds before it to compare with.';
  const total = (pick: (one: Second) => number): number => before.reduce((sum, one) => sum + pick(one), 0);
  if (total(({ failed }) => failed) > MOST_FAILED * total((one) => Math.max(one.completed, one.failed)))
    return 'Requests failed already in the calm before it: there is no good state to come back to.';
  return watched.length < STEADY ? 'Too little was watched after it.' : null;
}

/** What follows a spike until the load rises again. */
function after({ to }: Spike, next: Spike | undefined, profile: readonly Stretch[], highest: number, seconds: readonly Second[]): Second[] {
  const following = seconds.filter((one) => one.second >= to && (next === undefined || end(one) <= next.from));
  // On the way up to the next one it is asked for more than before.
  return next === undefined
    ? following
    : following.filter((one) => one.second < to + 1 || levelIn(profile, one.second, end(one)) <= CALM_SHARE * highest);
}

/** Where the planned level is at least half the highest one, in stretches that follow each other. */
function spikesOf(profile: readonly Stretch[]): Spike[] {
  const threshold = SPIKE_SHARE * highestOf(profile);
  const spikes: Spike[] = [];
  for (const { stage, fromSecond, toSecond, level, toLevel } of profile) {
    if (toSecond === null) return [];
    if (Math.max(level, toLevel) < threshold || threshold <= 0) continue;
    const crossing = level === toLevel ? fromSecond : fromSecond + ((threshold - level) / (toLevel - level)) * (toSecond - fromSecond);
    const from = level >= threshold ? fromSecond : crossing;
    const to = toLevel >= threshold ? toSecond : crossing;
    const last = spikes.at(-1);
    const highest = Math.max(level, toLevel);
    if (last !== undefined && last.to === from)
      spikes[spikes.length - 1] = { ...last, to, level: Math.max(last.level, highest), stage: highest > last.level ? stage : last.stage };
    else spikes.push({ from, to, level: highest, stage });
  }
  return spikes;
}

function highestOf(profile: readonly Stretch[]): number {
  return Math.max(0, ...profile.flatMap(({ level, toLevel }) => [level, toLevel]));
}

/** Highest planned level between two seconds. */
function levelIn(profile: readonly Stretch[], from: number, to: number): number {
  return Math.max(
    0,
    ...profile.flatMap(({ fromSecond, toSecond, level, toLevel }) => {
      if (toSecond === null || toSecond <= from || fromSecond >= to) return [];
      const at = (second: number): number => level + ((toLevel - level) * (second - fromSecond)) / (toSecond - fromSecond);
      return [at(Math.max(from, fromSecond)), at(Math.min(to, toSecond))];
    }),
  );
}

function end({ second, width }: Pick<Second, 'second' | 'width'>): number {
  return second + width;
}

function failedShare({ completed, failed }: Second): number {
  return failed / Math.max(1, completed, failed);
}
