import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { errorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount, formatNumber, formatPart, formatRate, formatShare, countOf } from '#core/base/units.ts';
import { SAFE_METHODS } from '#core/plan/requests.ts';
import {
  type Draft,
  failedShare,
  failedSinceFigure,
  figure,
  type Figure,
  formatFirst,
  MAX_NEGLIGIBLE_SHARE,
  type MeasuredRun,
  MIN_NOTICEABLE_SHARE,
  rangeOf,
  rule,
} from '../rule.ts';
import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import { type MonitorResult, keyParts } from '#core/machines/monitors/result.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { listTargets } from '#core/plan/url.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { portOfAddress } from '#core/base/hostAndPort.ts';
import { sumOf } from '#core/base/lists.ts';

const LOST_CONNECTION_ERRORS = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EOF'].map((code) => errorName(code, 'firstByte'));
/** Maximum share of lost requests that is usual when a server closes idle connections. */
const MAX_USUAL_SHARE = 0.05;

/** Finds connections that the server closed without notice while the next request was sent. */
export const closedWhileIdle = rule(
  'closedWhileIdle',
  ({ plan, steps, outcomes, connectionsOpened, requestsOnReusedConnection, requestsResent }) => {
    const { sent, ok } = outcomes.requests;
    // An HTTP/2 server may refuse a request, which is then sent again, and still keep the connection.
    const resent = plan.connections.protocol === 'h2' ? 0 : requestsResent;
    const failed = countUnsafeLosses(plan, steps);
    const lost = failed + resent;
    // A server that drops requests after it has read them also closes new connections.
    const mostReused = sent + resent - connectionsOpened;
    if (lost === 0 || ok === 0 || failed > mostReused || (failed === 0 && resent < MAX_NEGLIGIBLE_SHARE * sent)) return [];
    const share = `${formatCount(lost)} of ${formatCount(sent)} requests (${formatShare(lost / sent)})`;
    const liesIdle = plan.load.model !== 'connections' || plan.journey.some(({ thinkTime }) => thinkTime !== undefined);
    // A server that fails while it reads a form looks the same.
    const isLikely = resent > 0 || (liesIdle && lost <= MAX_USUAL_SHARE * sent && ok >= 10 * lost);
    return {
      level: failed > 0 || lost > MIN_NOTICEABLE_SHARE * sent ? 'warning' : 'info',
      sentence:
        failed > 0
          ? `${countOf(failed, 'request')} failed because the server had ${isLikely ? '' : 'probably '}closed the connection without saying so.`
          : `The server closed connections without saying so: ${countOf(resent, 'request')} had to be sent again.`,
      evidence: [
        `${share} met a connection that ended before the first byte of a response.`,
        resent !== 0 && `${formatCount(resent)} were sent again over a new connection, as browsers do: GET, HEAD and OPTIONS.`,
        `${formatCount(requestsOnReusedConnection)} requests got their response on a connection used before.`,
      ],
      remedy:
        'Let the server keep idle connections longer than users pause: Node closes them after 5 s (server.keepAliveTimeout), nginx after 65 or 75 s (keepalive_timeout). Where it ends a connection on purpose, its response should say “Connection: close”. A form that meets a closed connection is lost: it is never sent again.',
      confidence: isLikely ? 'likely' : 'possible',
    };
  },
);

/** Returns the number of requests that failed because of a lost connection and could not safely be sent again. */
function countUnsafeLosses({ journey }: MeasuredRun['plan'], steps: MeasuredRun['steps']): number {
  const unsafe = new Set(journey.filter(({ method }) => !SAFE_METHODS.has(method)).map(({ name }) => name));
  const counts = steps
    .filter(({ name }) => unsafe.has(name))
    .flatMap(({ errors }) => LOST_CONNECTION_ERRORS.map((code) => getOwn(errors, code) ?? 0));
  return sumOf(counts, (count) => count);
}

/** Minimum number of responses per connection that shows keep-alive. */
const MIN_RESPONSES_PER_CONNECTION = 2;
/** Maximum share of responses on reused connections at which every response counts as ending its connection. */
const MAX_REUSED_SHARE = 0.01;

