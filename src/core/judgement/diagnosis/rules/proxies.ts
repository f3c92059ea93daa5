import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Point } from '#core/result/schema.ts';
import {
  type Draft,
  figure,
  MAX_NEGLIGIBLE_SHARE,
  type MeasuredRun,
  rangeOf,
  rangeOfTimes,
  rule,
  secondsOf,
  overloadedShare,
} from '../rule.ts';
import { meanOf } from '#core/statistics/trend.ts';
import { sumOf } from '#core/base/lists.ts';

const MIN_RESPONSES = 5;
const TIME_TOLERANCE = 0.05;
/** Minimum time-out in ms. Shorter ones are unusual, and quick 504 responses have other causes. */
const MIN_LIMIT_MS = 500;
/** Usual time-outs in seconds. */
const ROUND_SECONDS = [1, 2, 3, 5, 6, 10, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 180, 240, 300, 600];
const ROUND_TOLERANCE = 0.03;

/** Finds 504 responses with equal times, which are the time-out of a proxy, not times of the page. */
export const proxyTimeout = rule('proxyTimeout', ({ latencyByStatusClass, status, outcomes, latency, windows, rates }) => {
  const givenUp = status['504'] ?? 0;
  // Only counted stages are used, as in the 504 counts, because the request outcomes cover the whole run.
  const complete = sumOf(Object.values(status), (count) => count);
  const times = latencyByStatusClass['5xx'];
  const failures = sumOf(Object.entries(status), ([code, count]) => (code.startsWith('5') ? count : 0));
  if (times === undefined || givenUp < MIN_RESPONSES || givenUp < MAX_NEGLIGIBLE_SHARE * complete) return [];
  const { p50, p95, min, max } = times;
  if (typeof p50 !== 'number' || typeof p95 !== 'number' || typeof min !== 'number' || typeof max !== 'number') return [];
  // If there are other 5xx statuses, the median is that of the 504 only if most failures are 504.
  if (p50 < MIN_LIMIT_MS || givenUp < 0.8 * failures || p95 > (1 + TIME_TOLERANCE) * p50) return [];
  const isExact = min >= (1 - TIME_TOLERANCE) * p50 && max <= (1 + TIME_TOLERANCE) * p50;
  const round = ROUND_SECONDS.map((seconds) => 1_000 * seconds).find((limit) => Math.abs(limit - p50) <= ROUND_TOLERANCE * limit);
  const limit = round ?? p50;
  const overall = latency.service.p95;
  const pinsPercentile = typeof overall === 'number' && Math.abs(overall - p50) <= TIME_TOLERANCE * p50;
  const hit = windows.filter((point) => (point.status['504'] ?? 0) > 0);
  const found: Draft = {
    level: 'problem',
    sentence: `${formatShare(givenUp / complete)} of responses were 504 after ${formatMs(limit)}: that is the proxy’s time-out, not the page’s latency.${
      pinsPercentile ? ` The p95 of ${formatMs(overall)} is the same time-out: how long the rest would have taken is unknown.` : ''
    }`,
    evidence: [
      isExact ? 'All of them took the same time, unlike any page.' : 'Most of them took the same time, unlike any page.',
      round !== undefined && `${formatMs(round)} is a typical configured value.`,
      'The server behind the proxy does not notice and keeps working for clients that are gone.',
    ],
    figures: [
      figure('504', `${formatCount(givenUp)} of ${formatCount(complete)} responses (${formatPercent(givenUp / complete)})`),
      rangeOfTimes(min, p50, max),
      figure('Successful responses', formatCount(outcomes.requests.ok)),
      figure('Responses a second', formatRate(rates.completedPerSecond)),
    ],
    remedy:
      'Requests arrive faster than the server behind the proxy completes them, or single responses take too long: check its workers and its queue. A longer proxy time-out (nginx proxy_read_timeout) only makes users wait longer.',
    confidence: isExact && round !== undefined ? 'certain' : 'likely',
    range: rangeOf(hit),
    insteadOf: ['unexpectedStatus.504', 'slowTail', 'averageHides.*'],
  };
  return [found];
});

