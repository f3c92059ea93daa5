import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import type { Point } from '#core/result/schema.ts';
import { meanOf } from '#core/statistics/trend.ts';
import { figure, type Found, type MeasuredRun, rangeOf, type Rule, overloadedShare } from '../rule.ts';

/** A refusal takes no work. */
const MAX_REFUSAL_MS = 100;
/** Smallest share of refusals among all responses, and in a second of refusal. */
const MIN_REFUSED = 0.02;
const MIN_SECONDS = 4;
/** Largest mean number of requests in the server (Little's law). A server at its limit works on at least one; less leaves it idle. */
const MAX_AT_A_TIME = 0.3;
/** Maximum if all requests are delayed: only the first requests show the undelayed time, which includes opening their connections. */
const MAX_AT_A_TIME_DELAYED = 0.5;
/** Largest variance-to-mean ratio of the successes per second. It is 1 for random arrivals (Poisson) and near 0 for a rate limit. */
const MAX_DISPERSION = 0.35;
/** Smallest ratio and difference of the waiting times of delayed and undelayed requests. */
const MIN_WAIT_FACTOR = 5;
const MIN_WAIT_MS = 50;
/** From this share of overloaded seconds on, the generator may cause the waits. */
const MAX_OVERLOADED_SHARE = 0.7;

const SHARED =
  'Such a limit usually counts by client address (nginx limit_req). Real participants have addresses of their own and do not share it; the load generator sends everything from one.';
const EXEMPT =
  'Exempt the address of the load generator from the limit, or send the load from several addresses (“connections.localAddresses”, --local-address). Until then the test measures the limit, not the server.';

/**
 * Finds a rate limit that passes a fixed number of requests per second. The success rate is almost constant, and by Little's law the server works on less
 * than one request at a time. Other requests are refused at once (503 by nginx, 429 by others) or delayed.
 */
export const clientLimit: Rule = {
  id: 'clientLimit',
  find(facts) {
    return [...refusing(this.id, facts), ...pacing(this.id, facts)].slice(0, 1);
  },
};

function refusing(id: string, { windows, status, latencyByStatusClass, steps, outcomes }: MeasuredRun): Found[] {
  // The shortest time would be that of a page with an error text.
  if (outcomes.requests.wrongBody > 0) return [];
  return (['429', '503'] as const).flatMap((code): Found[] => {
    const complete = Object.values(status).reduce((sum, count) => sum + count, 0);
    const refused = status[code] ?? 0;
    const times = latencyByStatusClass[code === '503' ? '5xx' : '4xx']?.p50;
    if (refused < MIN_REFUSED * complete || typeof times !== 'number' || times > MAX_REFUSAL_MS) return [];
    const hit = windows.filter((point) => (point.status[code] ?? 0) >= MIN_REFUSED * point.completed);
    const even = evenRate(hit, ({ ok }) => ok);
    if (even === null || even * aloneSeconds(steps) > MAX_AT_A_TIME) return [];
    return [
      {
        id,
        level: 'problem',
        sentence: `A rate limit lets ${formatRate(even, 'requests')} through, whatever is sent: ${formatShare(refused / complete)} of responses were ${code} within ${formatMs(times)}. The server itself is not the limit.`,
        evidence: [idleWords(even, steps), SHARED],
        figures: [
          figure(`Responses ${code}`, `${formatCount(refused)} of ${formatCount(complete)} (${formatPercent(refused / complete)})`),
          figure(`Median of the ${code} responses`, formatMs(times)),
          figure('Let through', formatRate(even)),
        ],
        remedy: EXEMPT,
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
      },
    ];
  });
}

/** Finds nginx `limit_req` with a burst and without `nodelay`: no refusals, but requests are passed on at the rate of the limit. */
function pacing(id: string, facts: MeasuredRun): Found[] {
  const { windows, steps, latency, outcomes } = facts;
  if (outcomes.requests.ok < answeredRequests(outcomes.requests)) return [];
  const { p50, p90 } = latency.service;
  const alone = 1_000 * aloneSeconds(steps);
  if (typeof p50 !== 'number' || typeof p90 !== 'number' || overloadedShare(facts) > MAX_OVERLOADED_SHARE) return [];
  const hit = windows
    .slice(1, -1)
    .filter((point) => point.inFlight >= 2 && (point.p50 ?? 0) >= Math.max(MIN_WAIT_MS, MIN_WAIT_FACTOR * alone));
  const even = evenRate(hit, ({ completed }) => completed);
  if (even === null || even * aloneSeconds(steps) > MAX_AT_A_TIME_DELAYED) return [];
  return [
    {
      id,
      level: 'warning',
      sentence: `Requests are let through at a fixed pace of ${formatRate(even)}: half of them waited ${formatMs(p50)}, although the server needs about ${formatMs(alone)} for one.`,
      evidence: [
        idleWords(even, steps),
        'A rate limit that delays instead of refusing looks like this (nginx limit_req with burst).',
        SHARED,
      ],
      figures: [figure('Let through', formatRate(even)), figure('Shortest time', formatMs(alone)), figure('Median', formatMs(p50))],
      remedy: EXEMPT,
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
    },
  ];
}

