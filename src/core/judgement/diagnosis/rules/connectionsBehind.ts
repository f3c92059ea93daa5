import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import { keyParts } from '#core/machines/monitors/quantity.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Finding } from '#core/result/schema.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { allTargets } from '#core/plan/targets.ts';
import { formatCount, formatNumber, formatRate } from '#core/base/units.ts';
import { figure, type Rule, type MeasuredRun } from '../rule.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { portOfPlace } from '#core/base/places.ts';

/** Linux keeps a port in TIME_WAIT for so long (TCP_TIMEWAIT_LEN). */
const TIME_WAIT_SECONDS = 60;
/** Fewer answers, or connections, tell no ratio. */
const LEAST = 100;
/** From so many connections for each answer on they are opened for answers: not every answer needs one. */
const EACH = 0.5;
const NEARLY_EACH = 0.8;
/** In a whole minute of answers at least so many of them had one. */
const LEAST_EACH = 0.1;
/** From this share of the ports on they will soon be short. */
const MANY = 0.5;

/** Sockets name no program. Those of the target come with its responses: at each reading so many for each, give or take this part. */
const SAME_RATIO = 0.12;
/** One reading shows no pace. */
const MIN_READINGS = 2;
/** And there were hardly any before the load, by the most that there were. */
const MAX_BEFORE = 0.2;

/** By the port that they listen on unless somebody chose another. */
const SERVICES: Readonly<Record<string, string>> = {
  '3306': 'MySQL',
  '5432': 'PostgreSQL',
  '6379': 'Redis',
  '6432': 'PgBouncer',
  '11211': 'memcached',
};

/** Counts of new connections that databases tell themselves. */
const COUNTED = ['postgres.newConnections', 'mysql.newConnections'];

/**
 * A program behind the target opens a connection to its database, or to the next server, for each request: the database counts new connections, or as many ports towards it
 * wait in TIME_WAIT as requests were answered in the last minute. Other than `hopPorts`, which tells that they ran out.
 */
export const connectionsBehind: Rule = {
  id: 'connectionsBehind',
  find(facts) {
    const waiting = facts.monitors.flatMap((monitor) => waitingAt(facts, monitor));
    const counted = facts.monitors.flatMap((monitor) => countedBy(facts, monitor));
    const [first] = waiting;
    // What a database counts and where ports wait is the same thing, told twice.
    const told = counted.length === 0 ? waiting.map((one) => ofPorts(this.id, one)) : counted.map((one) => ofDatabase(this.id, one, first));
    return told.slice(0, 2);
  },
};

interface Waiting {
  readonly machine: string;
  readonly destination: string;
  readonly sockets: number;
  /** In the same minute. */
  readonly answers: number;
  readonly seconds: number;
  readonly ports: number | null;
}

function waitingAt(facts: MeasuredRun, { kind, name, values, second, width, limits }: MonitorResult): Waiting[] {
  if (kind !== 'machine') return [];
  const ports = limits.find(({ chart }) => chart === MACHINE_CHARTS.holders)?.value ?? null;
  return Object.entries(values).flatMap(([key, column]): Waiting[] => {
    const { id, instance } = keyParts(key);
    if (id !== 'timeWait.to' || instance === null || isTarget(facts, instance)) return [];
    const before = column[0] ?? 0;
    const readings = column.map((value, row): Waiting => {
      const at = (second[row] ?? 0) + (width[row] ?? 1);
      const seconds = Math.min(at, TIME_WAIT_SECONDS);
      const sockets = (value ?? 0) - (at < TIME_WAIT_SECONDS ? before : 0);
      return { machine: name, destination: instance, sockets, answers: answersIn(facts, at - seconds, at), seconds, ports };
    });
    // What another program did for a while, beside the load, is no connection for each request of the whole run.
    const telling = readings.filter(({ answers }) => answers >= LEAST);
    const each = telling.filter(({ sockets, answers }) => sockets >= EACH * answers);
    const isAlways = telling.every(({ sockets, answers, seconds }) => seconds < TIME_WAIT_SECONDS || sockets >= LEAST_EACH * answers);
    const most = each.toSorted((one, other) => other.sockets - one.sockets)[0];
    // Sockets are not listed in each second: what was read anew shows the pace.
    const fresh = readings.filter((one, row) => row > 0 && column[row] !== column[row - 1] && each.includes(one));
    if (!followsTheLoad(fresh, before)) return [];
    return isAlways && most !== undefined && most.sockets >= LEAST && each.length > telling.length / 2 ? [most] : [];
  });
}

