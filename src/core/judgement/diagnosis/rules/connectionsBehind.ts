import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import { keyParts, type MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Finding } from '#core/result/schema.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { allTargets } from '#core/plan/targets.ts';
import { formatCount, formatNumber, formatRate } from '#core/base/units.ts';
import { figure, type Rule, type MeasuredRun } from '../rule.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { portOfPlace } from '#core/base/places.ts';

/** Linux keeps a port in TIME_WAIT for this time (TCP_TIMEWAIT_LEN). */
const TIME_WAIT_SECONDS = 60;
/** Fewest responses and connections for a ratio. */
const MIN_COUNT = 100;
/** Smallest ratio of connections to responses. Not every response needs a connection. */
const MIN_PER_RESPONSE = 0.5;
const MIN_NEARLY_EACH = 0.8;
/** Smallest ratio over a whole minute. */
const MIN_PER_RESPONSE_MINUTE = 0.1;
/** Share of the ports from which a shortage is near. */
const MIN_MANY_PORTS_SHARE = 0.5;

/** Tolerance of the ratio of sockets to responses. Sockets name no program, but those of the target follow its responses. */
const RATIO_TOLERANCE = 0.12;
/** A single reading shows no rate. */
const MIN_READINGS = 2;
/** Largest share of the maximum before the load. */
const MAX_BEFORE_SHARE = 0.2;

/** Services by default port. */
const SERVICES: Readonly<Record<string, string>> = {
  '3306': 'MySQL',
  '5432': 'PostgreSQL',
  '6379': 'Redis',
  '6432': 'PgBouncer',
  '11211': 'memcached',
};

/** Counters of new connections in databases. */
const COUNTED = ['postgres.newConnections', 'mysql.newConnections'];

/**
 * Finds a program behind the target that opens a database connection for each request. Evidence: the database counts new connections, or the number of ports
 * towards it in TIME_WAIT matches the responses of the last minute. Unlike `hopPorts`, ports did not run out.
 */
export const connectionsBehind: Rule = {
  id: 'connectionsBehind',
  find(facts) {
    const waiting = facts.monitors.flatMap((monitor) => waitingAt(facts, monitor));
    const counted = facts.monitors.flatMap((monitor) => countedBy(facts, monitor));
    const [first] = waiting;
    // The database's counter and the waiting ports show the same fact.
    const told =
      counted.length === 0
        ? waiting.map((one) => findingOfPorts(this.id, one))
        : counted.map((one) => findingOfDatabase(this.id, one, first));
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
    // Connections of another program for a part of the run do not count.
    const telling = readings.filter(({ answers }) => answers >= MIN_COUNT);
    const each = telling.filter(({ sockets, answers }) => sockets >= MIN_PER_RESPONSE * answers);
    const isAlways = telling.every(
      ({ sockets, answers, seconds }) => seconds < TIME_WAIT_SECONDS || sockets >= MIN_PER_RESPONSE_MINUTE * answers,
    );
    const most = each.toSorted((one, other) => other.sockets - one.sockets)[0];
    // Sockets are not listed every second; a changed value shows the rate.
    const fresh = readings.filter((one, row) => row > 0 && column[row] !== column[row - 1] && each.includes(one));
    if (!followsTheLoad(fresh, before)) return [];
    return isAlways && most !== undefined && most.sockets >= MIN_COUNT && each.length > telling.length / 2 ? [most] : [];
  });
}

/** Returns whether the sockets follow the responses of the load. Those of other programs do not. */
function followsTheLoad(readings: readonly Waiting[], before: number): boolean {
  const ratios = readings.map(({ sockets, answers }) => sockets / answers);
  const middle = medianOf(ratios.toSorted((one, other) => one - other));
  const most = Math.max(0, ...readings.map(({ sockets }) => sockets));
  return (
    ratios.length >= MIN_READINGS &&
    before <= MAX_BEFORE_SHARE * most &&
    ratios.every((ratio) => Math.abs(ratio - middle) <= RATIO_TOLERANCE * middle)
  );
}

/** Returns whether the load itself opens these connections. */
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
    return opened >= MIN_COUNT && answers >= MIN_COUNT && opened >= MIN_PER_RESPONSE * answers
      ? [{ database: name, opened, answers, seconds }]
      : [];
  });
}

/** Only successful responses count. A proxy that refuses needs no database. */
function answersIn({ windows }: MeasuredRun, fromSecond: number, toSecond: number): number {
  return windows.filter(({ second, width }) => second + width > fromSecond && second < toSecond).reduce((sum, { ok }) => sum + ok, 0);
}

const COST =
  'Each new connection costs the database a process or thread, a login and some milliseconds. Its port stays in TIME_WAIT for 60 s, which allows at most “ports / 60 s” connections a second.';
const REMEDY =
  'Let the program keep and reuse its connections: a pool as large as its concurrent requests, Django’s CONN_MAX_AGE, “keepalive” for an nginx upstream, or PgBouncer in between. Connections beyond the pool’s size (SQLAlchemy’s max_overflow) are closed after each use.';

function findingOfDatabase(id: string, { database, opened, answers, seconds }: Counted, waiting: Waiting | undefined): Finding {
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

function findingOfPorts(id: string, waiting: Waiting): Finding {
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
  return each >= MIN_NEARLY_EACH ? 'for nearly every request' : 'for more than every second request';
}

function portsWords({ sockets, ports }: Waiting): string {
  return ports === null ? formatCount(sockets) : `${formatCount(sockets)} of ${formatCount(ports)} ports`;
}

function isMany(waiting: Waiting | undefined): boolean {
  return waiting !== undefined && waiting.ports !== null && waiting.sockets > MIN_MANY_PORTS_SHARE * waiting.ports;
}
