import { capitalize } from '#core/base/text.ts';
import { findPool } from '#core/plan/pools.ts';
import { formatCount, formatMs, formatPercent, formatSeconds } from '#core/base/units.ts';
import {
  findFreezes,
  type Freeze,
  findPoolSize,
  type HeldConnections,
  isUsualWait,
  maxInFlightBefore,
  formatPoolSetting,
  type PoolSize,
  formatPoolSize,
  formatUsualWait,
} from '../freezes.ts';
import {
  type Draft,
  failedShare,
  figure,
  type Figure,
  type MeasuredRun,
  MIN_NOTICEABLE_SHARE,
  rangeOf,
  rangeOfSpans,
  rule,
} from '../rule.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { medianOf } from '#core/statistics/trend.ts';

const MAX_LISTED = 4;
/**
 * Rules about consequences of a freeze: refusals by a proxy that considers the server dead, time-outs of the proxy, and the wait during the
 * freeze.
 */
const FREEZE_CONSEQUENCES = [
  'unexpectedStatus.500',
  'unexpectedStatus.502',
  'unexpectedStatus.503',
  'unexpectedStatus.504',
  'proxyTimeout',
  'ownTimeout',
  'poolWait.*',
  'fastFailures.*',
  'averageHides.*',
  'slowTail',
  'rateDips',
  'notSteady',
  'windowTooShort.*',
  'growingQueue.*',
  'slowerAndSlower.*',
];

/**
 * Finds a server that sends no responses for a while and then all at once. A database monitor shows whether a connection pool was
 * exhausted: for as long as the pool waits, a constant number of connections stays idle in transactions. The wait never ends if it blocks
 * the requests that would return a connection.
 */
export const freeze = rule('freeze', (facts) => {
  const freezes = findFreezes(facts);
  const [first] = freezes;
  if (first === undefined) return [];
  const start = formatBeginning(first, freezes);
  const heldFreezes = freezes
    .filter(hasHeld)
    .toSorted((one, other) => other.heldConnections.idleInTransaction - one.heldConnections.idleInTransaction);
  const locked = heldFreezes.find((one) => one.heldConnections.locked >= one.heldConnections.idleInTransaction / 2);
  const [largest] = heldFreezes;
  const found =
    largest === undefined
      ? explainByDefault(facts, start, freezes)
      : locked === undefined
        ? explainByPool(facts, start, heldFreezes, largest.heldConnections)
        : explainByLocks(start, locked.heldConnections);
  return {
    level: 'problem',
    ...found,
    figures: [...computeFigures(facts, first, freezes), ...found.figures],
    range: rangeOfSpans(freezes),
    insteadOf: FREEZE_CONSEQUENCES,
  };
});

type ExplainedFreeze = Pick<Draft, 'sentence' | 'evidence' | 'remedy' | 'confidence'> & { readonly figures: readonly Figure[] };
type HeldFreeze = Freeze & { readonly heldConnections: HeldConnections };

function hasHeld(one: Freeze): one is HeldFreeze {
  return one.heldConnections !== null;
}

