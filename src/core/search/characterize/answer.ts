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
    sentence: 'Nothing has been measured yet.',
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
  if (alone === null) return readings.length === 0 ? nothing : { ...nothing, sentence: 'Not known: it gave no good answer.' };
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
      why: `An answer takes ${formatMs(alone.meanMs)}: at that, processor and network are measured. Give it a page that takes longer.`,
    };
  const ratio = rateRatio(full);
  if (full.length > 0 && workers !== null) {
    if (ratio !== null && !isSameRate(ratio))
      return {
        server: 'unknown',
        why: `From ${formatCount(full[0]?.users ?? null)} users on they wait, but the rate does not stay the same (it differs by ${formatPercent(ratio - 1)}): something else than a fixed number of workers holds them up.`,
      };
    return { server: 'synchronous', why: '' };
  }
  const top = readings.at(-1);
  if (top === undefined || top.users < MANY_USERS)
    return { server: 'unknown', why: `Only up to ${formatCount(top?.users ?? 0)} users at a time asked.` };
  if ((top.meanMs ?? Number.POSITIVE_INFINITY) > AS_ALONE * alone.meanMs)
    return {
      server: 'unknown',
      why: `${formatCount(top.users)} users begin to wait (${formatMs(top.meanMs)} instead of ${formatMs(alone.meanMs)}); more of them would tell.`,
    };
  return { server: 'asynchronous', why: '' };
}

function sentenceOf({ server, workers, serviceMs, atOnce }: CharacterAnswer, why: string): string {
  const time = formatMs(serviceMs?.value ?? null);
  switch (server) {
    case 'synchronous':
      return workers?.value === 1
        ? `Synchronous: it works on one request at a time, ${time} each.`
        : `Synchronous: ${formatCount(workers?.value ?? null)} workers, ${time} each.`;
    case 'asynchronous':
      return `Asynchronous: ${time} each, however many ask (up to ${formatCount(atOnce)} at a time did).`;
    case 'unknown':
      return `Not known. ${why}`;
    default:
      return server satisfies never;
  }
}

function aloneReason({ answers, standardDeviationMs, sickSeconds }: Alone, { value, low, high }: Interval): Reason {
  const late = sickSeconds === 0 ? '' : ` For ${formatSeconds(sickSeconds)} this computer did not keep up, so it may be a little less.`;
  return {
    about: 'time of an answer',
    text: `${formatCount(answers)} answers while hardly anybody else asked took ${formatMs(value)} on the average (${formatMs(low)} to ${formatMs(high)}; standard deviation ${formatMs(standardDeviationMs)}). Nothing waits then, so this is the work itself and the way there.${late}`,
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
        text: `Times stay flat while the number of users doubles and doubles: ${formatCount(atOnce)} at a time wait no longer than one. A server with fewer workers than that would make the others wait. One with more workers looks the same, so this says: no limit up to ${formatCount(atOnce)}.`,
      },
    ];
  const first = full[0];
  const before = free === null ? '' : `${formatCount(free.users)} at a time are answered in ${formatMs(free.meanMs)}, as one is. `;
  const rates = full.flatMap(({ okPerSecond }) => okPerSecond ?? []);
  return [
    {
      about: 'kind',
      text: `${before}With ${formatCount(first?.users ?? null)} users ${isTurnedAwayAtOnce(first, alone) ? 'some are turned away' : `an answer takes ${formatMs(first?.meanMs ?? null)}`}, and the rate no longer grows with their number${rates.length > 1 ? ` (${rates.map((rate) => formatRate(rate)).join(', ')})` : ''}: there is a fixed number of places at which requests are worked on, and the others wait.`,
    },
    {
      about: 'workers',
      text: `Little's law: those at work = answers a second × time of each = ${formatRate(fullPerSecond)} × ${formatMs(alone.meanMs)} = ${formatNumber(((fullPerSecond ?? 0) * alone.meanMs) / 1_000)}, so ${formatCount(workers?.value ?? null)}${between(workers)}.${workers?.value === 1 ? ' A single thread that calculates looks the same as a single blocking worker.' : ''}${crossCheck(full, alone)}`,
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
  return byTimes === null
    ? ''
    : ` The times say the same in their own way: users × time alone / time of waiting = ${formatNumber(byTimes)}.`;
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
      text: `Those inside = good answers a second × time of each; less those at work, ${formatCount(queueLength.value)} wait${between(queueLength)}. Whoever comes then is turned away at once.`,
    });
  else if (queueAtLeast !== null)
    reasons.push({
      about: 'queue',
      text: `${formatCount(queueAtLeast)} waited and none was turned away: the queue is at least that long.`,
    });
  reasons.push({
    about: 'time limit',
    text:
      timeoutMs === null
        ? `${givenUpWords(readings)} The longest good answer took ${formatMs(longestMs)}, so a limit is above that, if there is one.`
        : `Failures all take the same time: somebody gives up after ${formatMs(timeoutMs)}.`,
  });
  return reasons;
}

/** What failed after a wait, where no limit follows from it. */
function givenUpWords(readings: readonly UsersReading[]): string {
  const sum = (count: (one: UsersReading) => number): number => readings.reduce((total, one) => total + count(one), 0);
  const gatewayTimeouts = sum((one) => one.gatewayTimeouts);
  const failures = [
    { count: gatewayTimeouts, words: 'were given up by a proxy (504)' },
    { count: sum((one) => one.errorAnswers) - gatewayTimeouts, words: 'were answered with another error of the server' },
    { count: sum((one) => one.timeouts), words: 'had no answer within the time limit of the plan' },
  ].filter(({ count }) => count > 0);
  if (failures.length === 0) return 'No request was given up.';
  const all = formatCount(sum((one) => one.sent));
  return `Of ${all} requests ${failures.map(({ count, words }) => `${formatCount(count)} ${words}`).join(', ')}; they did not all take the same time, so no limit follows from them.`;
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
  const stated = statedSeconds === null ? '' : ` It says ${formatSeconds(statedSeconds)} itself.`;
  const text =
    reuses === null
      ? 'Too little was answered to see whether connections are used again.'
      : !reuses
        ? 'Every request had a connection of its own: the server closes them after an answer.'
        : closedAfterSeconds !== null
          ? `Connections serve several requests. One that was left alone was closed after ${formatSeconds(closedAfterSeconds)}.${stated}`
          : openForSeconds !== null
            ? `Connections serve several requests. One that was left alone was still open after ${formatSeconds(openForSeconds)}.${stated}`
            : `Connections serve several requests.${idle?.problem == null ? '' : ` How long one may lie idle is not known: ${idle.problem}`}`;
  return { about: 'connections', text };
}

function trapOf(perSecond: number, { meanMs }: Alone): string {
  const seconds = meanMs / 1_000;
  return `Dividing instead, ${formatNumber(perSecond)} / ${formatNumber(seconds)} = ${formatNumber(perSecond / seconds)}, is the common mistake. It looks like a number of workers, but its unit is answers per second per second, and nothing consists of those. Check it: ${formatNumber(perSecond / seconds)} workers of ${formatMs(meanMs)} each would answer ${formatRate(perSecond / seconds / seconds)}, not ${formatRate(perSecond)}.`;
}
