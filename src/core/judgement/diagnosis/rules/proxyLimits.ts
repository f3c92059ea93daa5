import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Point } from '#core/result/schema.ts';
import { figure, type Found, MAX_NEGLIGIBLE_SHARE, rangeOf, type Rule, rangeOfTimes } from '../rule.ts';

const MIN_RESPONSES = 5;
/** Tolerance of the times of responses that a proxy timed out. */
const TIME_TOLERANCE = 0.05;
/** Shorter time-outs are unusual, and quick 504 responses have other causes. */
const MIN_LIMIT_MS = 500;
/** Usual time-outs in seconds. */
const ROUND_SECONDS = [1, 2, 3, 5, 6, 10, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 180, 240, 300, 600];
const ROUND_TOLERANCE = 0.03;

/** Finds 504 responses with equal times, which are the time-out of a proxy, not times of the page. */
export const proxyTimeout: Rule = {
  id: 'proxyTimeout',
  find({ latencyByStatusClass, status, outcomes, latency, windows, rates }) {
    const givenUp = status['504'] ?? 0;
    // Counted stages only, like the 504 counts. The request outcomes cover the whole run.
    const complete = Object.values(status).reduce((sum, count) => sum + count, 0);
    const times = latencyByStatusClass['5xx'];
    const failures = Object.entries(status).reduce((sum, [code, count]) => sum + (code.startsWith('5') ? count : 0), 0);
    if (times === undefined || givenUp < MIN_RESPONSES || givenUp < MAX_NEGLIGIBLE_SHARE * complete) return [];
    const { p50, p95, min, max } = times;
    if (typeof p50 !== 'number' || typeof p95 !== 'number' || typeof min !== 'number' || typeof max !== 'number') return [];
    // With other 5xx statuses, the median is that of the 504 only if most failures are 504.
    if (p50 < MIN_LIMIT_MS || givenUp < 0.8 * failures || p95 > (1 + TIME_TOLERANCE) * p50) return [];
    const isExact = min >= (1 - TIME_TOLERANCE) * p50 && max <= (1 + TIME_TOLERANCE) * p50;
    const round = ROUND_SECONDS.map((seconds) => 1_000 * seconds).find((limit) => Math.abs(limit - p50) <= ROUND_TOLERANCE * limit);
    const limit = round ?? p50;
    const overall = latency.service.p95;
    const pinsPercentile = typeof overall === 'number' && Math.abs(overall - p50) <= TIME_TOLERANCE * p50;
    const hit = windows.filter((point) => (point.status['504'] ?? 0) > 0);
    const found: Found = {
      id: this.id,
      level: 'problem',
      sentence: `${formatShare(givenUp / complete)} of responses were 504 after ${formatMs(limit)}: that is the proxy’s time-out, not the page’s latency.${
        pinsPercentile ? ` The p95 of ${formatMs(overall)} is the same time-out: how long the rest would have taken is unknown.` : ''
      }`,
      evidence: [
        isExact ? 'All of them took the same time, unlike any page.' : 'Most of them took the same time, unlike any page.',
        ...(round === undefined ? [] : [`${formatMs(round)} is a typical configured value.`]),
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
  },
};

/** Statuses with which a proxy reports that it has no connection left: nginx sends 500 without a free file, others send 502 or 503. */
const NO_SLOT = ['500', '502', '503'] as const;
/** Smallest share of such responses in a second of refusal. */
const MIN_REFUSED_SHARE = 0.2;
const MIN_SLOTS = 20;
/** A refusal takes no work. */
const MAX_REFUSAL_MS = 100;
/** Or it takes about as long as a successful response, if the network path dominates. */
const MAX_SUCCESS_RATIO = 1.5;
/** Smallest share of successful responses before the first refusal that had a connection of their own. */
const MIN_OWN_CONNECTION_SHARE = 0.8;

/**
 * Finds a proxy that holds a slot (a file, a connection) for each open client connection and refuses when all are taken. It responds at once, and
 * successfully only at the rate at which slots become free: slots / keep-alive seconds, whatever the page. Evidence: a connection per client, quick
 * failures, and as many successes before the first failure as there are slots.
 */
export const proxySlots: Rule = {
  id: 'proxySlots',
  find({ plan, windows, status, outcomes, latencyByStatusClass, connectionsOpened, requestsOnReusedConnection }) {
    const complete = answeredRequests(outcomes.requests);
    const refusals = NO_SLOT.reduce((sum, code) => sum + (status[code] ?? 0), 0);
    const times = latencyByStatusClass['5xx']?.p50;
    const good = latencyByStatusClass['2xx']?.p50;
    if (typeof times !== 'number' || refusals < 0.05 * complete || outcomes.requests.ok < MIN_SLOTS) return [];
    if (times > Math.max(MAX_REFUSAL_MS, typeof good === 'number' ? MAX_SUCCESS_RATIO * good : 0)) return [];
    // Reused connections are few, and connections closed after each response hold no slots.
    if (plan.connections.reuse === 'never' || requestsOnReusedConnection > 0.5 * complete) return [];
    const first = windows.findIndex(isRefusing);
    const before = windows.slice(0, first + 1);
    const slots = before.reduce((sum, { ok }) => sum + ok, 0);
    if (first < 0 || slots < MIN_SLOTS || connectionsOpened < MIN_OWN_CONNECTION_SHARE * slots) return [];
    const after = windows.slice(first + 1).filter(({ completed }) => completed > 0);
    const seconds = after.reduce((sum, { width }) => sum + width, 0);
    const freed = after.reduce((sum, { ok }) => sum + ok, 0);
    const perSecond = seconds > 0 ? freed / seconds : null;
    // Slots must fill first. A server that refuses from the first second on and succeeds as often later has another reason.
    if (first === 0 && perSecond !== null && perSecond > slots / 2) return [];
    const heldSeconds = heldFor(windows, slots);
    const code = NO_SLOT.toSorted((one, other) => (status[other] ?? 0) - (status[one] ?? 0))[0] ?? '500';
    const at = windows[first]?.second ?? 0;
    return [
      {
        id: this.id,
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
        insteadOf: NO_SLOT.map((refusal) => `unexpectedStatus.${refusal}`),
      },
    ];
  },
};

/**
 * Estimates how long a slot is held, in seconds. During refusals a free slot is taken at once, so each success and the one that is `slots` later are one
 * holding time apart. Measured from the middle of the first fill in whole rounds; null for less than one round.
 */
function heldFor(windows: readonly Point[], slots: number): number | null {
  const total = windows.reduce((sum, { ok }) => sum + ok, 0);
  const rounds = Math.floor(total / slots - 0.5);
  const [from, to] = [secondOf(windows, slots / 2), secondOf(windows, slots * (0.5 + rounds))];
  return rounds < 1 || from === null || to === null || to <= from ? null : (to - from) / rounds;
}

/** Returns when the success with this number arrived, with successes spread evenly over a second. */
function secondOf(windows: readonly Point[], number: number): number | null {
  let seen = 0;
  for (const { second, width, ok } of windows) {
    if (seen + ok >= number) return second + width * ((number - seen) / ok);
    seen += ok;
  }
  return null;
}

function isRefusing({ status, completed }: Point): boolean {
  const refusals = NO_SLOT.reduce((sum, code) => sum + (status[code] ?? 0), 0);
  return completed > 0 && refusals > MIN_REFUSED_SHARE * completed;
}
