import type { LoadPiece } from '#core/work/load/profile.ts';
import type { BellResult } from '#core/result/bells.ts';
import type { Recovery } from '#core/result/behaviour.ts';
import type { Point } from '#core/result/schema.ts';

/** A time in which the planned load is high. */
interface HighTime {
  readonly from: number;
  readonly to: number;
  /** Maximum level, and the stage that reaches it. */
  readonly level: number;
  readonly unit: LoadPiece['unit'];
  readonly stage: string;
}

/** Minimum share of the highest planned level at which the load is high. It is calm at or below MAX_CALM_SHARE of that level. */
const MIN_HIGH_SHARE = 0.5;
const MAX_CALM_SHARE = 0.34;
/** Minimum share of its maximum level at which a high time is at its height. */
const MIN_TOP_SHARE = 0.9;

/** Returns the times of high planned load; none if a stage ends after a number of requests, because its end is not planned. */
function findHighTimes(profile: readonly LoadPiece[]): HighTime[] {
  return findAbove(profile, MIN_HIGH_SHARE * findHighest(profile));
}

/**
 * Classifies the load. A spike, including its rise and fall, is shorter than the calm before it, and rises for less than half of its
 * duration. A plateau stays at its height at least as long as it rises or falls. Any other load is a rise if it climbs at least as long as
 * it falls, and otherwise a spike.
 */
function shapeOfLoad(high: HighTime, profile: readonly LoadPiece[]): NonNullable<Recovery['shape']> {
  const busy = findAbove(profile, MAX_CALM_SHARE * findHighest(profile));
  const index = busy.findIndex(({ from, to }) => from <= high.from && high.to <= to);
  const busySpan = busy[index] ?? high;
  const tops = findAbove(profile, MIN_TOP_SHARE * high.level).filter(({ from, to }) => from < high.to && to > high.from);
  const [topFrom, topTo] = [tops[0]?.from ?? high.from, tops.at(-1)?.to ?? high.to];
  const [climbs, holds, falls] = [topFrom - busySpan.from, topTo - topFrom, busySpan.to - topTo];
  const calm = busySpan.from - (busy[index - 1]?.to ?? 0);
  if (climbs + holds + falls < calm && climbs <= holds + falls) return 'spike';
  if (holds >= climbs && holds >= falls) return 'plateau';
  return climbs >= falls ? 'rise' : 'spike';
}

function findHighest(profile: readonly LoadPiece[]): number {
  return Math.max(0, ...profile.flatMap(({ level, toLevel }) => [level, toLevel]));
}

/** Returns the highest planned level between two seconds. */
function findMaxLevel(profile: readonly LoadPiece[], from: number, to: number): number {
  return Math.max(
    0,
    ...profile.flatMap(({ fromSecond, toSecond, level, toLevel }) => {
      if (toSecond === null || toSecond <= from || fromSecond >= to) return [];
      const levelAt = (second: number): number => level + ((toLevel - level) * (second - fromSecond)) / (toSecond - fromSecond);
      return [levelAt(Math.max(from, fromSecond)), levelAt(Math.min(to, toSecond))];
    }),
  );
}

