import { lowerStart } from '#core/judgement/verdict/words.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import {
  fullLevels,
  isSameRate,
  MIN_SERVICE_MS,
  queueInterval,
  rateRatio,
  serviceInterval,
  timeoutOf,
  workersInterval,
} from './estimate.ts';
import { between, edgeReasons } from './edges.ts';
import { aloneOf, isTurningAway, middleOf, MIN_WAITING_RATIO, type Alone } from './levels.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import { type Standstill, standstillOf, standstillReason, standstillSentence, waitedMs, withoutStandstill } from './standstill.ts';
import type { CharacterAnswer, Interval, Reason, ServerKind } from './schema.ts';

/** Fewest users whose unloaded times indicate an asynchronous server. */
const MIN_ASYNCHRONOUS_USERS = 32;
/** Largest ratio of their times to that of one user, because they share the processor. */
const MAX_UNLOADED_RATIO = 1.2;

/** Infers the kind of a server from its times and rates; unknown if they do not show it. */
export function characterOf(all: readonly UsersReading[], idle: IdleReading | null): CharacterAnswer {
  const standstill = standstillOf(all);
  const readings = withoutStandstill(all);
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
    freeze: standstill?.freeze == null ? null : { ...standstill.freeze, users: standstill.reading.users },
    keepAlive: keepAliveOf(all, idle),
    reasoning: [],
    trap: null,
  };
  if (alone === null) {
    if (all.length === 0) return nothing;
    const sentence = standstill === null ? 'Unknown: there was no successful response.' : 'Unknown: no response came in the counted time.';
    return { ...nothing, sentence };
  }
  const { full, free } = fullLevels(readings, alone);
  const workers = workersInterval(full, alone);
  const { server, why } = kindOf(readings, alone, full, workers, standstill);
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
    timeoutMs: timeoutOf(all, alone),
    longestMs: Math.max(standstill === null ? 0 : (waitedMs(standstill) ?? 0), ...all.map(({ longestMs }) => longestMs ?? 0)),
  };
  return {
    ...found,
    sentence: standstill === null ? sentenceOf(found, why) : stoodSentence(standstill, readings, found),
    reasoning: [
      ...(standstill === null ? [] : [standstillReason(standstill)]),
      aloneReason(alone, service),
      ...kindReasons(found, alone, full, free, why),
      ...edgeReasons(found, all, standstill),
      keepAliveReason(found, idle),
    ],
    trap: found.workers === null || found.fullPerSecond === null ? null : trapOf(found.fullPerSecond, alone),
  };
}

interface Kind {
  readonly server: ServerKind;
  /** Why it is unknown; empty otherwise. */
  readonly why: string;
}

function kindOf(
  readings: readonly UsersReading[],
  alone: Alone,
  full: readonly UsersReading[],
  workers: Interval | null,
  standstill: Standstill | null,
): Kind {
  if (alone.meanMs < MIN_SERVICE_MS)
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
  if (top === undefined || top.users < MIN_ASYNCHRONOUS_USERS)
    return {
      server: 'unknown',
      why: `Only up to ${formatCount(top?.users ?? 0)} users at a time ${standstill === null ? 'were tested' : 'could be measured'}.`,
    };
  if ((top.meanMs ?? Number.POSITIVE_INFINITY) > MAX_UNLOADED_RATIO * alone.meanMs)
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

/** Describes the freeze first, then the server's behaviour before it. */
function stoodSentence(standstill: Standstill, calm: readonly UsersReading[], found: CharacterAnswer): string {
  const last = calm.at(-1);
  const stood = last === undefined ? '' : standstillSentence(standstill, last);
  return found.server === 'unknown' ? stood : `${stood} Up to there it is ${lowerStart(sentenceOf(found, ''))}`;
}

function aloneReason({ answers, standardDeviationMs, overloadedSeconds }: Alone, { value, low, high }: Interval): Reason {
  const late =
    overloadedSeconds === 0
      ? ''
      : ` This computer was overloaded for ${formatSeconds(overloadedSeconds)}, so the time may be slightly lower.`;
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
  return reading !== undefined && isTurningAway(reading) && (reading.meanMs ?? 0) < MIN_WAITING_RATIO * alone.meanMs;
}

/** Checks the workers by times: N users with response time R and think time Z are served by W = N · S / (R + Z). */
function crossCheck(full: readonly UsersReading[], { meanMs: serviceMs }: Alone): string {
  const byTimes = middleOf(
    full.flatMap((one) => (isTurningAway(one) || one.meanMs === null ? [] : [(one.users * serviceMs) / (one.meanMs + one.pauseMs)])),
  );
  return byTimes === null ? '' : ` The times confirm it: users × time alone / time under load = ${formatNumber(byTimes)}.`;
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