/** Whether sockets come and stay with the responses of the load. On a computer with other programs, those of others do not. */
function followsTheLoad(readings: readonly Waiting[], before: number): boolean {
  const ratios = readings.map(({ sockets, answers }) => sockets / answers);
  const middle = medianOf(ratios.toSorted((one, other) => one - other));
  const most = Math.max(0, ...readings.map(({ sockets }) => sockets));
  return (
    ratios.length >= MIN_READINGS && before <= MAX_BEFORE * most && ratios.every((ratio) => Math.abs(ratio - middle) <= SAME_RATIO * middle)
  );
}

/** Connections that the load opens itself. */
function isTarget({ plan, server }: MeasuredRun, destination: string): boolean {
  const port = portOfPlace(destination);
  const own = allTargets(plan)
    .map(({ url }) => new URL(url))
    .map((url) => url.port || (url.protocol === 'https:' ? '443' : '80'));
  return [...own, String(server.port)].includes(port);
}

interface Counted {
  readonly database: string;
  readonly opened: number;
  readonly answers: number;
  readonly seconds: number;
}

function countedBy(facts: MeasuredRun, { name, values, second, width }: MonitorResult): Counted[] {
  return COUNTED.flatMap((id): Counted[] => {
    const rates = getOwn(values, id);
    if (rates === undefined) return [];
    const seconds = width.reduce((sum, one) => sum + one, 0);
    const opened = Math.round(rates.reduce<number>((sum, rate, row) => sum + (rate ?? 0) * (width[row] ?? 1), 0));
    const answers = answersIn(facts, second[0] ?? 0, (second.at(-1) ?? 0) + (width.at(-1) ?? 1));
    return opened >= LEAST && answers >= LEAST && opened >= EACH * answers ? [{ database: name, opened, answers, seconds }] : [];
  });
}

/** Good ones, and those that took some work: a proxy that refuses needs no database. */
function answersIn({ windows }: MeasuredRun, fromSecond: number, toSecond: number): number {
  return windows.filter(({ second, width }) => second + width > fromSecond && second < toSecond).reduce((sum, { ok }) => sum + ok, 0);
}

const COST =
  'Each new connection costs the database a process or thread, a login and some milliseconds. Its port stays in TIME_WAIT for 60 s, which allows at most “ports / 60 s” connections a second.';
const REMEDY =
  'Let the program keep and reuse its connections: a pool as large as its concurrent requests, Django’s CONN_MAX_AGE, “keepalive” for an nginx upstream, or PgBouncer in between. Connections beyond the pool’s size (SQLAlchemy’s max_overflow) are closed after each use.';

function ofDatabase(id: string, { database, opened, answers, seconds }: Counted, waiting: Waiting | undefined): Finding {
  return {
    id: `${id}.${database}`,
    level: isMany(waiting) ? 'warning' : 'info',
    sentence: `The server opens a connection to ${database} ${oftenWords(opened / answers)}: ${formatCount(opened)} for ${formatCount(answers)} successful responses.`,
    evidence: [`${database} counts them itself: ${formatRate(opened / seconds)} on average.`, COST],
    figures: [
      figure('New connections', formatCount(opened)),
      perAnswer(opened / answers),
      ...(waiting === undefined ? [] : [inTimeWait(waiting)]),
    ],
    remedy: REMEDY,
    confidence: 'likely',
    range: null,
  };
}

function ofPorts(id: string, waiting: Waiting): Finding {
  const { machine, destination, sockets, answers, seconds } = waiting;
  const service = getOwn(SERVICES, portOfPlace(destination));
  return {
    id: `${id}.${destination}`,
    level: isMany(waiting) ? 'warning' : 'info',
    sentence: `${atStart(machine)} opens a connection to ${destination}${service === undefined ? '' : ` (${service}, by its port)`} ${oftenWords(sockets / answers)}: ${formatCount(sockets)} are in TIME_WAIT after ${formatCount(answers)} successful responses in ${formatNumber(seconds)} s.`,
    evidence: [
      'TIME_WAIT is at the end that connected, so the cause is a program there, not the users. Which program is unknown; the sockets come at the pace of the responses.',
      COST,
    ],
    figures: [inTimeWait(waiting), perAnswer(sockets / answers)],
    remedy: REMEDY,
    confidence: 'possible',
    range: null,
  };
}

function perAnswer(connections: number): ReturnType<typeof figure> {
  return figure('For each successful response', formatNumber(connections));
}

function inTimeWait(waiting: Waiting): ReturnType<typeof figure> {
  return figure(`In TIME_WAIT towards ${waiting.destination}`, portsWords(waiting));
}

function oftenWords(each: number): string {
  return each >= NEARLY_EACH ? 'for nearly every request' : 'for more than every second request';
}

function portsWords({ sockets, ports }: Waiting): string {
  return ports === null ? formatCount(sockets) : `${formatCount(sockets)} of ${formatCount(ports)} ports`;
}

function isMany(waiting: Waiting | undefined): boolean {
  return waiting !== undefined && waiting.ports !== null && waiting.sockets > MANY * waiting.ports;
}