/** Finds a server that closes the connection after (almost) every response, which makes each request open a new connection. */
export const connectionPerRequest = rule(
  'connectionPerRequest',
  ({ plan, outcomes, stages, connectionsOpened, requestsOnReusedConnection, phases }) => {
    // In the other modes the plan itself opens new connections.
    if (plan.connections.reuse !== 'always') return [];
    const complete = countResponses(outcomes.requests);
    if (complete < 100 || complete / Math.max(1, connectionsOpened) >= MIN_RESPONSES_PER_CONNECTION) return [];
    // Fixed connections and virtual users open at least one connection each.
    const own = plan.load.model === 'arrivals' ? 0 : sumOf(stages, ({ level }) => level.highest);
    if (connectionsOpened <= own) return [];
    const connect = phases.connect?.p50;
    const evidence = [`${formatCount(connectionsOpened)} connections for ${formatCount(complete)} responses`];
    if (typeof connect === 'number') evidence.push(`opening one took ${connect} ms at the median`);
    const isEach = requestsOnReusedConnection <= MAX_REUSED_SHARE * complete;
    return {
      level: 'info',
      sentence: isEach
        ? 'The server closes the connection after each response, so every request opens a new one.'
        : `The server closes most connections after one or two responses: ${formatShare(1 - requestsOnReusedConnection / complete)} of responses came over a new one.`,
      evidence,
      remedy:
        'Behind a proxy that keeps connections this may not matter. Otherwise turn on keep-alive in the server: each new connection costs time and, at high rates, ports.',
      confidence: isEach && plan.load.model !== 'arrivals' ? 'certain' : 'likely',
    };
  },
);

const REFUSED_ERROR = errorName('ECONNREFUSED', 'connect');

/** Finds refused connections beside responses: for a while, the server was away or accepted no more connections. */
export const refused = rule('refused', ({ outcomes, windows, servers }) => {
  const { requests } = outcomes;
  const share = requests.refused / Math.max(1, requests.sent);
  if (countResponses(requests) === 0 || share < MAX_NEGLIGIBLE_SHARE) return [];
  // If one of several servers did not respond, another rule names it.
  if (servers.some(({ silent }) => silent.length > 0)) return [];
  const hit = windows.filter(({ errors }) => (getOwn(errors, REFUSED_ERROR) ?? 0) > 0);
  const emptyPoints = hit.filter(({ completed }) => completed === 0);
  const wasAway = hit.length > 0 && emptyPoints.length >= 0.5 * hit.length;
  const [first] = hit;
  return {
    level: 'problem',
    sentence: `${formatCount(requests.refused)} connections were refused (${formatShare(share)} of requests)${formatFirst(first)}: ${
      wasAway ? 'nothing listened there at that time.' : 'the listener took no more connections while others were served.'
    }`,
    evidence: [
      wasAway
        ? 'In most of these seconds there was no response at all.'
        : 'In the same seconds other requests got responses, so the server was running.',
    ],
    figures: [
      figure('Refused', `${formatCount(requests.refused)} of ${formatCount(requests.sent)} requests`),
      figure('Seconds with refusals', formatCount(hit.length)),
      figure('Of them without any response', formatCount(emptyPoints.length)),
    ],
    remedy: wasAway
      ? 'Check whether the server restarted or crashed then: see its log, and that of whatever starts it.'
      : 'Check its connection limit and its listen queue (listen backlog, net.core.somaxconn), and whether one of several processes had ended.',
    confidence: 'likely',
    range: rangeOf(hit),
  };
});

/** Time in seconds for which Linux keeps a port in TIME_WAIT (TCP_TIMEWAIT_LEN). */
const TIME_WAIT_SECONDS = 60;
const MIN_COUNT = 100;
/** Minimum ratio of connections to responses. It is below 1, because not every response needs a connection. */
const MIN_PER_RESPONSE = 0.5;
const MIN_NEARLY_EACH = 0.8;
/** Minimum ratio of connections to responses over a whole minute. */
const MIN_PER_RESPONSE_MINUTE = 0.1;
/** Share of the ports in use from which a shortage is near. */
const MIN_MANY_PORTS_SHARE = 0.5;

/**
 * Tolerance of the ratio of sockets to responses. Sockets do not show which program they belong to, but the number of the target's sockets
 * follows its responses.
 */
const RATIO_TOLERANCE = 0.12;
/** Minimum number of readings, because a single reading shows no rate. */
const MIN_READINGS = 2;
const MAX_BEFORE_SHARE = 0.2;

/** Services by their default port. */
const SERVICE_BY_PORT: Readonly<Record<string, string>> = {
  '3306': 'MySQL',
  '5432': 'PostgreSQL',
  '6379': 'Redis',
  '6432': 'PgBouncer',
  '11211': 'memcached',
};

const CONNECTION_COUNTERS = ['postgres.newConnections', 'mysql.newConnections'];

/**
 * Finds a program behind the target that opens a database connection for each request. Evidence: the database counts new connections, or
 * the number of ports towards it in TIME_WAIT matches the responses of the last minute. Unlike in `hopPorts`, the ports did not run out.
 */