/** Statuses with which a proxy reports that it has no connection left: nginx sends 500 if it has no file left, others send 502 or 503. */
const NO_SLOT_STATUSES = ['500', '502', '503'] as const;
const MIN_REFUSED_SHARE = 0.2;
const MIN_SLOTS = 20;
/** Maximum time in ms of a refusal, which takes no work. */
const MAX_REFUSAL_MS = 100;
/** Maximum ratio of a refusal's time to that of a successful response, for cases in which the network path dominates both. */
const MAX_SUCCESS_RATIO = 1.5;
/** Minimum share of the successful responses before the first refusal that had a connection of their own. */
const MIN_OWN_CONNECTION_SHARE = 0.8;

/**
 * Finds a proxy that holds a slot (a file, a connection) for each open client connection and refuses requests when all slots are taken. The
 * refusals are immediate. Requests succeed only at the rate at which slots become free: slots / keep-alive seconds, whatever the page.
 * Evidence: a connection per client, quick failures, and as many successes before the first failure as there are slots.
 */
export const proxySlots = rule(
  'proxySlots',
  ({ plan, windows, status, outcomes, latencyByStatusClass, connectionsOpened, requestsOnReusedConnection }) => {
    const complete = countResponses(outcomes.requests);
    const refusals = sumOf(NO_SLOT_STATUSES, (code) => status[code] ?? 0);
    const times = latencyByStatusClass['5xx']?.p50;
    const good = latencyByStatusClass['2xx']?.p50;
    if (typeof times !== 'number' || refusals < 0.05 * complete || outcomes.requests.ok < MIN_SLOTS) return [];
    if (times > Math.max(MAX_REFUSAL_MS, typeof good === 'number' ? MAX_SUCCESS_RATIO * good : 0)) return [];
    // A proxy without slots is excluded: its connections are reused a lot, or are closed after each response.
    if (plan.connections.reuse === 'never' || requestsOnReusedConnection > 0.5 * complete) return [];
    const first = windows.findIndex(isRefusing);
    const before = windows.slice(0, first + 1);
    const slots = sumOf(before, ({ ok }) => ok);
    if (first < 0 || slots < MIN_SLOTS || connectionsOpened < MIN_OWN_CONNECTION_SHARE * slots) return [];
    const after = windows.slice(first + 1).filter(({ completed }) => completed > 0);
    const seconds = secondsOf(after);
    const freedSlots = sumOf(after, ({ ok }) => ok);
    const perSecond = seconds > 0 ? freedSlots / seconds : null;
    // Slots must fill first. A server that refuses from the first second on, and later succeeds just as often, refuses for another reason.
    if (first === 0 && perSecond !== null && perSecond > slots / 2) return [];
    const heldSeconds = findHoldSeconds(windows, slots);
    const code = NO_SLOT_STATUSES.toSorted((one, other) => (status[other] ?? 0) - (status[one] ?? 0))[0] ?? '500';
    const at = windows[first]?.second ?? 0;
    return {
      level: 'problem',
      sentence: `The proxy ran out of slots: it accepted ${formatCount(slots)} connections, and from second ${formatNumber(at)} on ${formatShare(refusals / complete)} of responses were a fast ${code}. The page is not too slow.`,
      evidence: [
        'Each client connection holds a proxy slot until its keep-alive time ends, idle or not. Successful responses a second are therefore slots / keep-alive seconds at any load.',
        heldSeconds === null
          ? 'How long a slot is held is unknown: too few were released in this run.'
          : `${formatCount(slots)} slots / ${formatRate(slots / heldSeconds)} = ${formatSeconds(heldSeconds)} for which each is held.`,
      ],
      figures: [
        figure('Successful responses before the first refusal', formatCount(slots)),
        figure('Successful responses a second after it', formatRate(perSecond)),
        figure(
          `Responses ${code}`,
          `${formatCount(status[code] ?? 0)} of ${formatCount(complete)} (${formatPercent((status[code] ?? 0) / complete)})`,
        ),
        figure('Median of these', formatMs(times)),
        figure('Connections opened', formatCount(connectionsOpened)),
      ],
      remedy:
        'Give the proxy more files and connections (nginx worker_rlimit_nofile and worker_connections), or close idle connections sooner (keepalive_timeout). More servers behind it do not help. A rate limit per client looks the same: see the proxy’s error log.',
      confidence: code === '503' ? 'possible' : 'likely',
      range: rangeOf(windows.filter(isRefusing)),
      insteadOf: NO_SLOT_STATUSES.map((refusal) => `unexpectedStatus.${refusal}`),
    };
  },
);