/** Explains the freeze by an exhausted pool. `most`: the figures when the most connections were held. */
function explainByPool(facts: MeasuredRun, start: string, heldFreezes: readonly HeldFreeze[], most: HeldConnections): ExplainedFreeze {
  const pool = findPoolSize(facts.plan, heldFreezes);
  const { monitor, open, idleInTransaction, oldestMs, locked } = most;
  const limit = monitor.limits.find(({ chart }) => chart === 'Connections')?.value ?? null;
  const inFlight = Math.max(...heldFreezes.map((one) => one.inFlight));
  const isPool =
    inFlight >= pool.each && (heldFreezes.some((one) => isUsualWait(one.toSecond - one.fromSecond)) || isRepeated(heldFreezes));
  const parts = idleInTransaction === pool.each ? '' : ` (${formatCount(pool.each)} of each server)`;
  const used = `${formatCount(idleInTransaction)} connections of ${monitor.name}${parts} were idle in a transaction all the time`;
  return {
    sentence: isPool
      ? `${start} Its pool of ${formatCount(pool.each)} database connections${pool.servers > 1 ? ' for each server' : ''} was used up: ${used}.`
      : `${start} Meanwhile ${used}: a pool of that size is used up, or the program that holds them stood still.`,
    evidence: [
      `A pool of ${formatCount(pool.each)} serves ${formatCount(pool.each)} requests at a time that hold one connection each, and fewer that hold two. The next request waits. If its wait blocks the whole program, no connection is returned until the wait ends: ${formatSeconds(Math.round(longestSeconds(heldFreezes)))} here.`,
      pool.kept !== null &&
        `${formatCount(pool.kept)} of ${formatCount(pool.each)} stayed open afterwards and the others were closed: the pool is set to ${formatCount(pool.kept)} + ${formatCount(pool.each - pool.kept)}.`,
    ],
    figures: [
      figure(
        'Database connections during the freeze',
        limit === null ? formatCount(open) : `${formatCount(open)} of ${formatCount(limit)}`,
      ),
      figure('Of them idle in a transaction', formatCount(idleInTransaction)),
      figure('Oldest transaction', formatMs(oldestMs)),
      lockWaitFigure(locked),
      figure('Pool', formatPoolSize(pool)),
    ],
    remedy: remedyFor(facts, pool, inFlight, limit === null ? null : limit - (open - idleInTransaction)),
    confidence: isPool ? 'likely' : 'possible',
  };
}

function lockWaitFigure(connections: number): Figure {
  return figure('Max waiting for a lock', formatCount(connections));
}

function explainByLocks(start: string, { monitor, locked, idleInTransaction, oldestMs }: HeldConnections): ExplainedFreeze {
  return {
    sentence: `${start} Meanwhile ${formatCount(locked)} connections of ${monitor.name} waited for a lock that a transaction held for ${formatMs(oldestMs)}.`,
    evidence: ['A transaction that holds a lock and sits idle blocks all that need the same rows.'],
    figures: [
      lockWaitFigure(locked),
      figure('Idle in a transaction', formatCount(idleInTransaction)),
      figure('Oldest transaction', formatMs(oldestMs)),
    ],
    remedy:
      'pg_blocking_pids() and pg_stat_activity show what they wait for. End transactions before slow work; lock_timeout and idle_in_transaction_session_timeout limit how long one can block the others.',
    confidence: 'likely',
  };
}

function explainByDefault(facts: MeasuredRun, start: string, freezes: readonly Freeze[]): ExplainedFreeze {
  const database = facts.monitors.find(({ kind, second }) => (kind === 'postgres' || kind === 'mysql') && second.length > 0);
  const pool = findPool(facts.plan.servers?.pool, facts.server.software);
  const isUsual = freezes.some((one) => isUsualWait(one.toSecond - one.fromSecond));
  return {
    sentence: start,
    evidence: [
      'A server that sends nothing and then everything at once was waiting, not working: for a free pool connection, a lock or another service. Or the program stood still.',
      isUsual && formatUsualWait(longestSeconds(freezes)),
      database !== undefined && `${database.name} was watched and showed no idle transactions that its user may see.`,
    ],
    remedy:
      database === undefined
        ? `Watch the database and run it again: a PostgreSQL monitor (“monitors” in the plan, “database” in the wizard) shows whether a pool was used up. If so: ${formatPoolSetting(pool)}.`
        : database.kind === 'postgres'
          ? `Without the role pg_monitor, the states of other users’ connections are hidden: GRANT pg_monitor TO the monitor’s user, and run it again. Otherwise check the server’s log at that time.`
          : 'Check the server’s log at that time, and which database sessions block each other.',
    figures: [],
  };
}

/** Example: “The server froze 3 times for up to 61 s, first with 40 requests at a time: from second 21 to 82, 92 to 152 and 152 to 212.” */
function formatBeginning(first: Freeze, freezes: readonly Freeze[]): string {
  const reported = freezes
    .slice(0, MAX_LISTED)
    .map(({ fromSecond, toSecond }) => `${formatWholeSecond(fromSecond)} to ${formatWholeSecond(toSecond)}`);
  const more = freezes.length > MAX_LISTED ? [`${formatCount(freezes.length - MAX_LISTED)} more`] : [];
  const times = [...reported, ...more];
  const list = times.join(', ').replace(/, (?!.*, )/, ' and ');
  const who = freezes.every(({ isPartial }) => isPartial) ? 'Some of the servers' : 'The server';
  const often = freezes.length === 1 ? '' : freezes.length === 2 ? ' twice' : ` ${formatCount(freezes.length)} times`;
  return `${who} froze${often} for up to ${formatSeconds(Math.round(longestSeconds(freezes)))}, first with ${formatCount(first.inFlight)} requests in flight: from second ${list}.`;
}