export const connectionsBehind = rule('connectionsBehind', (facts) => {
  const waiting = facts.monitors.flatMap((monitor) => findWaiting(facts, monitor));
  const counted = facts.monitors.flatMap((monitor) => countNewConnections(facts, monitor));
  const [first] = waiting;
  // The database's counter and the waiting ports show the same fact.
  const reported = counted.length === 0 ? waiting.map(findingOfPorts) : counted.map((one) => findingOfDatabase(one, first));
  return reported.slice(0, 2);
});

interface WaitingPorts {
  readonly machine: string;
  readonly destination: string;
  readonly sockets: number;
  /** Number of responses within the same minute. */
  readonly responses: number;
  readonly seconds: number;
  readonly ports: number | null;
}

function findWaiting(facts: MeasuredRun, { kind, name, values, second, width, limits }: MonitorResult): WaitingPorts[] {
  if (kind !== 'machine') return [];
  const ports = limits.find(({ chart }) => chart === MACHINE_CHARTS.holders)?.value ?? null;
  return Object.entries(values).flatMap(([key, column]): WaitingPorts[] => {
    const { id, instance } = keyParts(key);
    if (id !== 'timeWait.to' || instance === null || isTarget(facts, instance)) return [];
    const before = column[0] ?? 0;
    const readings = column.map((value, row): WaitingPorts => {
      const at = (second[row] ?? 0) + (width[row] ?? 1);
      const seconds = Math.min(at, TIME_WAIT_SECONDS);
      const sockets = (value ?? 0) - (at < TIME_WAIT_SECONDS ? before : 0);
      return { machine: name, destination: instance, sockets, responses: countResponsesBetween(facts, at - seconds, at), seconds, ports };
    });
    // Connections that another program had for a part of the run do not count.
    const telling = readings.filter(({ responses }) => responses >= MIN_COUNT);
    const each = telling.filter(({ sockets, responses }) => sockets >= MIN_PER_RESPONSE * responses);
    const isAlways = telling.every(
      ({ sockets, responses, seconds }) => seconds < TIME_WAIT_SECONDS || sockets >= MIN_PER_RESPONSE_MINUTE * responses,
    );
    const busiest = each.toSorted((one, other) => other.sockets - one.sockets)[0];
    // Sockets are not listed every second, so only a changed value shows the rate.
    const fresh = readings.filter((one, row) => row > 0 && column[row] !== column[row - 1] && each.includes(one));
    if (!followsTheLoad(fresh, before)) return [];
    return isAlways && busiest !== undefined && busiest.sockets >= MIN_COUNT && each.length > telling.length / 2 ? [busiest] : [];
  });
}

/** Returns whether the number of sockets follows the responses of the load. The number of other programs' sockets does not. */
function followsTheLoad(readings: readonly WaitingPorts[], before: number): boolean {
  const ratios = readings.map(({ sockets, responses }) => sockets / responses);
  const middle = medianOf(ratios.toSorted((one, other) => one - other));
  const maxSockets = Math.max(0, ...readings.map(({ sockets }) => sockets));
  return (
    ratios.length >= MIN_READINGS &&
    before <= MAX_BEFORE_SHARE * maxSockets &&
    ratios.every((ratio) => Math.abs(ratio - middle) <= RATIO_TOLERANCE * middle)
  );
}

/** Returns whether the load itself opens these connections. */
function isTarget({ plan, server }: MeasuredRun, destination: string): boolean {
  const port = portOfAddress(destination);
  const own = listTargets(plan)
    .map(({ url }) => new URL(url))
    .map((url) => url.port || (url.protocol === 'https:' ? '443' : '80'));
  return [...own, String(server.port)].includes(port);
}

interface DatabaseConnectionCount {
  readonly database: string;
  readonly opened: number;
  readonly responses: number;
  readonly seconds: number;
}

function countNewConnections(facts: MeasuredRun, { name, values, second, width }: MonitorResult): DatabaseConnectionCount[] {
  return CONNECTION_COUNTERS.flatMap((id): DatabaseConnectionCount[] => {
    const rates = getOwn(values, id);
    if (rates === undefined) return [];
    const seconds = sumOf(width, (one) => one);
    const opened = Math.round(rates.reduce<number>((sum, rate, row) => sum + (rate ?? 0) * (width[row] ?? 1), 0));
    const responses = countResponsesBetween(facts, second[0] ?? 0, (second.at(-1) ?? 0) + (width.at(-1) ?? 1));
    return opened >= MIN_COUNT && responses >= MIN_COUNT && opened >= MIN_PER_RESPONSE * responses
      ? [{ database: name, opened, responses, seconds }]
      : [];
  });
}