/**
 * Estimates how long a slot is held, in seconds. During refusals, a free slot is taken at once, so a success and the one `slots` later are
 * one holding time apart. Measured from the middle of the first fill in whole rounds; null for less than one round.
 */
function findHoldSeconds(windows: readonly Point[], slots: number): number | null {
  const total = sumOf(windows, ({ ok }) => ok);
  const rounds = Math.floor(total / slots - 0.5);
  const [from, to] = [secondOf(windows, slots / 2), secondOf(windows, slots * (0.5 + rounds))];
  return rounds < 1 || from === null || to === null || to <= from ? null : (to - from) / rounds;
}

/** Returns the second in which the success with this number arrived, if successes are spread evenly over a second. */
function secondOf(windows: readonly Point[], number: number): number | null {
  let seen = 0;
  for (const { second, width, ok } of windows) {
    if (seen + ok >= number) return second + width * ((number - seen) / ok);
    seen += ok;
  }
  return null;
}

function isRefusing({ status, completed }: Point): boolean {
  const refusals = sumOf(NO_SLOT_STATUSES, (code) => status[code] ?? 0);
  return completed > 0 && refusals > MIN_REFUSED_SHARE * completed;
}

/** Maximum time in ms of a refusal, which takes no work. */
const MAX_LIMITER_MS = 100;
/** Minimum share of refusals among all responses, and among those of a second with refusals. */
const MIN_REFUSED = 0.02;
const MIN_SECONDS = 4;
/**
 * Maximum mean number of requests in the server (Little's law). A server at its limit works on at least one; with less, it is idle for a
 * part of the time.
 */
const MAX_AT_A_TIME = 0.3;
/**
 * Maximum mean number if all requests are delayed. Then only the first requests show the undelayed time, which includes opening their
 * connections.
 */
const MAX_AT_A_TIME_DELAYED = 0.5;
/** Maximum variance-to-mean ratio of the successes per second. The ratio is 1 for random arrivals (Poisson) and near 0 for a rate limit. */
const MAX_DISPERSION = 0.35;
/** Minimum ratio, and minimum difference, of the waiting times of delayed and undelayed requests. */
const MIN_WAIT_FACTOR = 5;
const MIN_WAIT_MS = 50;
/** Share of overloaded seconds from which the generator may cause the waits. */
const MAX_OVERLOADED_SHARE = 0.7;

const SHARED_LIMIT_REMEDY =
  'Such a limit usually counts by client address (nginx limit_req). Real participants have addresses of their own and do not share it; the load generator sends everything from one.';
const EXEMPTION_REMEDY =
  'Exempt the address of the load generator from the limit, or send the load from several addresses (“connections.localAddresses”, --local-address). Until then the test measures the limit, not the server.';

/**
 * Finds a rate limit that passes a fixed number of requests per second. The success rate is almost constant, and by Little's law the server
 * works on less than one request at a time. Other requests are refused at once (503 by nginx, 429 by others) or delayed.
 */
export const clientLimit = rule('clientLimit', (facts) => findRefusing(facts)[0] ?? findPacing(facts));

