import { uncapitalize } from '#core/judgement/verdict/labels.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { type UnloadedTime, measureUnloadedTime, isFull, isRejecting, middleOf, MIN_WAITING_RATIO } from './levels.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import {
  formatNoTimeout,
  type Standstill,
  findStandstill,
  standstillReason,
  standstillSentence,
  findWaitedMs,
  excludeStandstill,
} from './standstill.ts';
import type { CharacterConclusion, Interval, Reason, ServerKind } from './schema.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Minimum number of users whose times without waiting show that a server is asynchronous. */
const MIN_ASYNCHRONOUS_USERS = 32;
/** Maximum ratio of the unloaded times of that many users to that of one user. It is above 1, because users share the processor. */
const MAX_UNLOADED_RATIO = 1.2;

/** Infers the kind of a server from its times and rates. The kind is unknown if they do not show it. */
export function describeCharacter(all: readonly UsersReading[], idle: IdleReading | null): CharacterConclusion {
  const standstill = findStandstill(all);
  const readings = excludeStandstill(all);
  const unloaded = measureUnloadedTime(readings);
  const nothing: CharacterConclusion = {
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
    keepAlive: compareKeepAlive(all, idle),
    reasoning: [],
    trap: null,
  };
  if (unloaded === null) {
    if (all.length === 0) return nothing;
    const sentence = standstill === null ? 'Unknown: there was no successful response.' : 'Unknown: no response came in the counted time.';
    return { ...nothing, sentence };
  }
  const { full, free } = findFullLevels(readings, unloaded);
  const workers = workersInterval(full, unloaded);
  const { server, why } = kindOf(readings, unloaded, full, workers, standstill);
  const isCounted = server === 'synchronous' && workers !== null;
  const queueLength = isCounted ? queueInterval(readings, unloaded, workers) : null;
  const maxUsers = Math.max(0, ...readings.filter((one) => !isRejecting(one)).map(({ users }) => users));
  const service = serviceInterval(unloaded);
  const found = {
    ...nothing,
    server,
    serviceMs: service,
    workers: isCounted ? { value: workers.value, low: workers.low, high: workers.high } : null,
    atOnce: server === 'asynchronous' ? maxUsers : (free?.users ?? null),
    fullPerSecond: isCounted ? workers.perSecond : null,
    queueLength,
    queueAtLeast: isCounted && queueLength === null && maxUsers > workers.value ? maxUsers - workers.value : null,
    timeoutMs: findTimeout(all, unloaded),
    longestMs: Math.max(standstill === null ? 0 : (findWaitedMs(standstill) ?? 0), ...all.map(({ longestMs }) => longestMs ?? 0)),
  };
  return {
    ...found,
    sentence: standstill === null ? writeSentence(found, why) : formatStandstill(standstill, readings, found),
    reasoning: withoutAbsent([
      standstill !== null && standstillReason(standstill),
      explainUnloaded(unloaded, service),
      ...kindReasons(found, unloaded, full, free, why),
      ...edgeReasons(found, all, standstill),
      keepAliveReason(found, idle),
    ]),
    trap: found.workers === null || found.fullPerSecond === null ? null : describeTrap(found.fullPerSecond, unloaded),
  };
}

interface Kind {
  readonly server: ServerKind;
  /** Reason why the kind is unknown; empty otherwise. */
  readonly why: string;
}

