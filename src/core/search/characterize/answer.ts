import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import {
  fullLevels,
  isSameRate,
  LEAST_SERVICE_MS,
  queueInterval,
  rateRatio,
  serviceInterval,
  timeoutOf,
  workersInterval,
} from './estimate.ts';
import { aloneOf, isTurningAway, middleOf, WAITING, type Alone } from './levels.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import type { CharacterAnswer, Interval, ServerKind } from './schema.ts';

/** With so many at a time or more, times as alone are a kind of server and no luck. */
const MANY_USERS = 32;
/** Times of that many may be longer by this share: a processor has to turn to each of them. */
const AS_ALONE = 1.2;

type Reason = CharacterAnswer['reasoning'][number];

/** What a server is, from what its times and rates give away. Says nothing where they do not. */
export function characterOf(readings: readonly UsersReading[], idle: IdleReading | null): CharacterAnswer {
  const alone = aloneOf(readings);
  const nothing: CharacterAnswer = {
    kind: 'characterize',
    server: 'unknown',
    sentence: 'Nothing has been measured.',
    serviceMs: null,
    workers: null,
    atOnce: null,
    fullPerSecond: null,
    queueLength: null,
    queueAtLeast: null,
    timeoutMs: null,
    longestMs: null,
    keepAlive: keepAliveOf(readings, idle),
    reasoning: [],
    trap: null,
  };
  if (alone === null) return readings.length === 0 ? nothing : { ...nothing, sentence: 'Unknown: there was no successful response.' };
  const { full, free } = fullLevels(readings, alone);
  const workers = workersInterval(full, alone);
  const { server, why } = kindOf(readings, alone, full, workers);
  const isCounted = server === 'synchronous' && workers !== null;
  const queueLength = isCounted ? queueInterval(readings, alone, workers) : null;
  const most = Math.max(0, ...readings.filter((one) => !isTurningAway(one)).map(({ users }) => users));
  const service = serviceInterval(alone);
  const found = {
    ...nothing,
    server,
    serviceMs: service,
    workers: isCounted ? { value: workers.value, low: workers.low, high: workers.high } : null,
    atOnce: server === 'asynchronous' ? most : (free?.users ?? null),
    fullPerSecond: isCounted ? workers.perSecond : null,
    queueLength,
    queueAtLeast: isCounted && queueLength === null && most > workers.value ? most - workers.value : null,
    timeoutMs: timeoutOf(readings, alone),
    longestMs: Math.max(0, ...readings.flatMap(({ longestMs }) => longestMs ?? [])),
  };
  return {
    ...found,
    sentence: sentenceOf(found, why),
    reasoning: [
      aloneReason(alone, service),
      ...kindReasons(found, alone, full, free, why),
      ...edgeReasons(found, readings),
      keepAliveReason(found, idle),
    ],
    trap: found.workers === null || found.fullPerSecond === null ? null : trapOf(found.fullPerSecond, alone),
  };
}

interface Kind {
  readonly server: ServerKind;
  /** Why it is not known; empty where it is. */
  readonly why: string;
}

function kindOf(readings: readonly UsersReading[], alone: Alone, full: readonly UsersReading[], workers: Interval | null): Kind {
  if (alone.meanMs < LEAST_SERVICE_MS)
    return {
      server: 'unknown',
      why: `A response takes ${formatMs(alone.meanMs)}, so this measures the processor and the network. Choose a page that takes longer.`,
    };
  const ratio = rateRatio(full);
  if (full.length > 0 && workers !== null) {
    if (ratio !== null && !isSameRate(ratio))
      return {
        server: 'unknown',
        why: `From ${formatCount(full[0]?.users ?? null)} users on they wait, but the rate does not stay the same (it differs by ${formatPercent(ratio - 1)}): the cause is not a fixed number of workers.`,
      };
    return { server: 'synchronous', why: '' };
  }
  const top = readings.at(-1);
  if (top === undefined || top.users < MANY_USERS)
    return { server: 'unknown', why: `Only up to ${formatCount(top?.users ?? 0)} users at a time were tested.` };
  if ((top.meanMs ?? Number.POSITIVE_INFINITY) > AS_ALONE * alone.meanMs)
    return {
      server: 'unknown',
      why: `${formatCount(top.users)} users begin to wait (${formatMs(top.meanMs)} instead of ${formatMs(alone.meanMs)}); test more of them.`,
    };
  return { server: 'asynchronous', why: '' };
}

