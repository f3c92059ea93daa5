import { readErrorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { MeasuredRun } from './rule.ts';
import { formatSeconds } from '#core/base/units.ts';

/** Shorter ones have many causes, such as a collection of garbage. */
const LEAST_SECONDS = 5;
/** So many answers would have come meanwhile at the pace of before. */
export const LEAST_MISSED = 20;
const PACE_SECONDS = 10;
/** A few requests that are late are no freeze: so large a part of the most that were on their way. */
const LEAST_PART = 0.25;
/** Fewer connections that are held may be anybody's. */
const LEAST_HELD = 3;
/** The same transaction is the oldest as long as its beginning stays where it was. */
const SAME_BEGINNING_SECONDS = 1;
/** Until what was on its way when it began has come. */
const SETTLED_SECONDS = 2;
/** Good answers that still come are at most so large a part of those of before, or somebody waited for nearly all of it. */
const STILL_GOOD = 0.2;
const WAITED = 0.8;
/** For so long programs let wait for a connection of their pool, unless somebody sets another time. */
const USUAL_WAITS_SECONDS = [30, 60, 120];
const WITHIN = 0.05;

/** What the database showed while a server did not answer. */
export interface Held {
  readonly monitor: MonitorResult;
  /** Connections that stood in a transaction in which nothing was asked; their number did not change. */
  readonly idleInTransaction: number;
  /** The most of all the run that were at work or in a transaction at once. */
  readonly mostUsed: number;
  readonly open: number;
  /** Of the open ones, those that nobody used. */
  readonly idle: number;
  readonly oldestMs: number;
  /** The most that waited for a lock at once. */
  readonly locked: number;
  /** Connections that nobody used when the transactions were over; null where it was not seen. */
  readonly idleAfter: number | null;
}

/** A seconds in which requests were on their way and nothing was answered, or nothing that needs the database. */
export interface Freeze {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Requests that were on their way when it began. */
  readonly inFlight: number;
  /** Whether good answers still came: then it is one of several servers. */
  readonly isPartial: boolean;
  /** null where no monitor of a database tells. */
  readonly held: Held | null;
}

/**
 * Every freeze of a run, by time: told by what did not come, and by what the database held meanwhile. `usualPerSecond`: good answers that came in other runs, for a run that
 * freezes from its first second on.
 */
export function freezesOf(facts: MeasuredRun, usualPerSecond = 0): Freeze[] {
  const held = facts.monitors.flatMap((monitor) => heldBy(monitor).filter((seconds) => isFelt(facts, seconds, usualPerSecond)));
  const silent = silences(facts, usualPerSecond).filter((one) => !held.some((other) => overlap(one, other)));
  return [...held, ...silent]
    .map(({ fromSecond, toSecond, held: of }) => ({
      fromSecond,
      toSecond,
      inFlight: inFlightAt(facts, fromSecond),
      isPartial: okPerSecond(facts, fromSecond + SETTLED_SECONDS, fromSecond + LEAST_SECONDS) > 0,
      held: of,
    }))
    .filter((freeze) => freeze.inFlight > 0 && !isOfGenerator(facts, freeze))
    .toSorted((one, other) => one.fromSecond - other.fromSecond);
}

/** Whether pools let wait for about so long when nobody sets another time. */
export function isUsualWait(seconds: number): boolean {
  return USUAL_WAITS_SECONDS.some((usual) => Math.abs(seconds - usual) <= WITHIN * usual);
}

/** The most requests that were on their way at once before anything froze. */
export function borneBefore({ windows }: MeasuredRun, { fromSecond }: Freeze): number {
  return Math.max(0, ...windows.filter(({ second, width }) => second + width <= fromSecond).map(({ inFlight }) => inFlight));
}

type FrozenSeconds = Pick<Freeze, 'fromSecond' | 'toSecond' | 'held'>;

/** Seconds one after the other in which nothing ended but by our own time limit. */
function silences(facts: MeasuredRun, usualPerSecond: number): FrozenSeconds[] {
  const most = Math.max(0, ...facts.windows.map(({ inFlight }) => inFlight));
  const found: FrozenSeconds[] = [];
  let from: number | null = null;
  for (const [at, { second, width, completed, failed, errors, inFlight }] of facts.windows.entries()) {
    const timeouts = Object.entries(errors).reduce((sum, [name, count]) => sum + (readErrorName(name).code === 'TIMEOUT' ? count : 0), 0);
    const isSilent = completed === 0 && failed <= timeouts && inFlight >= Math.max(2, LEAST_PART * most);
    if (isSilent) from ??= second;
    const isLast = at === facts.windows.length - 1;
    if (from === null || (isSilent && !isLast)) continue;
    const toSecond = isSilent ? second + width : second;
    const missed = (okPerSecond(facts, from - PACE_SECONDS, from) || usualPerSecond) * (toSecond - from);
    const isMissed = missed >= LEAST_MISSED || hasTimedOut(facts, from, toSecond);
    if (toSecond - from >= LEAST_SECONDS && isMissed) found.push({ fromSecond: from, toSecond, held: null });
    from = null;
  }
  return found;
}

/**
 * Whether what was on its way waited for as long as pools and proxies let wait, and then came or failed. It tells a freeze also where no pace is known, such as from the first
 * second on.
 */
function hasTimedOut({ windows }: MeasuredRun, fromSecond: number, toSecond: number): boolean {
  const seconds = toSecond - fromSecond;
  const after = windows.filter(({ second }) => second >= toSecond && second <= toSecond + SETTLED_SECONDS);
  const ended = after.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const longestMs = Math.max(0, ...after.map(({ max }) => max ?? 0));
  return isUsualWait(seconds) && longestMs >= WAITED * 1_000 * seconds && ended >= LEAST_HELD;
}

/** Stretches in which as many transactions stood still all the time, and none of them was the oldest anew. */
function heldBy(monitor: MonitorResult): FrozenSeconds[] {
  const found: FrozenSeconds[] = [];
  let rows: number[] = [];
  const close = (): void => {
    const seconds = heldIn(monitor, rows);
    if (seconds !== null) found.push(seconds);
    rows = [];
  };
  for (const row of monitor.second.keys()) {
    const [first] = rows;
    if (first !== undefined && !isStill(monitor, first, row)) close();
    rows.push(row);
  }
  close();
  return found;
}

/** One more or less is that of somebody else. */
function isStill(monitor: MonitorResult, first: number, row: number): boolean {
  const idle = getOwn(monitor.values, 'postgres.idleInTransaction');
  const isOlder = beginningAt(monitor, row) > beginningAt(monitor, first) + SAME_BEGINNING_SECONDS;
  return !isOlder && Math.abs((idle?.[row] ?? 0) - (idle?.[first] ?? 0)) <= 1;
}

/** When the transaction began that was the oldest then, in seconds of the run. */
function beginningAt(monitor: MonitorResult, row: number): number {
  return endOf(monitor, row) - (getOwn(monitor.values, 'postgres.longest')?.[row] ?? 0) / 1_000;
}

function endOf({ second, width }: MonitorResult, row: number): number {
  return (second[row] ?? 0) + (width[row] ?? 1);
}

function heldIn(monitor: MonitorResult, rows: readonly number[]): FrozenSeconds | null {
  const valuesOf = (id: string, of: readonly number[]): number[] => of.flatMap((row) => getOwn(monitor.values, id)?.[row] ?? []);
  const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);
  const middle = (id: string): number => medianOf(sorted(valuesOf(id, rows)));
  const last = rows.at(-1);
  if (last === undefined) return null;
  const oldestAt = medianOf(sorted(rows.map((row) => beginningAt(monitor, row))));
  const firstAt = monitor.second[rows[0] ?? last] ?? 0;
  // A backup may hold the oldest one for hours.
  const beganAt = oldestAt < firstAt - SETTLED_SECONDS ? firstAt : oldestAt;
  const toSecond = endOf(monitor, last);
  const idleInTransaction = middle('postgres.idleInTransaction');
  if (toSecond - beganAt < LEAST_SECONDS || idleInTransaction < LEAST_HELD) return null;
  const isSame = rows.filter((row) => getOwn(monitor.values, 'postgres.idleInTransaction')?.[row] === idleInTransaction);
  if (isSame.length < WAITED * rows.length) return null;
  const after = monitor.second.flatMap((_, row) =>
    row > last && (getOwn(monitor.values, 'postgres.idleInTransaction')?.[row] ?? Infinity) === 0 ? [row] : [],
  );
  const idleAfter = valuesOf('postgres.idle', after);
  const held: Held = {
    monitor,
    idleInTransaction,
    mostUsed: mostUsedOf(monitor),
    open: middle('postgres.connections'),
    idle: middle('postgres.idle'),
    oldestMs: Math.max(...valuesOf('postgres.longest', rows)),
    locked: Math.max(0, ...valuesOf('postgres.locked', rows)),
    idleAfter: idleAfter.length === 0 ? null : Math.min(...idleAfter),
  };
  return { fromSecond: Math.max(0, beganAt), toSecond, held };
}