function findRefusing({ windows, status, latencyByStatusClass, steps, outcomes }: MeasuredRun): Draft[] {
  // With wrong bodies, the shortest time would be that of a page with an error text.
  if (outcomes.requests.wrongBody > 0) return [];
  return (['429', '503'] as const).flatMap((code) => {
    const complete = sumOf(Object.values(status), (count) => count);
    const refused = status[code] ?? 0;
    const times = latencyByStatusClass[code === '503' ? '5xx' : '4xx']?.p50;
    if (refused < MIN_REFUSED * complete || typeof times !== 'number' || times > MAX_LIMITER_MS) return [];
    const hit = windows.filter((point) => (point.status[code] ?? 0) >= MIN_REFUSED * point.completed);
    const even = evenRate(hit, ({ ok }) => ok);
    if (even === null || even * unloadedSeconds(steps) > MAX_AT_A_TIME) return [];
    return {
      level: 'problem',
      sentence: `A rate limit lets ${formatRate(even, 'requests')} through, whatever is sent: ${formatShare(refused / complete)} of responses were ${code} within ${formatMs(times)}. The server itself is not the limit.`,
      evidence: [formatIdle(even, steps), SHARED_LIMIT_REMEDY],
      figures: [
        figure(`Responses ${code}`, `${formatCount(refused)} of ${formatCount(complete)} (${formatPercent(refused / complete)})`),
        figure(`Median of the ${code} responses`, formatMs(times)),
        figure('Let through', formatRate(even)),
      ],
      remedy: EXEMPTION_REMEDY,
      confidence: 'likely',
      range: rangeOf(hit),
      insteadOf: [
        `unexpectedStatus.${code}`,
        'proxySlots',
        'fastFailures.*',
        'averageHides.*',
        'groups.*',
        'behaviour.capacity',
        'limitReached',
        'notSteady',
      ],
    };
  });
}

/** Finds nginx's `limit_req` with a burst and without `nodelay`, which refuses nothing but passes requests on at the rate of the limit. */
function findPacing(facts: MeasuredRun): Draft | null {
  const { windows, steps, latency, outcomes } = facts;
  if (outcomes.requests.ok < countResponses(outcomes.requests)) return null;
  const { p50, p90 } = latency.service;
  const unloadedMs = 1_000 * unloadedSeconds(steps);
  if (typeof p50 !== 'number' || typeof p90 !== 'number' || overloadedShare(facts) > MAX_OVERLOADED_SHARE) return null;
  const hit = windows
    .slice(1, -1)
    .filter((point) => point.inFlight >= 2 && (point.p50 ?? 0) >= Math.max(MIN_WAIT_MS, MIN_WAIT_FACTOR * unloadedMs));
  const even = evenRate(hit, ({ completed }) => completed);
  if (even === null || even * unloadedSeconds(steps) > MAX_AT_A_TIME_DELAYED) return null;
  return {
    level: 'warning',
    sentence: `Requests are let through at a fixed pace of ${formatRate(even)}: half of them waited ${formatMs(p50)}, although the server needs about ${formatMs(unloadedMs)} for one.`,
    evidence: [
      formatIdle(even, steps),
      'A rate limit that delays instead of refusing looks like this (nginx limit_req with burst).',
      SHARED_LIMIT_REMEDY,
    ],
    figures: [figure('Let through', formatRate(even)), figure('Shortest time', formatMs(unloadedMs)), figure('Median', formatMs(p50))],
    remedy: EXEMPTION_REMEDY,
    confidence: 'likely',
    range: rangeOf(hit),
    insteadOf: [
      'growingQueue.*',
      'behaviour.capacity',
      'behaviour.queue.*',
      'slowerAndSlower.*',
      'warmingUp.*',
      'standstill',
      'replicasDidNotHelp',
      'limitReached',
      'saturatedBelow',
    ],
  };
}

/** Returns the time per request without a delay in seconds, weighted by the successful requests of each step. */
function unloadedSeconds(steps: MeasuredRun['steps']): number {
  const all = sumOf(steps, ({ requests }) => requests.ok);
  const total = steps.reduce((sum, { requests, latency, latencyByStatusClass }) => {
    const min = latencyByStatusClass['2xx']?.min ?? latency.service.min;
    return sum + (typeof min === 'number' ? requests.ok * min : 0);
  }, 0);
  return all === 0 ? 0 : total / all / 1_000;
}

/** Returns the rate of a count that is almost constant per second; null if it varies randomly or there are too few seconds. */
function evenRate(points: readonly Point[], countOf: (point: Point) => number): number | null {
  // The first second is excluded, because it contains the burst that passes at once.
  const counts = points
    .slice(1)
    .filter(({ width }) => width === 1)
    .map(countOf);
  // On a busy computer, late responses count in the next second. Sums over pairs of seconds even this out.
  const pairs = counts.flatMap((count, index) => (index % 2 === 1 ? [count + (counts[index - 1] ?? 0)] : []));
  return isEven(counts) || isEven(pairs) ? meanOf(counts) : null;
}

