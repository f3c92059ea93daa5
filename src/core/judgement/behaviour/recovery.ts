import type { LoadStretch } from '#core/work/load/profile.ts';
import type { Recovery } from '#core/result/behaviour.ts';
import type { Point } from '#core/result/schema.ts';

/** While the planned load is high. */
interface HighTime {
  readonly from: number;
  readonly to: number;
  /** The highest of it, and the stage in which that is. */
  readonly level: number;
  readonly unit: LoadStretch['unit'];
  readonly stage: string;
}

/** The load is high where at least this share of the highest planned level is reached, calm where at most the other is. */
const HIGH_SHARE = 0.5;
const CALM_SHARE = 0.34;
/** It is at its height where so much of the highest level of its own is reached. */
const TOP_SHARE = 0.9;

/** When the planned load is high; nothing where a stage ends by requests, for nobody knows when. */
function highTimes(profile: readonly LoadStretch[]): HighTime[] {
  return above(profile, HIGH_SHARE * highestOf(profile));
}

/**
 * What the load did there: a spike takes less time in all, with its way up and down, than the calm before it, and does not climb for most of it; a plateau is held at its height
 * for at least as long as it climbs or falls; a rise climbs for longer.
 */
function shapeOf(high: HighTime, profile: readonly LoadStretch[]): NonNullable<Recovery['shape']> {
  const busy = above(profile, CALM_SHARE * highestOf(profile));
  const index = busy.findIndex(({ from, to }) => from <= high.from && high.to <= to);
  const around = busy[index] ?? high;
  const tops = above(profile, TOP_SHARE * high.level).filter(({ from, to }) => from < high.to && to > high.from);
  const [reached, left] = [tops[0]?.from ?? high.from, tops.at(-1)?.to ?? high.to];
  const [climbs, holds, falls] = [reached - around.from, left - reached, around.to - left];
  const calm = around.from - (busy[index - 1]?.to ?? 0);
  if (climbs + holds + falls < calm && climbs <= holds + falls) return 'spike';
  if (holds >= climbs && holds >= falls) return 'plateau';
  return climbs >= falls ? 'rise' : 'spike';
}

function highestOf(profile: readonly LoadStretch[]): number {
  return Math.max(0, ...profile.flatMap(({ level, toLevel }) => [level, toLevel]));
}

/** Highest planned level between two seconds. */
function levelIn(profile: readonly LoadStretch[], from: number, to: number): number {
  return Math.max(
    0,
    ...profile.flatMap(({ fromSecond, toSecond, level, toLevel }) => {
      if (toSecond === null || toSecond <= from || fromSecond >= to) return [];
      const at = (second: number): number => level + ((toLevel - level) * (second - fromSecond)) / (toSecond - fromSecond);
      return [at(Math.max(from, fromSecond)), at(Math.min(to, toSecond))];
    }),
  );
}

/** Where the planned level is at least so high, in stretches that follow each other. */
function above(profile: readonly LoadStretch[], threshold: number): HighTime[] {
  const times: HighTime[] = [];
  for (const { stage, fromSecond, toSecond, level, toLevel, unit } of profile) {
    if (toSecond === null) return [];
    if (Math.max(level, toLevel) < threshold || threshold <= 0) continue;
    const crossing = level === toLevel ? fromSecond : fromSecond + ((threshold - level) / (toLevel - level)) * (toSecond - fromSecond);
    const from = level >= threshold ? fromSecond : crossing;
    const to = toLevel >= threshold ? toSecond : crossing;
    const last = times.at(-1);
    const highest = Math.max(level, toLevel);
    if (last !== undefined && last.to === from)
      times[times.length - 1] = { ...last, to, level: Math.max(last.level, highest), stage: highest > last.level ? stage : last.stage };
    else times.push({ from, to, level: highest, unit, stage });
  }
  return times;
}

type Second = Pick<Point, 'second' | 'width' | 'completed' | 'failed' | 'inFlight' | 'p90'>;