function sentenceOf({ server, workers, serviceMs, atOnce }: CharacterAnswer, why: string): string {
  const time = formatMs(serviceMs?.value ?? null);
  switch (server) {
    case 'synchronous':
      return workers?.value === 1
        ? `Synchronous: one request at a time, ${time} each.`
        : `Synchronous: ${formatCount(workers?.value ?? null)} workers, ${time} each.`;
    case 'asynchronous':
      return `Asynchronous: ${time} each at any load (tested up to ${formatCount(atOnce)} users at a time).`;
    case 'unknown':
      return `Unknown. ${why}`;
    default:
      return server satisfies never;
  }
}

function aloneReason({ answers, standardDeviationMs, sickSeconds }: Alone, { value, low, high }: Interval): Reason {
  const late =
    sickSeconds === 0 ? '' : ` This computer was overloaded for ${formatSeconds(sickSeconds)}, so the time may be slightly lower.`;
  return {
    about: 'time of a response',
    text: `${formatCount(answers)} responses at minimal load took ${formatMs(value)} on average (${formatMs(low)} to ${formatMs(high)}; standard deviation ${formatMs(standardDeviationMs)}). Nothing waits then, so this is the processing time and the network.${late}`,
  };
}

function kindReasons(
  { server, workers, fullPerSecond, atOnce }: CharacterAnswer,
  alone: Alone,
  full: readonly UsersReading[],
  free: UsersReading | null,
  why: string,
): Reason[] {
  if (server === 'unknown') return [{ about: 'kind', text: why }];
  if (server === 'asynchronous')
    return [
      {
        about: 'kind',
        text: `Times stay flat while the number of users keeps doubling: ${formatCount(atOnce)} at a time wait no longer than one. With fewer workers, others would wait. With more workers it looks the same, so there is no limit up to ${formatCount(atOnce)}.`,
      },
    ];
  const first = full[0];
  const before =
    free === null ? '' : `${formatCount(free.users)} at a time get a response in ${formatMs(free.meanMs)}, like a single one. `;
  const rates = full.flatMap(({ okPerSecond }) => okPerSecond ?? []);
  return [
    {
      about: 'kind',
      text: `${before}With ${formatCount(first?.users ?? null)} users ${isTurnedAwayAtOnce(first, alone) ? 'some are rejected' : `a response takes ${formatMs(first?.meanMs ?? null)}`}, and the rate no longer grows with their number${rates.length > 1 ? ` (${rates.map((rate) => formatRate(rate)).join(', ')})` : ''}: a fixed number of requests is processed at a time, and the others wait.`,
    },
    {
      about: 'workers',
      text: `Little's law: requests in progress = responses a second × time of each = ${formatRate(fullPerSecond)} × ${formatMs(alone.meanMs)} = ${formatNumber(((fullPerSecond ?? 0) * alone.meanMs) / 1_000)}, so ${formatCount(workers?.value ?? null)}${between(workers)}.${workers?.value === 1 ? ' A single computing thread looks the same as a single blocking worker.' : ''}${crossCheck(full, alone)}`,
    },
  ];
}

function isTurnedAwayAtOnce(reading: UsersReading | undefined, alone: Alone): boolean {
  return reading !== undefined && isTurningAway(reading) && (reading.meanMs ?? 0) < WAITING * alone.meanMs;
}

/** The same from the times alone: N users who wait R and pause Z are served by W = N · S / (R + Z). */
function crossCheck(full: readonly UsersReading[], { meanMs: serviceMs }: Alone): string {
  const byTimes = middleOf(
    full.flatMap((one) => (isTurningAway(one) || one.meanMs === null ? [] : [(one.users * serviceMs) / (one.meanMs + one.pauseMs)])),
  );
  return byTimes === null ? '' : ` The times confirm it: users × time alone / time under load = ${formatNumber(byTimes)}.`;
}