/** Returns the undelayed seconds per request, weighted by the successful requests of each step. */
function aloneSeconds(steps: MeasuredRun['steps']): number {
  const all = steps.reduce((sum, { requests }) => sum + requests.ok, 0);
  const total = steps.reduce((sum, { requests, latency, latencyByStatusClass }) => {
    const min = latencyByStatusClass['2xx']?.min ?? latency.service.min;
    return sum + (typeof min === 'number' ? requests.ok * min : 0);
  }, 0);
  return all === 0 ? 0 : total / all / 1_000;
}

/** Returns the rate of an almost constant count per second; null if it varies randomly or too few seconds were seen. */
function evenRate(points: readonly Point[], countOf: (point: Point) => number): number | null {
  // The first second contains the burst that passes at once.
  const counts = points
    .slice(1)
    .filter(({ width }) => width === 1)
    .map(countOf);
  // On a busy computer, late responses count in the next second. Pairs of seconds even this out.
  const pairs = counts.flatMap((count, index) => (index % 2 === 1 ? [count + (counts[index - 1] ?? 0)] : []));
  return isEven(counts) || isEven(pairs) ? meanOf(counts) : null;
}

function isEven(counts: readonly number[]): boolean {
  if (counts.length < MIN_SECONDS) return false;
  const mean = meanOf(counts);
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
  return mean > 0 && variance <= MAX_DISPERSION * mean;
}

function idleWords(perSecond: number, steps: MeasuredRun['steps']): string {
  const alone = aloneSeconds(steps);
  return `${formatRate(perSecond)} × ${formatMs(1_000 * alone)} = ${formatNumber(perSecond * alone)} requests at a time (Little’s law). A server that is the limit works on at least one.`;
}

/** Longest time of a response without any wait. */
const MAX_IMMEDIATE_MS = 10;
const MIN_REFUSALS = 5;

/**
 * Finds quick 502 responses beside successes in the same seconds at a busy server: the queue before it is full. The proxy connects to a Unix socket with a
 * full backlog (PHP-FPM: EAGAIN), which fails at once. A server that is down fails all of its requests.
 */
export const fullBacklog: Rule = {
  id: 'fullBacklog',
  find({ windows, status, latencyByStatusClass, outcomes, servers, steps, rates }) {
    const complete = answeredRequests(outcomes.requests);
    const refused = status['502'] ?? 0;
    const others5xx = Object.entries(status).reduce((sum, [code, count]) => sum + (code.startsWith('5') && code !== '502' ? count : 0), 0);
    const times = latencyByStatusClass['5xx'];
    if (refused < MIN_REFUSALS || refused < MIN_REFUSED * complete || others5xx > refused / 10) return [];
    if (typeof times?.p50 !== 'number' || times.p50 > MAX_IMMEDIATE_MS) return [];
    const hit = windows.filter((point) => (point.status['502'] ?? 0) > 0);
    const together = hit.filter(({ ok }) => ok > 0);
    const good = latencyByStatusClass['2xx']?.p50;
    const okPerSecond = ((rates.completedPerSecond ?? 0) * outcomes.requests.ok) / Math.max(1, complete);
    const isBusy = okPerSecond * aloneSeconds(steps) > MAX_AT_A_TIME;
    if (together.length < Math.max(1, hit.length / 2) || typeof good !== 'number' || good < MIN_WAIT_FACTOR * times.p50 || !isBusy)
      return [];
    // One of several servers that is down also refuses at once.
    if (servers.some(({ silent }) => silent.length > 0)) return [];
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `The queue before the server is full: ${formatShare(refused / complete)} of responses were 502 within ${formatMs(times.p50)}, while others succeeded in the same seconds.`,
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
      },
    ];
  },
};