/** Without the monitor's own connection, which is at work while it asks. */
function mostUsedOf({ second, values }: MonitorResult): number {
  const [active, inTransaction] = ['postgres.active', 'postgres.idleInTransaction'].map((id) => getOwn(values, id));
  return Math.max(0, ...second.map((_, row) => (active?.[row] ?? 1) - 1 + (inTransaction?.[row] ?? 0)));
}

/** Whether whoever asked noticed it: hardly a good answer came, or some waited for nearly all of it. A backup holds transactions too. */
function isFelt(facts: MeasuredRun, { fromSecond, toSecond }: FrozenSeconds, usualPerSecond: number): boolean {
  const before = okPerSecond(facts, fromSecond - PACE_SECONDS, fromSecond) || usualPerSecond;
  const during = okPerSecond(facts, fromSecond + SETTLED_SECONDS, toSecond - 1);
  if (before > 0 && during <= STILL_GOOD * before) return true;
  const waited = WAITED * 1_000 * (toSecond - fromSecond);
  return facts.windows.some(
    ({ second, width, max }) => second + width >= toSecond - 1 && second <= toSecond + SETTLED_SECONDS && max !== null && max >= waited,
  );
}

/** A generator that had no turn notices no answers. */
function isOfGenerator({ generators }: MeasuredRun, { fromSecond, toSecond }: Freeze): boolean {
  return generators.some(({ readings }) => {
    const stood = readings.filter(({ second }) => second >= fromSecond && second < toSecond);
    return stood.reduce((sum, { stoodStillMs }) => sum + (stoodStillMs ?? 0), 0) > STILL_GOOD * 1_000 * (toSecond - fromSecond);
  });
}

function inFlightAt({ windows }: MeasuredRun, fromSecond: number): number {
  const around = windows.filter(({ second, width }) => second + width >= fromSecond && second <= fromSecond + SETTLED_SECONDS);
  return Math.max(0, ...around.map(({ inFlight }) => inFlight));
}

function okPerSecond({ windows }: MeasuredRun, fromSecond: number, toSecond: number): number {
  const points = windows.filter(({ second, width }) => second >= fromSecond && second + width <= toSecond);
  const seconds = points.reduce((sum, { width }) => sum + width, 0);
  return seconds === 0 ? 0 : points.reduce((sum, { ok }) => sum + ok, 0) / seconds;
}

function overlap(one: FrozenSeconds, other: FrozenSeconds): boolean {
  return one.fromSecond < other.toSecond && other.fromSecond < one.toSecond;
}

/** Of a standstill that {@link isUsualWait} is true of. */
export function usualWaitWords(seconds: number): string {
  return `${formatSeconds(Math.round(seconds))} is about the wait that pools allow.`;
}
