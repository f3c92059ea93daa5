import { answeredRequests } from '#core/measurement/ledger.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Point } from '#core/result/schema.ts';
import { figure, type Found, NEGLIGIBLE_SHARE, rangeOf, type Rule, rangeOfTimes } from '../rule.ts';

const LEAST_ANSWERS = 5;
/** What a proxy gives up takes as long as it waits, give or take this share. */
const PINNED = 0.05;
/** Nobody sets a shorter limit, and quick 504 have other causes. */
const LEAST_LIMIT_MS = 500;
/** Limits that people set, in seconds. */
const ROUND_SECONDS = [1, 2, 3, 5, 6, 10, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 180, 240, 300, 600];
const ROUND_WITHIN = 0.03;

/** Answers 504 that all took equally long: that time is the patience of the proxy and not a time of the page. */
export const proxyTimeout: Rule = {
  id: 'proxyTimeout',
  find({ latencyByStatusClass, status, ledger, latency, windows, rates }) {
    const givenUp = status['504'] ?? 0;
    // Of the counted stages, as the 504 are: the ledger is of the whole run.
    const complete = Object.values(status).reduce((sum, count) => sum + count, 0);
    const times = latencyByStatusClass['5xx'];
    const failures = Object.entries(status).reduce((sum, [code, count]) => sum + (code.startsWith('5') ? count : 0), 0);
    if (times === undefined || givenUp < LEAST_ANSWERS || givenUp < NEGLIGIBLE_SHARE * complete) return [];
    const { p50, p95, min, max } = times;
    if (typeof p50 !== 'number' || typeof p95 !== 'number' || typeof min !== 'number' || typeof max !== 'number') return [];
    // Others with 500 among them: the middle of all is only that of the 504 where these are most of them.
    if (p50 < LEAST_LIMIT_MS || givenUp < 0.8 * failures || p95 > (1 + PINNED) * p50) return [];
    const isExact = min >= (1 - PINNED) * p50 && max <= (1 + PINNED) * p50;
    const round = ROUND_SECONDS.map((seconds) => 1_000 * seconds).find((limit) => Math.abs(limit - p50) <= ROUND_WITHIN * limit);
    const limit = round ?? p50;
    const overall = latency.service.p95;
    const pinsPercentile = typeof overall === 'number' && Math.abs(overall - p50) <= PINNED * p50;
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
        figure('Successful responses', formatCount(ledger.requests.ok)),
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

/** With these a proxy says that it has no connection left for the server behind it: nginx 500 without a free file, others 502 or 503. */
const NO_SLOT = ['500', '502', '503'] as const;
/** A second in which so many of the answers are of that kind is one of refusal. */
const REFUSING = 0.2;
const LEAST_SLOTS = 20;
/** Answering so takes no work. */
const QUICK_MS = 100;
/** Or it takes about as long as a good answer, where the way there takes longest. */
const LIKE_GOOD = 1.5;
/** So many of the good answers before the first refusal must have had a connection of their own. */
const OWN_CONNECTION = 0.8;

/**
 * A proxy that holds a slot (a file, a connection) for each visitor's open connection refuses once all are taken: it answers at once, and well only as many a second as
 * slots come free, slots / keep-alive seconds, whatever is asked for and however trivial the page is. Told by connections that are opened for each visitor, quick
 * failures, and as many good answers before the first as there are slots.
 */
export const proxySlots: Rule = {
  id: 'proxySlots',
  find({ plan, windows, status, ledger, latencyByStatusClass, connectionsOpened, requestsOnReusedConnection }) {
    const complete = answeredRequests(ledger.requests);
    const refusals = NO_SLOT.reduce((sum, code) => sum + (status[code] ?? 0), 0);
    const times = latencyByStatusClass['5xx']?.p50;
    const good = latencyByStatusClass['2xx']?.p50;
    if (typeof times !== 'number' || refusals < 0.05 * complete || ledger.requests.ok < LEAST_SLOTS) return [];
    if (times > Math.max(QUICK_MS, typeof good === 'number' ? LIKE_GOOD * good : 0)) return [];
    // Connections that are used again and again are few, and those that are closed after each answer hold nothing.
    if (plan.connections.reuse === 'never' || requestsOnReusedConnection > 0.5 * complete) return [];
    const first = windows.findIndex(isRefusing);
    const before = windows.slice(0, first + 1);
    const slots = before.reduce((sum, { ok }) => sum + ok, 0);
    if (first < 0 || slots < LEAST_SLOTS || connectionsOpened < OWN_CONNECTION * slots) return [];
    const after = windows.slice(first + 1).filter(({ completed }) => completed > 0);
    const seconds = after.reduce((sum, { width }) => sum + width, 0);
    const freed = after.reduce((sum, { ok }) => sum + ok, 0);
    const perSecond = seconds > 0 ? freed / seconds : null;
    // Slots fill first: a server that refuses from the first second on, and succeeds as often later, has another reason.
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
 * How long a slot is held, in seconds. As long as there are refusals a slot is taken again at once when it comes free, so between any good answer and the one that
 * is as many later as there are slots lies the time for which one is held. Told from the middle of the first fill on, in whole rounds; null for less than one.
 */
function heldFor(windows: readonly Point[], slots: number): number | null {
  const total = windows.reduce((sum, { ok }) => sum + ok, 0);
  const rounds = Math.floor(total / slots - 0.5);
  const [from, to] = [secondOf(windows, slots / 2), secondOf(windows, slots * (0.5 + rounds))];
  return rounds < 1 || from === null || to === null || to <= from ? null : (to - from) / rounds;
}

/** When the good answer of this number came, as if those of a second came evenly. */
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
  return completed > 0 && refusals > REFUSING * completed;
}