/** Returns the times in which the planned level is at least `threshold`, joined if adjacent. */
function findAbove(profile: readonly LoadPiece[], threshold: number): HighTime[] {
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

/**
 * Maximum ratio to the slowest calm second that counts as recovered. It is above 1, because the percentile of a single second is imprecise.
 */
const MAX_RECOVERED_RATIO = 1.1;
const MIN_CALM_SECONDS = 3;
const MAX_FAILED_SHARE = 0.05;
/** Minimum number of consecutive recovered seconds with responses. */
const MIN_STEADY_SECONDS = 2;

/**
 * Returns, for each high load, how long times and failures took afterwards to return to those of the calm time before the first high load.
 * `seconds`: all windows of the run in order. Empty for a load that is never high, that has no calm time before, or that ends after a
 * number of requests.
 */
export function listRecoveries(profile: readonly LoadPiece[], seconds: readonly Second[]): Recovery[] {
  const highs = findHighTimes(profile);
  const [first] = highs;
  const highest = findHighest(profile);
  const calm =
    first === undefined
      ? []
      : seconds.filter((one) => end(one) <= first.from && findMaxLevel(profile, one.second, end(one)) <= MAX_CALM_SHARE * highest);
  // A load that begins high has no calm time for comparison.
  if (first === undefined || calm.length < 2) return [];
  // At the end of the last stage, a recovery cannot be distinguished from the end of the load.
  const loadEnd = Math.max(0, ...profile.map(({ toSecond }) => toSecond ?? 0));
  // The first second is excluded, because connections are opened and code is loaded.
  const before = calm.filter((one, index) => index > 0 && one.completed > 0);
  return highs.flatMap((high, index) =>
    high.to >= loadEnd
      ? []
      : [
          {
            stage: high.stage,
            level: high.level,
            unit: high.unit,
            endedAtSecond: high.to,
            ...findRecovery(high, before, judgeAfter(high, highs[index + 1], profile, highest, seconds), seconds),
            shape: shapeOfLoad(high, profile),
          },
        ],
  );
}

/**
 * Returns each bell with the duration until times and failures were as before the first bell. `seconds`: all windows of the run in order.
 */
export function withRecoveries(bells: readonly BellResult[], seconds: readonly Second[]): BellResult[] {
  const first = Math.min(...bells.map(({ atSecond }) => atSecond));
  // The first second is excluded, because connections are opened and code is loaded.
  const before = seconds.filter((one, index) => index > 0 && end(one) <= first && one.completed > 0);
  return bells.map((bell) => {
    const at = bell.atSecond;
    const next = Math.min(...bells.flatMap(({ atSecond }) => (atSecond > at ? [atSecond] : [])));
    const watched = seconds.filter((one) => one.second >= at && end(one) <= next);
    return { ...bell, recovery: findRecovery({ from: at, to: at }, before, watched, seconds) };
  });
}

function findRecovery(
  high: Pick<HighTime, 'from' | 'to'>,
  before: readonly Second[],
  watched: readonly Second[],
  seconds: readonly Second[],
): NonNullable<BellResult['recovery']> {
  const times = before.flatMap(({ p90 }) => p90 ?? []);
  const beforeMs = times.length === 0 ? null : Math.max(...times);
  const mostFailed = Math.max(0, ...before.map(failedShare));
  const isAsBefore = (one: Second): boolean =>
    one.completed === 0 && one.failed === 0
      ? one.inFlight === 0
      : (one.p90 ?? Number.POSITIVE_INFINITY) <= (beforeMs ?? 0) * MAX_RECOVERED_RATIO && failedShare(one) <= mostFailed;
  const back = watched.findIndex((_, index) => {
    const next = watched.slice(index, index + MIN_STEADY_SECONDS);
    return (next.length === MIN_STEADY_SECONDS || index > 0) && next.every(isAsBefore);
  });
  const found = watched[back];
  const last = watched.at(-1);
  const until = found?.second ?? (last === undefined ? high.to : end(last));
  const hit = seconds.filter((one) => end(one) > high.from && one.second < until).flatMap(({ p90 }) => p90 ?? []);
  const reason = findUnknownReason(before, times, watched);
  return {
    beforeMs,
    worstMs: hit.length === 0 ? null : Math.max(...hit),
    seconds: reason === null && found !== undefined ? Math.max(0, found.second - high.to) : null,
    watchedSeconds: last === undefined ? 0 : Math.max(0, end(last) - high.to),
    resolutionSeconds: Math.max(0, ...watched.map(({ width }) => width)),
    reason,
  };
}

function findUnknownReason(before: readonly Second[], times: readonly number[], watched: readonly Second[]): string | null {
  if (times.length < MIN_CALM_SECONDS) return 'There are too few responses from calm seconds before it to compare with.';
  const total = (pick: (one: Second) => number): number => before.reduce((sum, one) => sum + pick(one), 0);
  if (total(({ failed }) => failed) > MAX_FAILED_SHARE * total((one) => Math.max(one.completed, one.failed)))
    return 'Requests already failed in the calm before it: there is no good state to return to.';
  return watched.length < MIN_STEADY_SECONDS ? 'The time watched after it was too short.' : null;
}

/** Returns the seconds after a high load in which a recovery can be seen: until the load rises again. */
function judgeAfter(
  { to }: HighTime,
  next: HighTime | undefined,
  profile: readonly LoadPiece[],
  highest: number,
  seconds: readonly Second[],
): Second[] {
  const following = seconds.filter((one) => one.second >= to && (next === undefined || end(one) <= next.from));
  // The rise to the next high load is excluded, because it exceeds the calm load.
  return next === undefined
    ? following
    : following.filter((one) => one.second < to + 1 || findMaxLevel(profile, one.second, end(one)) <= MAX_CALM_SHARE * highest);
}

function end({ second, width }: Pick<Second, 'second' | 'width'>): number {
  return second + width;
}

function failedShare({ completed, failed }: Second): number {
  return failed / Math.max(1, completed, failed);
}