/** Returns the number of successful responses between two seconds. Others do not count, because a proxy that refuses needs no database. */
function countResponsesBetween({ windows }: MeasuredRun, fromSecond: number, toSecond: number): number {
  return windows.filter(({ second, width }) => second + width > fromSecond && second < toSecond).reduce((sum, { ok }) => sum + ok, 0);
}

const CONNECTION_COST =
  'Each new connection costs the database a process or thread, a login and some milliseconds. Its port stays in TIME_WAIT for 60 s, which allows at most “ports / 60 s” connections a second.';
const CONNECTION_REMEDY =
  'Let the program keep and reuse its connections: a pool as large as its concurrent requests, Django’s CONN_MAX_AGE, “keepalive” for an nginx upstream, or PgBouncer in between. Connections beyond the pool’s size (SQLAlchemy’s max_overflow) are closed after each use.';

function findingOfDatabase({ database, opened, responses, seconds }: DatabaseConnectionCount, waiting: WaitingPorts | undefined): Draft {
  return {
    of: database,
    level: isMany(waiting) ? 'warning' : 'info',
    sentence: `The server opens a connection to ${database} ${formatFrequency(opened / responses)}: ${formatCount(opened)} for ${formatCount(responses)} successful responses.`,
    evidence: [`${database} counts them itself: ${formatRate(opened / seconds)} on average.`, CONNECTION_COST],
    figures: [
      figure('New connections', formatCount(opened)),
      perResponse(opened / responses),
      waiting !== undefined && timeWaitFigure(waiting),
    ],
    remedy: CONNECTION_REMEDY,
    confidence: 'likely',
  };
}

function findingOfPorts(waiting: WaitingPorts): Draft {
  const { machine, destination, sockets, responses, seconds } = waiting;
  const service = getOwn(SERVICE_BY_PORT, portOfAddress(destination));
  return {
    of: destination,
    level: isMany(waiting) ? 'warning' : 'info',
    sentence: `${capitalizeStart(machine)} opens a connection to ${destination}${service === undefined ? '' : ` (${service}, by its port)`} ${formatFrequency(sockets / responses)}: ${formatCount(sockets)} are in TIME_WAIT after ${formatCount(responses)} successful responses in ${formatNumber(seconds)} s.`,
    evidence: [
      'TIME_WAIT is at the end that connected, so the cause is a program there, not the users. Which program is unknown; the sockets come at the pace of the responses.',
      CONNECTION_COST,
    ],
    figures: [timeWaitFigure(waiting), perResponse(sockets / responses)],
    remedy: CONNECTION_REMEDY,
    confidence: 'possible',
  };
}

function perResponse(connections: number): Figure {
  return figure('For each successful response', formatNumber(connections));
}

function timeWaitFigure(waiting: WaitingPorts): Figure {
  return figure(`In TIME_WAIT towards ${waiting.destination}`, formatPorts(waiting));
}

function formatFrequency(each: number): string {
  return each >= MIN_NEARLY_EACH ? 'for nearly every request' : 'for more than every second request';
}

function formatPorts({ sockets, ports }: WaitingPorts): string {
  return ports === null ? formatCount(sockets) : `${formatCount(sockets)} of ${formatCount(ports)} ports`;
}

function isMany(waiting: WaitingPorts | undefined): boolean {
  return waiting !== undefined && waiting.ports !== null && waiting.sockets > MIN_MANY_PORTS_SHARE * waiting.ports;
}

/**
 * Share of its ports in TIME_WAIT from which a machine may run out of ports. It is below 1, because ports of open connections are not
 * counted.
 */
const MIN_USED_SHARE = 0.8;
/**
 * Minimum share of the maximum at which the number of waiting ports counts as no longer growing. Growth stops because no connection can be
 * opened.
 */
const MIN_PEAK_SHARE = 0.9;
const MIN_FAILED_SHARE = 0.1;
/** Maximum delay of a reading in seconds. */
const TOLERANCE_SECONDS = 3;

/** Ports in TIME_WAIT on a machine, by second. */
interface PortHolder {
  readonly where: string;
  /** Address and port to which the connections lead; null if not listed. */
  readonly destination: string | null;
  /** Number of ports that the machine has for connections to one address and port. */
  readonly ports: number;
  readonly readings: readonly { readonly second: number; readonly value: number }[];
}

/**
 * Finds a hop that opens a connection for each request and runs out of ports because all of them wait in TIME_WAIT. Requests fail from the
 * second in which the number of waiting ports stops growing. Monitors show the machine that opens the connections.
 */