function kindOf(
  readings: readonly UsersReading[],
  alone: UnloadedTime,
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

function writeSentence({ server, workers, serviceMs, atOnce }: CharacterConclusion, why: string): string {
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
function formatStandstill(standstill: Standstill, calm: readonly UsersReading[], found: CharacterConclusion): string {
  const last = calm.at(-1);
  const standstillText = last === undefined ? '' : standstillSentence(standstill, last);
  return found.server === 'unknown' ? standstillText : `${standstillText} Up to there it is ${uncapitalize(writeSentence(found, ''))}`;
}

function explainUnloaded({ responses, standardDeviationMs, overloadedSeconds }: UnloadedTime, { value, low, high }: Interval): Reason {
  const late =
    overloadedSeconds === 0
      ? ''
      : ` This computer was overloaded for ${formatSeconds(overloadedSeconds)}, so the time may be slightly lower.`;
  return {
    about: 'time of a response',
    text: `${formatCount(responses)} responses at minimal load took ${formatMs(value)} on average (${formatMs(low)} to ${formatMs(high)}; standard deviation ${formatMs(standardDeviationMs)}). Nothing waits then, so this is the processing time and the network.${late}`,
  };
}

function kindReasons(
  { server, workers, fullPerSecond, atOnce }: CharacterConclusion,
  alone: UnloadedTime,
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
      text: `Little's law: requests in progress = responses a second × time of each = ${formatRate(fullPerSecond)} × ${formatMs(alone.meanMs)} = ${formatNumber(((fullPerSecond ?? 0) * alone.meanMs) / 1_000)}, so ${formatCount(workers?.value ?? null)}${formatBetween(workers)}.${workers?.value === 1 ? ' A single computing thread looks the same as a single blocking worker.' : ''}${crossCheck(full, alone)}`,
    },
  ];
}

function isTurnedAwayAtOnce(reading: UsersReading | undefined, unloaded: UnloadedTime): boolean {
  return reading !== undefined && isRejecting(reading) && (reading.meanMs ?? 0) < MIN_WAITING_RATIO * unloaded.meanMs;
}

/** Checks the number of workers by times: N users with response time R and think time Z are served by W = N · S / (R + Z) workers. */
function crossCheck(full: readonly UsersReading[], { meanMs: serviceMs }: UnloadedTime): string {
  const byTimes = middleOf(
    full.flatMap((one) => (isRejecting(one) || one.meanMs === null ? [] : [(one.users * serviceMs) / (one.meanMs + one.pauseMs)])),
  );
  return byTimes === null ? '' : ` The times confirm it: users × time alone / time under load = ${formatNumber(byTimes)}.`;
}

