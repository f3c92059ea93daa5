import { readErrorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { type MeasuredRun, secondsOf } from './rule.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { sumOf } from '#core/base/lists.ts';
import { type Pool, POOL_SETTINGS, POOLS } from '#core/plan/pools.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Minimum length of a freeze in seconds. Shorter pauses have many causes, such as garbage collection. */
const MIN_SECONDS = 5;
/** Minimum number of responses that are missing compared to the rate before. */
export const MIN_MISSED = 20;
export const RATE_SECONDS = 10;
/** Minimum share of the maximum in flight that must be outstanding. Fewer late requests are no freeze. */
const MIN_IN_FLIGHT_SHARE = 0.25;
/** Minimum number of held connections. Fewer may belong to other programs. */
const MIN_HELD = 3;
/** Time in seconds by which the beginning of the oldest transaction may move for it to count as the same one. */
const BEGINNING_TOLERANCE_SECONDS = 1;
/** Time in seconds until the requests that were in flight at the beginning have ended. */
const SETTLED_SECONDS = 2;
/** Maximum share of the successful responses that still arrives during a freeze, unless a request waited for nearly the whole time. */
const MAX_REMAINING_SHARE = 0.2;
const MIN_WAITED_SHARE = 0.8;
/** Default times in seconds for which connection pools let a program wait. */
const USUAL_WAITS_SECONDS = [30, 60, 120];
const WAIT_TOLERANCE = 0.05;

/** Database figures during a freeze. */
export interface HeldConnections {
  readonly monitor: MonitorResult;
  /** Number of connections idle in a transaction, which was constant. */
  readonly idleInTransaction: number;
  /** Highest number of connections in the run that were busy or in a transaction. */
  readonly mostUsed: number;
  readonly open: number;
  /** Number of idle connections among the open ones. */
  readonly idle: number;
  readonly oldestMs: number;
  /** Highest number of connections that waited for a lock. */
  readonly locked: number;
  /** Number of idle connections after the transactions ended; null if not observed. */
  readonly idleAfter: number | null;
}

/** A time in which requests were in flight without any response, or without responses that need the database. */
export interface Freeze {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Number of requests in flight when the freeze began. */
  readonly inFlight: number;
  /** Whether successful responses still arrived, which means that one of several servers froze. */
  readonly isPartial: boolean;
  /** Database figures; null if there is no database monitor. */
  readonly heldConnections: HeldConnections | null;
}

/**
 * Returns the freezes of a run in order of time, found by missing responses and by held database connections. `usualPerSecond`: rate of
 * successful responses in other runs, for a run that freezes from its first second on.
 */
export function findFreezes(facts: MeasuredRun, usualPerSecond = 0): Freeze[] {
  const heldSeconds = facts.monitors.flatMap((monitor) =>
    findHeldSeconds(monitor).filter((seconds) => affectsRequests(facts, seconds, usualPerSecond)),
  );
  const silent = findSilences(facts, usualPerSecond).filter((one) => !heldSeconds.some((other) => overlap(one, other)));
  return [...heldSeconds, ...silent]
    .map(({ fromSecond, toSecond, heldConnections: of }) => ({
      fromSecond,
      toSecond,
      inFlight: inFlightAt(facts, fromSecond),
      isPartial: okPerSecond(facts, fromSecond + SETTLED_SECONDS, fromSecond + MIN_SECONDS) > 0,
      heldConnections: of,
    }))
    .filter((freeze) => freeze.inFlight > 0 && !isOfGenerator(facts, freeze))
    .toSorted((one, other) => one.fromSecond - other.fromSecond);
}

/** Returns whether a time is close to a default wait of connection pools. */
export function isUsualWait(seconds: number): boolean {
  return USUAL_WAITS_SECONDS.some((usual) => Math.abs(seconds - usual) <= WAIT_TOLERANCE * usual);
}

export function maxInFlightBefore({ windows }: MeasuredRun, { fromSecond }: Freeze): number {
  return Math.max(0, ...windows.filter(({ second, width }) => second + width <= fromSecond).map(({ inFlight }) => inFlight));
}

type Span = Pick<Freeze, 'fromSecond' | 'toSecond'>;
type FrozenSeconds = Pick<Freeze, 'fromSecond' | 'toSecond' | 'heldConnections'>;

/** Returns times in which requests ended only by Holdfast's own time-out. */
function findSilences(facts: MeasuredRun, usualPerSecond: number): FrozenSeconds[] {
  const maxInFlight = Math.max(0, ...facts.windows.map(({ inFlight }) => inFlight));
  const found: FrozenSeconds[] = [];
  let from: number | null = null;
  for (const [at, { second, width, completed, failed, errors, inFlight }] of facts.windows.entries()) {
    const timeouts = sumOf(Object.entries(errors), ([name, count]) => (readErrorName(name).code === 'TIMEOUT' ? count : 0));
    const isSilent = completed === 0 && failed <= timeouts && inFlight >= Math.max(2, MIN_IN_FLIGHT_SHARE * maxInFlight);
    if (isSilent) from ??= second;
    const isLast = at === facts.windows.length - 1;
    if (from === null || (isSilent && !isLast)) continue;
    const toSecond = isSilent ? second + width : second;
    const missed = (okPerSecond(facts, from - RATE_SECONDS, from) || usualPerSecond) * (toSecond - from);
    const isMissed = missed >= MIN_MISSED || hasTimedOut(facts, from, toSecond);
    if (toSecond - from >= MIN_SECONDS && isMissed) found.push({ fromSecond: from, toSecond, heldConnections: null });
    from = null;
  }
  return found;
}

/**
 * Returns whether the requests in flight waited as long as pools and proxies allow, and then ended. This detects a freeze even if the usual
 * rate is unknown, for example from the first second on.
 */
function hasTimedOut({ windows }: MeasuredRun, fromSecond: number, toSecond: number): boolean {
  const seconds = toSecond - fromSecond;
  const after = windows.filter(({ second }) => second >= toSecond && second <= toSecond + SETTLED_SECONDS);
  const ended = sumOf(after, ({ completed, failed }) => completed + failed);
  const longestMs = Math.max(0, ...after.map(({ max }) => max ?? 0));
  return isUsualWait(seconds) && longestMs >= MIN_WAITED_SHARE * 1_000 * seconds && ended >= MIN_HELD;
}

/** Returns times in which the number of idle transactions was constant and the oldest one stayed the same. */
function findHeldSeconds(monitor: MonitorResult): FrozenSeconds[] {
  const found: FrozenSeconds[] = [];
  let rows: number[] = [];
  const close = (): void => {
    const seconds = readHeldSeconds(monitor, rows);
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

/**
 * Returns whether the oldest transaction and the number of idle transactions are the same. A difference of one may be another program's.
 */
function isStill(monitor: MonitorResult, first: number, row: number): boolean {
  const idle = getOwn(monitor.values, 'postgres.idleInTransaction');
  const isOlder = findBeginning(monitor, row) > findBeginning(monitor, first) + BEGINNING_TOLERANCE_SECONDS;
  return !isOlder && Math.abs((idle?.[row] ?? 0) - (idle?.[first] ?? 0)) <= 1;
}

/** Returns when the oldest transaction began, in seconds of the run. */
function findBeginning(monitor: MonitorResult, row: number): number {
  return endOf(monitor, row) - (getOwn(monitor.values, 'postgres.longest')?.[row] ?? 0) / 1_000;
}

function endOf({ second, width }: MonitorResult, row: number): number {
  return (second[row] ?? 0) + (width[row] ?? 1);
}

function readHeldSeconds(monitor: MonitorResult, rows: readonly number[]): FrozenSeconds | null {
  const listValues = (id: string, of: readonly number[]): number[] => of.flatMap((row) => getOwn(monitor.values, id)?.[row] ?? []);
  const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);
  const medianOfQuantity = (id: string): number => medianOf(sorted(listValues(id, rows)));
  const last = rows.at(-1);
  if (last === undefined) return null;
  const oldestAt = medianOf(sorted(rows.map((row) => findBeginning(monitor, row))));
  const firstAt = monitor.second[rows[0] ?? last] ?? 0;
  // The transaction may be a backup that has been open for hours. In that case, the freeze began at the first reading.
  const beganAt = oldestAt < firstAt - SETTLED_SECONDS ? firstAt : oldestAt;
  const toSecond = endOf(monitor, last);
  const idleInTransaction = medianOfQuantity('postgres.idleInTransaction');
  if (toSecond - beganAt < MIN_SECONDS || idleInTransaction < MIN_HELD) return null;
  const isSame = rows.filter((row) => getOwn(monitor.values, 'postgres.idleInTransaction')?.[row] === idleInTransaction);
  if (isSame.length < MIN_WAITED_SHARE * rows.length) return null;
  const after = monitor.second.flatMap((_, row) =>
    row > last && (getOwn(monitor.values, 'postgres.idleInTransaction')?.[row] ?? Infinity) === 0 ? [row] : [],
  );
  const idleAfter = listValues('postgres.idle', after);
  const heldConnections: HeldConnections = {
    monitor,
    idleInTransaction,
    mostUsed: maxUsedConnections(monitor),
    open: medianOfQuantity('postgres.connections'),
    idle: medianOfQuantity('postgres.idle'),
    oldestMs: Math.max(...listValues('postgres.longest', rows)),
    locked: Math.max(0, ...listValues('postgres.locked', rows)),
    idleAfter: idleAfter.length === 0 ? null : Math.min(...idleAfter),
  };
  return { fromSecond: Math.max(0, beganAt), toSecond, heldConnections };
}

/** Returns the highest number of used connections. Excludes the monitor's own connection, which is busy while it queries. */
function maxUsedConnections({ second, values }: MonitorResult): number {
  const [active, inTransaction] = ['postgres.active', 'postgres.idleInTransaction'].map((id) => getOwn(values, id));
  return Math.max(0, ...second.map((_, row) => (active?.[row] ?? 1) - 1 + (inTransaction?.[row] ?? 0)));
}

/**
 * Returns whether requests were affected: hardly any succeeded, or some waited for nearly the whole time. A backup also holds a
 * transaction, but does not affect requests.
 */
function affectsRequests(facts: MeasuredRun, { fromSecond, toSecond }: FrozenSeconds, usualPerSecond: number): boolean {
  const okBefore = okPerSecond(facts, fromSecond - RATE_SECONDS, fromSecond) || usualPerSecond;
  const okDuring = okPerSecond(facts, fromSecond + SETTLED_SECONDS, toSecond - 1);
  if (okBefore > 0 && okDuring <= MAX_REMAINING_SHARE * okBefore) return true;
  const waited = MIN_WAITED_SHARE * 1_000 * (toSecond - fromSecond);
  return facts.windows.some(
    ({ second, width, max }) => second + width >= toSecond - 1 && second <= toSecond + SETTLED_SECONDS && max !== null && max >= waited,
  );
}

/** Returns whether the load generator itself was suspended and therefore received no responses. */
export function isOfGenerator({ generators }: MeasuredRun, { fromSecond, toSecond }: Pick<Freeze, 'fromSecond' | 'toSecond'>): boolean {
  return generators.some(({ readings }) => {
    const frozenReadings = readings.filter(({ second }) => second >= fromSecond && second < toSecond);
    return sumOf(frozenReadings, ({ stoodStillMs }) => stoodStillMs ?? 0) > MAX_REMAINING_SHARE * 1_000 * (toSecond - fromSecond);
  });
}

function inFlightAt({ windows }: MeasuredRun, fromSecond: number): number {
  const nearbyWindows = windows.filter(({ second, width }) => second + width >= fromSecond && second <= fromSecond + SETTLED_SECONDS);
  return Math.max(0, ...nearbyWindows.map(({ inFlight }) => inFlight));
}

export function okPerSecond({ windows }: MeasuredRun, fromSecond: number, toSecond: number): number {
  const points = windows.filter(({ second, width }) => second >= fromSecond && second + width <= toSecond);
  const seconds = secondsOf(points);
  return seconds === 0 ? 0 : sumOf(points, ({ ok }) => ok) / seconds;
}

export function overlap(one: Span, other: Span): boolean {
  return one.fromSecond < other.toSecond && other.fromSecond < one.toSecond;
}

/** Formats the length of a freeze for which {@link isUsualWait} is true. */
export function formatUsualWait(seconds: number): string {
  return `${formatSeconds(Math.round(seconds))} is about the wait that pools allow.`;
}

/** Ratio of used to held connections from which other programs may use some of them. */
const OTHER_PROGRAMS_RATIO = 1.3;

export interface PoolSize {
  /** Size of one server's pool. */
  readonly each: number;
  readonly servers: number;
  /** Connections that each pool keeps open while idle; null if not observed. */
  readonly kept: number | null;
}

/** Number of connections idle in transactions, and whether all of them certainly belong to one server. */
interface IdleTransactions {
  readonly stood: number;
  readonly isOfOne: boolean;
}

/**
 * Estimates the size of the pool that was exhausted in these freezes. If one of several servers froze, the held connections are one pool.
 * If several froze at once, the held connections are a multiple of a pool.
 */
export function findPoolSize(
  { servers: named, targets }: Plan,
  freezes: readonly (Pick<Freeze, 'isPartial'> & { readonly heldConnections: HeldConnections })[],
): PoolSize {
  const servers = named?.expected ?? targets.length;
  const frozen = freezes.map((one) => {
    const { idleInTransaction: stood, mostUsed, idle, idleAfter } = one.heldConnections;
    // The used connections cannot exceed the sum of all pools. If more were used at another time, not all pools were exhausted now.
    const isOfOne = servers === 1 || one.isPartial || stood % servers !== 0 || mostUsed > OTHER_PROGRAMS_RATIO * stood;
    return { stood, isOfOne, left: idleAfter === null ? null : idleAfter - idle };
  });
  const each = sizeOfEach(frozen, servers);
  const left = frozen.flatMap((one) => (one.left === null ? [] : [(one.left * each) / one.stood]));
  return { each, servers, kept: left.find((count) => Number.isInteger(count) && count > 0 && count <= each) ?? null };
}

/** Estimates one server's pool from all freezes: the smallest number that a single server held, or a share of the maximum. */
export function sizeOfEach(frozen: readonly IdleTransactions[], servers: number): number {
  const ofOne = frozen.filter(({ isOfOne }) => isOfOne).map(({ stood }) => stood);
  return ofOne.length > 0 ? Math.min(...ofOne) : Math.max(...frozen.map(({ stood }) => stood / servers));
}

/** Formats the size of a pool: “15 (5 + 10) for each of 2 servers”. */
export function formatPoolSize({ each, servers, kept }: PoolSize): string {
  const size =
    kept === null || kept === each ? formatCount(each) : `${formatCount(each)} (${formatCount(kept)} + ${formatCount(each - kept)})`;
  return servers > 1 ? `${size} for each of ${formatCount(servers)} servers` : size;
}

/** Names the settings for the size of a pool and for its wait; if `pool` is null, those of every known pool. */
export function formatPoolSetting(pool: Pool | null): string {
  const of = (one: Pool): string => `${POOL_SETTINGS[one].name}: ${POOL_SETTINGS[one].size}`;
  if (pool !== null)
    return `${POOL_SETTINGS[pool].name} sets its size by ${POOL_SETTINGS[pool].size}, and how long a freeze lasts by ${POOL_SETTINGS[pool].wait}`;
  return `its size and its longest wait are settings of the program (${POOLS.map(of).join('; ')})`;
}