function isEven(counts: readonly number[]): boolean {
  if (counts.length < MIN_SECONDS) return false;
  const mean = meanOf(counts);
  const variance = sumOf(counts, (count) => (count - mean) ** 2) / (counts.length - 1);
  return mean > 0 && variance <= MAX_DISPERSION * mean;
}

function formatIdle(perSecond: number, steps: MeasuredRun['steps']): string {
  const unloaded = unloadedSeconds(steps);
  return `${formatRate(perSecond)} × ${formatMs(1_000 * unloaded)} = ${formatNumber(perSecond * unloaded)} requests at a time (Little’s law). A server that is the limit works on at least one.`;
}

/** Maximum time in ms of a response that did not wait. */
const MAX_IMMEDIATE_MS = 15;
const MIN_REFUSALS = 5;

/**
 * Finds quick 502 responses beside successes at a busy server, whose queue is full. The proxy connects to a Unix socket with a full backlog
 * (PHP-FPM: EAGAIN), which fails at once. A server that is down would fail all of its requests. A server that takes seconds succeeds in
 * only a few of them, so successes within the time of one request count. An overloaded load generator reads quick responses late, but the
 * quickest one still shows that they were quick.
 */
export const fullBacklog = rule('fullBacklog', (facts) => {
  const { windows, status, latencyByStatusClass, outcomes, servers, steps, rates } = facts;
  const complete = countResponses(outcomes.requests);
  const refused = status['502'] ?? 0;
  const others5xx = sumOf(Object.entries(status), ([code, count]) => (code.startsWith('5') && code !== '502' ? count : 0));
  const times = latencyByStatusClass['5xx'];
  if (refused < MIN_REFUSALS || refused < MIN_REFUSED * complete || others5xx > refused / 10) return [];
  const quickest = overloadedShare(facts) > 0 ? times?.min : times?.p50;
  if (typeof times?.p50 !== 'number' || typeof quickest !== 'number' || quickest > MAX_IMMEDIATE_MS) return [];
  const hit = windows.filter((point) => (point.status['502'] ?? 0) > 0);
  const good = latencyByStatusClass['2xx']?.p50;
  const reachSeconds = typeof good === 'number' ? Math.round(good / 1_000) : 0;
  const together = hit.filter((point) => windows.some(({ ok, second }) => ok > 0 && Math.abs(second - point.second) <= reachSeconds));
  const okPerSecond = ((rates.completedPerSecond ?? 0) * outcomes.requests.ok) / Math.max(1, complete);
  const isBusy = okPerSecond * unloadedSeconds(steps) > MAX_AT_A_TIME;
  if (together.length < Math.max(1, hit.length / 2) || typeof good !== 'number' || good < MIN_WAIT_FACTOR * times.p50 || !isBusy) return [];
  // A proxy also refuses at once if one of several servers is down, so that case is excluded.
  if (servers.some(({ silent }) => silent.length > 0)) return [];
  return {
    level: 'problem',
    sentence: `The queue before the server is full: ${formatShare(refused / complete)} of responses were 502 within ${formatMs(times.p50)}, while others succeeded.`,
    evidence: [
      'The proxy could not hand the request over and knew it at once. A server that is down fails all requests, and a slow one fails after a time-out.',
      'PHP-FPM on a Unix socket does this when its backlog is full; nginx logs “Resource temporarily unavailable”.',
    ],
    figures: [
      figure('Responses 502', `${formatCount(refused)} of ${formatCount(complete)} (${formatPercent(refused / complete)})`),
      figure('Median of the 502 responses', formatMs(times.p50)),
      figure('Median of the others', formatMs(good)),
    ],
    remedy:
      'More workers (PHP-FPM pm.max_children) shorten the queue; a longer backlog (listen.backlog, up to net.core.somaxconn) makes users wait instead. The proxy’s error log confirms it.',
    confidence: 'likely',
    range: rangeOf(hit),
    insteadOf: ['unexpectedStatus.502', 'fastFailures.*', 'averageHides.*', 'groups.*', 'proxySlots', 'failuresBeforeServers'],
  };
});
