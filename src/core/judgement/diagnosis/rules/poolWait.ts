import { poolOf } from '#core/plan/pools.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatPercent, formatSeconds } from '#core/base/units.ts';
import { isUsualWait } from '../freezes.ts';
import { poolSettingWords, type PoolSize, poolSizeWords } from '../poolSize.ts';
import { failedShare, figure, type Found, MIN_NOTICEABLE_SHARE, rangeOf, type Rule, type MeasuredRun } from '../rule.ts';

/** Fewest used connections. Fewer may be all that were needed. */
const MIN_USED = 3;
const MIN_SECONDS = 4;
/** Smallest ratio of requests in flight to used connections. */
const MIN_IN_FLIGHT_RATIO = 1.2;
/** Smallest share of the seconds with more requests in which all connections were in use. The first and last seconds of a load have fewer. */
const MIN_EXHAUSTED_SHARE = 0.7;
/** Smallest ratio of times to those with fewer requests in flight that is a warning. */
const MIN_SLOWDOWN_RATIO = 1.5;
/** Connections of the monitor, which is busy while it queries. */
const MONITOR_CONNECTIONS = 1;

/** A second of the database with the load of that second. */
interface Row {
  readonly second: number;
  readonly used: number;
  readonly idle: number;
  readonly inFlight: number;
  readonly p50: number | null;
}

/**
 * Finds requests that wait for a database connection: however many are in flight, the database has the same number of busy connections and the program none
 * idle. Unlike in `freeze`, connections are returned.
 */
export const poolWait: Rule = {
  id: 'poolWait',
  find(facts) {
    return facts.monitors.flatMap((monitor): Found[] => {
      const rows = rowsOf(facts, monitor);
      const used = Math.max(0, ...rows.map((row) => row.used));
      const asked = rows.filter(({ inFlight }) => inFlight >= MIN_IN_FLIGHT_RATIO * used);
      const full = asked.filter((row) => row.used === used);
      if (used < MIN_USED || full.length < MIN_SECONDS || full.length < MIN_EXHAUSTED_SHARE * asked.length) return [];
      const least = Math.min(...rows.map(({ idle }) => idle));
      // Otherwise idle connections belong to other programs, or no request waits.
      if (middle(full.map(({ idle }) => idle)) > least + 1) return [];
      const limit = monitor.limits.find(({ chart }) => chart === 'Connections')?.value ?? Infinity;
      if (used + least + MONITOR_CONNECTIONS >= limit) return [];
      return [found(this.id, facts, monitor.name, used, rows, full)];
    });
  },
};

function found(id: string, facts: MeasuredRun, database: string, used: number, rows: readonly Row[], full: readonly Row[]): Found {
  const servers = facts.plan.servers?.expected ?? facts.plan.targets.length;
  const pool: PoolSize = { each: used % servers === 0 ? used / servers : used, servers: used % servers === 0 ? servers : 1, kept: null };
  const [first, last] = [full[0]?.second ?? 0, (full.at(-1)?.second ?? 0) + 1];
  const most = Math.max(...full.map(({ inFlight }) => inFlight));
  const calmMs = middle(rows.flatMap(({ inFlight, p50 }) => (inFlight <= used && p50 !== null ? [p50] : [])));
  const fullMs = middle(full.flatMap(({ p50 }) => p50 ?? []));
  const failed = failedShare(facts.windows.filter(({ second }) => second >= first && second < last));
  const isLonger = fullMs >= MIN_SLOWDOWN_RATIO * calmMs;
  const longestMs = typeof facts.latency.service.max === 'number' ? facts.latency.service.max : 0;
  const settings = poolSettingWords(poolOf(facts.plan.servers?.pool, facts.server.software));
  return {
    id: `${id}.${database}`,
    level: isLonger || failed >= MIN_NOTICEABLE_SHARE ? 'warning' : 'info',
    sentence: `Requests waited for a pool connection: at most ${formatCount(used)} connections of ${database} were in use, with up to ${formatCount(most)} requests in flight.`,
    evidence: [
      `In ${formatCount(full.length)} seconds, exactly ${formatCount(used)} were active or in a transaction, and the program had none to spare: its pool is ${poolSizeWords(pool)}, or as many workers hold one each.`,
      'Further requests wait until a connection is returned: throughput stays the same, and latency grows with the load.',
      ...(failed >= MIN_NOTICEABLE_SHARE && isUsualWait(longestMs / 1_000)
        ? [
            `The longest response took ${formatSeconds(Math.round(longestMs / 1_000))}, about the wait that pools allow: after it, requests without a connection fail.`,
          ]
        : []),
    ],
    figures: [
      figure('Max connections in use', formatCount(used)),
      figure('Pool', poolSizeWords(pool)),
      figure('Max requests in flight then', formatCount(most)),
      figure('Median then', formatMs(fullMs)),
      ...(Number.isNaN(calmMs) ? [] : [figure('Median with no more requests than connections', formatMs(calmMs))]),
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

function middle(values: readonly number[]): number {
  return values.length === 0 ? NaN : medianOf(values.toSorted((one, other) => one - other));
}