function between(interval: Interval | null): string {
  return interval === null || interval.low === interval.high
    ? ''
    : ` (between ${formatCount(interval.low)} and ${formatCount(interval.high)})`;
}

function edgeReasons({ queueLength, queueAtLeast, timeoutMs, longestMs }: CharacterAnswer, readings: readonly UsersReading[]): Reason[] {
  const reasons: Reason[] = [];
  if (queueLength !== null)
    reasons.push({
      about: 'queue',
      text: `Requests inside = successful responses a second × time of each; minus those in progress, ${formatCount(queueLength.value)} wait${between(queueLength)}. Further requests are rejected at once.`,
    });
  else if (queueAtLeast !== null)
    reasons.push({
      about: 'queue',
      text: `${formatCount(queueAtLeast)} waited and none was rejected: the queue is at least that long.`,
    });
  reasons.push({
    about: 'time-out',
    text:
      timeoutMs === null
        ? `${givenUpWords(readings)} The longest successful response took ${formatMs(longestMs)}, so a time-out, if any, is longer.`
        : `All failures take the same time: the time-out is ${formatMs(timeoutMs)}.`,
  });
  return reasons;
}

/** What failed after a wait, where no limit follows from it. */
function givenUpWords(readings: readonly UsersReading[]): string {
  const sum = (count: (one: UsersReading) => number): number => readings.reduce((total, one) => total + count(one), 0);
  const gatewayTimeouts = sum((one) => one.gatewayTimeouts);
  const failures = [
    { count: gatewayTimeouts, words: 'were timed out by a proxy (504)' },
    { count: sum((one) => one.errorAnswers) - gatewayTimeouts, words: 'got another server error' },
    { count: sum((one) => one.timeouts), words: 'timed out by the plan' },
  ].filter(({ count }) => count > 0);
  if (failures.length === 0) return 'No request timed out.';
  const all = formatCount(sum((one) => one.sent));
  return `Of ${all} requests ${failures.map(({ count, words }) => `${formatCount(count)} ${words}`).join(', ')}; their times differ, so they show no time-out.`;
}

function keepAliveOf(readings: readonly UsersReading[], idle: IdleReading | null): CharacterAnswer['keepAlive'] {
  const several = readings.filter(({ ok }) => ok > 1);
  const reuses = several.length === 0 ? null : several.some(({ reusedConnections }) => reusedConnections > 0);
  const isClosed = idle !== null && idle.closedAfterSeconds !== null;
  return {
    reuses,
    closedAfterSeconds: reuses === true && isClosed ? idle.closedAfterSeconds : null,
    openForSeconds: reuses === true && idle !== null && !isClosed && idle.problem === null ? idle.watchedSeconds : null,
    statedSeconds: idle?.statedSeconds ?? null,
  };
}

function keepAliveReason({ keepAlive }: CharacterAnswer, idle: IdleReading | null): Reason {
  const { reuses, closedAfterSeconds, openForSeconds, statedSeconds } = keepAlive;
  const stated = statedSeconds === null ? '' : ` The server states ${formatSeconds(statedSeconds)}.`;
  const text =
    reuses === null
      ? 'Too few responses to see whether connections are reused.'
      : !reuses
        ? 'Every request had its own connection: the server closes it after each response.'
        : closedAfterSeconds !== null
          ? `Connections serve several requests. An idle one was closed after ${formatSeconds(closedAfterSeconds)}.${stated}`
          : openForSeconds !== null
            ? `Connections serve several requests. An idle one was still open after ${formatSeconds(openForSeconds)}.${stated}`
            : `Connections serve several requests.${idle?.problem == null ? '' : ` How long one may be idle is unknown: ${idle.problem}`}`;
  return { about: 'connections', text };
}

function trapOf(perSecond: number, { meanMs }: Alone): string {
  const seconds = meanMs / 1_000;
  return `Dividing instead, ${formatNumber(perSecond)} / ${formatNumber(seconds)} = ${formatNumber(perSecond / seconds)}, is a common mistake. It looks like a number of workers, but its unit is responses per second squared. Check it: ${formatNumber(perSecond / seconds)} workers of ${formatMs(meanMs)} each would serve ${formatRate(perSecond / seconds / seconds)}, not ${formatRate(perSecond)}.`;
}