function formatWholeSecond(second: number): string {
  return formatCount(Math.round(second));
}

function computeFigures(facts: MeasuredRun, first: Freeze, freezes: readonly Freeze[]): readonly Figure[] {
  return [
    figure(
      'Froze for',
      freezes
        .slice(0, MAX_LISTED)
        .map(({ fromSecond, toSecond }) => formatSeconds(Math.round(toSecond - fromSecond)))
        .join(', '),
    ),
    figure('Requests in flight when it began', formatCount(first.inFlight)),
    figure('Max in flight before, without a freeze', formatCount(maxInFlightBefore(facts, first))),
  ];
}

/** Returns the remedy. `free`: connections that the database has besides those of other programs; null if unknown. */
function remedyFor(facts: MeasuredRun, { each, servers }: PoolSize, inFlight: number, free: number | null): string {
  const needed = Math.ceil(inFlight / servers);
  const maxEach = free === null ? null : Math.floor(free / servers);
  const [forEach, apiece] = servers > 1 ? [' for each server', ' each'] : ['', ''];
  const needs = `${formatCount(inFlight)} requests at a time need at least ${formatCount(needed)} connections${forEach}`;
  const sustains =
    maxEach === null
      ? 'and the database must allow the total of all servers'
      : needed <= maxEach
        ? `and the database has room for ${formatCount(maxEach)}${apiece}`
        : `but the database has room for ${formatCount(maxEach)}${apiece} only: raise max_connections, put PgBouncer in between, or admit fewer at a time`;
  const pool = findPool(facts.plan.servers?.pool, facts.server.software);
  return `Make the pool larger than ${formatCount(each)}: ${needs}, ${sustains}. ${capitalize(formatPoolSetting(pool))}.`;
}

function isRepeated(heldFreezes: readonly HeldFreeze[]): boolean {
  const counts = heldFreezes.map((one) => one.heldConnections.idleInTransaction);
  return counts.length > 1 && counts.every((count) => count % Math.min(...counts) === 0);
}

function longestSeconds(freezes: readonly Freeze[]): number {
  return Math.max(...freezes.map(({ fromSecond, toSecond }) => toSecond - fromSecond));
}

/** Minimum number of used connections. Fewer may be all that were needed. */
const MIN_USED = 3;
const MIN_SECONDS = 4;
const MIN_IN_FLIGHT_RATIO = 1.2;
/**
 * Minimum share of the seconds with more requests than connections in which all connections were in use. It is below 1, because the first
 * and last seconds of a load have fewer requests.
 */
const MIN_EXHAUSTED_SHARE = 0.7;
/** Minimum ratio of the times to the times with fewer requests in flight that makes the finding a warning. */
const MIN_SLOWDOWN_RATIO = 1.5;
/** Number of connections of the monitor itself, which is busy while it queries. */
const MONITOR_CONNECTIONS = 1;

/** The database in one second, with the load of that second. */
interface Row {
  readonly second: number;
  readonly used: number;
  readonly idle: number;
  readonly inFlight: number;
  readonly p50: number | null;
}

/**
 * Finds requests that wait for a database connection: however many are in flight, the database has the same number of busy connections, and
 * the program has no idle ones. Unlike in `freeze`, connections are returned.
 */