function compareKeepAlive(readings: readonly UsersReading[], idle: IdleReading | null): CharacterConclusion['keepAlive'] {
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

function keepAliveReason({ keepAlive }: CharacterConclusion, idle: IdleReading | null): Reason {
  const { reuses, closedAfterSeconds, openForSeconds, statedSeconds } = keepAlive;
  const statedText = statedSeconds === null ? '' : ` The server states ${formatSeconds(statedSeconds)}.`;
  const text =
    reuses === null
      ? 'Too few responses to see whether connections are reused.'
      : !reuses
        ? 'Every request had its own connection: the server closes it after each response.'
        : closedAfterSeconds !== null
          ? `Connections serve several requests. An idle one was closed after ${formatSeconds(closedAfterSeconds)}.${statedText}`
          : openForSeconds !== null
            ? `Connections serve several requests. An idle one was still open after ${formatSeconds(openForSeconds)}.${statedText}`
            : `Connections serve several requests.${idle?.problem == null ? '' : ` How long one may be idle is unknown: ${idle.problem}`}`;
  return { about: 'connections', text };
}

function describeTrap(perSecond: number, { meanMs }: UnloadedTime): string {
  const seconds = meanMs / 1_000;
  return `Dividing instead, ${formatNumber(perSecond)} / ${formatNumber(seconds)} = ${formatNumber(perSecond / seconds)}, is a common mistake. It looks like a number of workers, but its unit is responses per second squared. Check it: ${formatNumber(perSecond / seconds)} workers of ${formatMs(meanMs)} each would serve ${formatRate(perSecond / seconds / seconds)}, not ${formatRate(perSecond)}.`;
}

/** Explains the queue's length and the time-out, which show what the server does under overload. */
function edgeReasons(
  { queueLength, queueAtLeast, timeoutMs, longestMs }: CharacterConclusion,
  readings: readonly UsersReading[],
  standstill: Standstill | null,
): Reason[] {
  const reasons: Reason[] = [];
  if (queueLength !== null)
    reasons.push({
      about: 'queue',
      text: `Requests inside = successful responses a second × time of each; minus those in progress, ${formatCount(queueLength.value)} wait${formatBetween(queueLength)}. Further requests are rejected at once.`,
    });
  else if (queueAtLeast !== null)
    reasons.push({ about: 'queue', text: `${formatCount(queueAtLeast)} waited and none was rejected: the queue is at least that long.` });
  reasons.push({
    about: 'time-out',
    text:
      timeoutMs === null
        ? formatNoLimit(readings, standstill, longestMs)
        : `All failures take the same time: the time-out is ${formatMs(timeoutMs)}.`,
  });
  return reasons;
}

/** Example: “ (between 3 and 5)”; empty for a single value. */
function formatBetween(interval: Interval | null): string {
  return interval === null || interval.low === interval.high
    ? ''
    : ` (between ${formatCount(interval.low)} and ${formatCount(interval.high)})`;
}

function formatNoLimit(readings: readonly UsersReading[], standstill: Standstill | null, longestMs: number | null): string {
  const givenUp = formatTimeouts(readings);
  const waited = standstill === null ? null : findWaitedMs(standstill);
  if (givenUp === '' && standstill !== null && waited !== null) return formatNoTimeout(standstill, waited);
  const early = standstill === null ? '' : formatFailedEarly(standstill.reading);
  const words = [givenUp, early].filter((part) => part !== '').join(' ') || 'No request timed out.';
  return `${words} The longest successful response took ${formatMs(longestMs)}, so a time-out, if any, is longer.`;
}

/** Describes failures after a wait if they do not show a limit; empty if there are no failures. */
function formatTimeouts(readings: readonly UsersReading[]): string {
  const sum = (count: (one: UsersReading) => number): number => readings.reduce((total, one) => total + count(one), 0);
  const gatewayTimeouts = sum((one) => one.gatewayTimeouts);
  const failures = [
    { count: gatewayTimeouts, words: 'were timed out by a proxy (504)' },
    { count: sum((one) => one.errorResponses) - gatewayTimeouts, words: 'got another server error' },
    { count: sum((one) => one.timeouts), words: 'timed out by the plan' },
  ].filter(({ count }) => count > 0);
  if (failures.length === 0) return '';
  const all = formatCount(sum((one) => one.sent));
  return `Of ${all} requests ${failures.map(({ count, words }) => `${formatCount(count)} ${words}`).join(', ')}; their times differ, so they show no time-out.`;
}

/** Describes failures before the counted time. The times of these requests are unknown. */
function formatFailedEarly({ startUp }: UsersReading): string {
  return startUp.failed === 0
    ? ''
    : `Of ${formatCount(startUp.sent)} requests before the counted time, ${formatCount(startUp.failed)} failed, after an unknown time.`;
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.959_964;
/** Minimum uncertainty of a time in ms, because the path through this machine is included. */
const MIN_ERROR_MS = 0.25;
/** Minimum service time in ms at which a rate is usable. Shorter times are mostly network time, and the rate is that of a processor. */
const MIN_SERVICE_MS = 5;
/** Maximum time of a refusal that takes no work, as a share of a successful response. */
const MAX_QUICK_SHARE = 0.5;
/** Maximum ratio of the p95 to the median of failures that show a time-out. */
const MAX_TIMEOUT_RATIO = 1.05;
/** Maximum ratio to the unloaded time of responses that have not waited. */
const MAX_QUIET_RATIO = 1.1;
const MAX_RATE_RATIO = 1.15;

/** Returns the mean with its interval, for independent times. */
export function serviceInterval({ meanMs, standardDeviationMs, responses }: UnloadedTime): Interval {
  const half = (Z95 * standardDeviationMs) / Math.sqrt(responses) + MIN_ERROR_MS;
  return { value: meanMs, low: Math.max(0, meanMs - half), high: meanMs + half };
}

interface FullLevels {
  /** Runs in which users waited or were rejected. */
  readonly full: readonly UsersReading[];
  /** The run with the most users who did not wait, of the runs with fewer users than those in `full`. */
  readonly free: UsersReading | null;
}

export function findFullLevels(readings: readonly UsersReading[], unloaded: UnloadedTime): FullLevels {
  const full = readings.filter((one) => one.users > 1 && isFull(one, unloaded) && one.ok > 0);
  const minUsers = Math.min(...full.map(({ users }) => users));
  const free = readings.filter(
    (one) => one.users < minUsers && one.failed === 0 && (one.meanMs ?? Number.POSITIVE_INFINITY) <= MAX_QUIET_RATIO * unloaded.meanMs,
  );
  return { full, free: free.at(-1) ?? null };
}

/**
 * Estimates the workers by Little's law: while all are busy, X responses per second of S seconds each keep X · S workers busy. Runs are
 * weighted by their responses. The relative error combines that of the time and that of the rate. The rate's count is off by one at each
 * end, and as irregular as the times.
 */
export function workersInterval(full: readonly UsersReading[], unloaded: UnloadedTime): (Interval & { readonly perSecond: number }) | null {
  const usable = full.filter(({ okPerSecond }) => okPerSecond !== null);
  const responses = usable.reduce((sum, { ok }) => sum + ok, 0);
  if (responses === 0) return null;
  const perSecond = usable.reduce((sum, { ok, okPerSecond }) => sum + ok * (okPerSecond ?? 0), 0) / responses;
  const measured = (perSecond * unloaded.meanMs) / 1_000;
  const service = serviceInterval(unloaded);
  const variation = unloaded.standardDeviationMs / unloaded.meanMs;
  const relative = Math.hypot((service.high - service.low) / 2 / service.value, (Z95 * variation) / Math.sqrt(responses) + 2 / responses);
  return {
    value: Math.max(1, Math.round(measured)),
    low: Math.max(1, Math.round(measured * (1 - relative))),
    high: Math.max(1, Math.round(measured * (1 + relative))),
    perSecond,
  };
}

/** Returns the ratio of the highest to the lowest rate, which is close to 1 for a saturated server; null for fewer than two runs. */
export function rateRatio(full: readonly UsersReading[]): number | null {
  const rates = full.filter((one) => !isRejecting(one)).flatMap(({ okPerSecond }) => okPerSecond ?? []);
  return rates.length < 2 ? null : Math.max(...rates) / Math.min(...rates);
}

export function isSameRate(ratio: number): boolean {
  return ratio <= MAX_RATE_RATIO;
}

/**
 * Estimates the queue's length if requests are rejected at once. The number inside is throughput × response time (Little's law), minus the
 * workers. The interval is as wide as that of the workers, plus one on each side.
 */
export function queueInterval(readings: readonly UsersReading[], unloaded: UnloadedTime, workers: Interval): Interval | null {
  const level = readings.find((one) => isRejecting(one) && isQuick(one, unloaded) && one.okPerSecond !== null && one.meanMs !== null);
  if (level === undefined) return null;
  const requestsInside = ((level.okPerSecond ?? 0) * (level.meanMs ?? 0)) / 1_000;
  const length = Math.max(0, Math.round(requestsInside - workers.value));
  const spread = (workers.high - workers.low) / 2 + 1;
  return { value: length, low: Math.max(0, Math.round(length - spread)), high: Math.round(length + spread) };
}

/** Returns whether most failures were refusals, or errors that came more quickly than any work takes. */
function isQuick({ refused, errorResponses, errorP50Ms, failed }: UsersReading, { meanMs }: UnloadedTime): boolean {
  const quick = refused + (errorP50Ms !== null && errorP50Ms < MAX_QUICK_SHARE * meanMs ? errorResponses : 0);
  return quick > failed / 2;
}

/** Returns the time-out if the failures show one; null otherwise. */
export function findTimeout(readings: readonly UsersReading[], unloaded: UnloadedTime): number | null {
  for (const { errorResponses, errorP50Ms, errorP95Ms } of readings) {
    if (errorResponses < 3 || errorP50Ms === null || errorP95Ms === null) continue;
    if (errorP50Ms > unloaded.meanMs && errorP95Ms <= MAX_TIMEOUT_RATIO * errorP50Ms) return errorP50Ms;
  }
  return null;
}