/** Times of a second are of few answers: so much beyond the slowest calm second is still as before. */
const TOLERANCE = 1.1;
/** Fewer calm seconds with answers tell nothing of how it was before. */
const LEAST_CALM = 3;
/** A larger share of failures in the calm is no calm. */
const MOST_FAILED = 0.05;
/** So many seconds with answers in a row must be as before. */
const STEADY = 2;

/**
 * How long after each time at which the planned load was high the times and failures were as in the calm before the first one. `seconds` are all
 * windows of the run in their order. Nothing for a load that is never high or never calm before it, or that ends by requests.
 */
export function recoveriesOf(profile: readonly LoadStretch[], seconds: readonly Second[]): Recovery[] {
  const highs = highTimes(profile);
  const [first] = highs;
  const highest = highestOf(profile);
  const calm =
    first === undefined
      ? []
      : seconds.filter((one) => end(one) <= first.from && levelIn(profile, one.second, end(one)) <= CALM_SHARE * highest);
  // Of a load that begins high, or hardly below its height, nobody saw how it was before.
  if (first === undefined || calm.length < 2) return [];
  // With the last stage everything ends: nobody could tell a recovery from the end of the load.
  const loadEnd = Math.max(0, ...profile.map(({ toSecond }) => toSecond ?? 0));
  // In the first second connections are opened and code is loaded.
  const before = calm.filter((one, index) => index > 0 && one.completed > 0);
  return highs.flatMap((high, index) =>
    high.to >= loadEnd
      ? []
      : [{ ...recoveryOf(high, before, after(high, highs[index + 1], profile, highest, seconds), seconds), shape: shapeOf(high, profile) }],
  );
}

function recoveryOf(
  high: HighTime,
  before: readonly Second[],
  watched: readonly Second[],
  seconds: readonly Second[],
): Omit<Recovery, 'shape'> {
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
  const until = found?.second ?? (last === undefined ? high.to : end(last));
  const hit = seconds.filter((one) => end(one) > high.from && one.second < until).flatMap(({ p90 }) => p90 ?? []);
  const reason = whyNotKnown(before, times, watched);
  return {
    stage: high.stage,
    level: high.level,
    unit: high.unit,
    endedAtSecond: high.to,
    beforeMs,
    worstMs: hit.length === 0 ? null : Math.max(...hit),
    seconds: reason === null && found !== undefined ? Math.max(0, found.second - high.to) : null,
    watchedSeconds: last === undefined ? 0 : Math.max(0, end(last) - high.to),
    resolutionSeconds: Math.max(0, ...watched.map(({ width }) => width)),
    reason,
  };
}

function whyNotKnown(before: readonly Second[], times: readonly number[], watched: readonly Second[]): string | null {
  if (times.length < LEAST_CALM) return 'There are too few responses from calm seconds before it to compare with.';
  const total = (pick: (one: Second) => number): number => before.reduce((sum, one) => sum + pick(one), 0);
  if (total(({ failed }) => failed) > MOST_FAILED * total((one) => Math.max(one.completed, one.failed)))
    return 'Requests already failed in the calm before it: there is no good state to return to.';
  return watched.length < STEADY ? 'The time watched after it was too short.' : null;
}

/** What follows until the load is high again. */
function after(
  { to }: HighTime,
  next: HighTime | undefined,
  profile: readonly LoadStretch[],
  highest: number,
  seconds: readonly Second[],
): Second[] {
  const following = seconds.filter((one) => one.second >= to && (next === undefined || end(one) <= next.from));
  // On the way up to the next one it is asked for more than before.
  return next === undefined
    ? following
    : following.filter((one) => one.second < to + 1 || levelIn(profile, one.second, end(one)) <= CALM_SHARE * highest);
}

function end({ second, width }: Pick<Second, 'second' | 'width'>): number {
  return second + width;
}

function failedShare({ completed, failed }: Second): number {
  return failed / Math.max(1, completed, failed);
}