export const poolWait = rule('poolWait', (facts) =>
  facts.monitors.flatMap((monitor) => {
    const rows = rowsOf(facts, monitor);
    const used = Math.max(0, ...rows.map((row) => row.used));
    const rowsWithRequests = rows.filter(({ inFlight }) => inFlight >= MIN_IN_FLIGHT_RATIO * used);
    const full = rowsWithRequests.filter((row) => row.used === used);
    if (used < MIN_USED || full.length < MIN_SECONDS || full.length < MIN_EXHAUSTED_SHARE * rowsWithRequests.length) return [];
    const minIdle = Math.min(...rows.map(({ idle }) => idle));
    // If more connections are idle, they belong to other programs, or no request waits for one.
    if (median(full.map(({ idle }) => idle)) > minIdle + 1) return [];
    const limit = monitor.limits.find(({ chart }) => chart === 'Connections')?.value ?? Infinity;
    if (used + minIdle + MONITOR_CONNECTIONS >= limit) return [];
    return waitFor(facts, monitor.name, used, rows, full);
  }),
);

function waitFor(facts: MeasuredRun, database: string, used: number, rows: readonly Row[], full: readonly Row[]): Draft {
  const servers = facts.plan.servers?.expected ?? facts.plan.targets.length;
  const pool: PoolSize = { each: used % servers === 0 ? used / servers : used, servers: used % servers === 0 ? servers : 1, kept: null };
  const [first, last] = [full[0]?.second ?? 0, (full.at(-1)?.second ?? 0) + 1];
  const maxInFlight = Math.max(...full.map(({ inFlight }) => inFlight));
  const calmMs = median(rows.flatMap(({ inFlight, p50 }) => (inFlight <= used && p50 !== null ? [p50] : [])));
  const fullMs = median(full.flatMap(({ p50 }) => p50 ?? []));
  const failed = failedShare(facts.windows.filter(({ second }) => second >= first && second < last));
  const isLonger = fullMs >= MIN_SLOWDOWN_RATIO * calmMs;
  const longestMs = typeof facts.latency.service.max === 'number' ? facts.latency.service.max : 0;
  const settings = formatPoolSetting(findPool(facts.plan.servers?.pool, facts.server.software));
  return {
    of: database,
    level: isLonger || failed >= MIN_NOTICEABLE_SHARE ? 'warning' : 'info',
    sentence: `Requests waited for a pool connection: at most ${formatCount(used)} connections of ${database} were in use, with up to ${formatCount(maxInFlight)} requests in flight.`,
    evidence: [
      `In ${formatCount(full.length)} seconds, exactly ${formatCount(used)} were active or in a transaction, and the program had none to spare: its pool is ${formatPoolSize(pool)}, or as many workers hold one each.`,
      'Further requests wait until a connection is returned: throughput stays the same, and latency grows with the load.',
      failed >= MIN_NOTICEABLE_SHARE &&
        isUsualWait(longestMs / 1_000) &&
        `The longest response took ${formatSeconds(Math.round(longestMs / 1_000))}, about the wait that pools allow: after it, requests without a connection fail.`,
    ],
    figures: [
      figure('Max connections in use', formatCount(used)),
      figure('Pool', formatPoolSize(pool)),
      figure('Max requests in flight then', formatCount(maxInFlight)),
      figure('Median then', formatMs(fullMs)),
      !Number.isNaN(calmMs) && figure('Median with no more requests than connections', formatMs(calmMs)),
      figure('Failed then', formatPercent(failed)),
    ],
    remedy: `If the database has room for more, make the pool larger: ${settings}. If it is busy already, do less while holding a connection; a larger pool would only move the queue into the database.`,
    confidence: isLonger ? 'likely' : 'possible',
    range: rangeOf(full.map(({ second }) => ({ second, width: 1 }))),
  };
}

/** Returns every second with database readings. */
function rowsOf({ windows }: MeasuredRun, { values, second, width }: MonitorResult): Row[] {
  const [active, inTransaction, idle] = ['postgres.active', 'postgres.idleInTransaction', 'postgres.idle'].map((id) => getOwn(values, id));
  return second.flatMap((from, row): Row[] => {
    const [one, two, left] = [active?.[row], inTransaction?.[row], idle?.[row]];
    const at = from + (width[row] ?? 1);
    const point = windows.find((window) => at > window.second && at <= window.second + window.width);
    if (one == null || two == null || left == null || point === undefined) return [];
    return [{ second: from, used: one - MONITOR_CONNECTIONS + two, idle: left, inFlight: point.inFlight, p50: point.p50 }];
  });
}

function median(values: readonly number[]): number {
  return values.length === 0 ? NaN : medianOf(values.toSorted((one, other) => one - other));
}