export const hopPorts = rule('hopPorts', (facts) => {
  const failing = facts.windows.filter(
    ({ failed, completed, started }) => failed > MIN_FAILED_SHARE * Math.max(completed, failed, started, 1),
  );
  const [first] = failing;
  if (first === undefined || facts.outcomes.requests.ok === 0 || facts.outcomes.requests.noPort > 0) return [];
  const found = listHolders(facts).find((holder) => isFullFrom(holder, first.second));
  if (found === undefined) return [];
  const maxValue = Math.max(...found.readings.map(({ value }) => value));
  const ports = formatCount(found.ports);
  const { requests } = facts.outcomes;
  const to = found.destination === null ? '' : ` to ${found.destination}`;
  return {
    of: found.where,
    level: 'problem',
    sentence: `${found.where} ran out of ports for connections${to}: ${formatPart(maxValue, found.ports)} were in TIME_WAIT when requests began to fail in second ${formatNumber(first.second)}.`,
    evidence: [
      'The side that closes a connection keeps its port for 60 s. A program that opens a connection for each request can do so at most “ports / 60 s” times a second.',
      found.destination === null
        ? 'The destination of these connections is unknown: watch the machine as a monitor to see it.'
        : `TIME_WAIT is at the end that connected to ${found.destination}, so the cause is the program there, not the users.`,
    ],
    figures: [
      figure('Max ports in TIME_WAIT', formatCount(maxValue)),
      figure('Ports available for one destination', ports),
      figure('Connections opened by the load itself', formatCount(facts.connectionsOpened)),
      figure('Failed', `${formatCount(requests.sent - requests.ok)} of ${formatCount(requests.sent)}`),
      failedSinceFigure(failedShare(facts.windows.filter(({ second }) => second >= first.second))),
    ],
    remedy:
      'Let that program keep and reuse its connections (a pool; in nginx “keepalive” for the upstream). tcp_tw_reuse = 1 on its machine frees ports after 1 s; tcp_tw_recycle no longer exists.',
    confidence: found.destination === null ? 'possible' : 'likely',
    range: rangeOf(failing),
    insteadOf: ['unexpectedStatus.500', 'unexpectedStatus.502'],
  };
});

/**
 * Lists ports by destination from machine monitors. Without these, uses the generator's own count if a target shares its machine and the
 * load opened few connections.
 */
function listHolders({ monitors, generators, connectionsOpened }: MeasuredRun): PortHolder[] {
  const listed = monitors.flatMap(({ kind, name, values, second, limits }) => {
    const ports = limits.find(({ chart }) => chart === MACHINE_CHARTS.holders)?.value;
    if (kind !== 'machine' || ports === undefined) return [];
    return Object.entries(values).flatMap(([key, column]): PortHolder[] => {
      const { id, instance } = keyParts(key);
      if (id !== 'timeWait.to' || instance === null) return [];
      const readings = column.flatMap((value, row) => (value === null ? [] : [{ second: second[row] ?? 0, value }]));
      return [{ where: name, destination: instance, ports, readings }];
    });
  });
  const counted = generators.flatMap(({ name, sharesMachineWithTarget, outgoingPorts, readings }): PortHolder[] => {
    if (outgoingPorts === null) return [];
    const portReadings = readings.flatMap(({ second, timeWaitSockets }) =>
      timeWaitSockets === null ? [] : [{ second, value: timeWaitSockets }],
    );
    const grown = Math.max(0, ...portReadings.map(({ value }) => value)) - (portReadings[0]?.value ?? 0);
    // Connections of the load itself may be in TIME_WAIT, too.
    return sharesMachineWithTarget && grown > 2 * connectionsOpened
      ? [{ where: `A program on ${name}`, destination: null, ports: outgoingPorts, readings: portReadings }]
      : [];
  });
  return [...listed, ...counted];
}

/** Returns whether the number of waiting ports grew until the failures began and then stopped near its limit. */
function isFullFrom({ readings, ports }: PortHolder, second: number): boolean {
  const maxValue = Math.max(0, ...readings.map(({ value }) => value));
  const before = readings.filter((reading) => reading.second < second - TOLERANCE_SECONDS);
  const after = readings.filter((reading) => reading.second >= second - 1 && reading.second <= second + TOLERANCE_SECONDS);
  // If failures begin with the run, the first reading serves as the comparison.
  const earlier = before.length > 0 ? before : readings.slice(0, 1);
  return (
    maxValue >= MIN_USED_SHARE * ports &&
    earlier.every(({ value }) => value < MIN_PEAK_SHARE * maxValue) &&
    after.some(({ value }) => value >= MIN_PEAK_SHARE * maxValue)
  );
}
