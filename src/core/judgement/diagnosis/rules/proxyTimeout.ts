import { formatCount, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { figure, NEGLIGIBLE_SHARE, rangeOf, type Found, type Rule } from '../rule.ts';

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
      sentence: `${formatShare(givenUp / complete)} of the answers were given up by the proxy after ${formatMs(limit)} (504): that is its time limit, not a time of the page.${
        pinsPercentile
          ? ` 19 of 20 answers within ${formatMs(overall)} is the same limit: how long the rest would have taken is not known.`
          : ''
      }`,
      evidence: [
        isExact ? 'All of them took equally long, which no page does.' : 'Most of them took equally long, which no page does.',
        ...(round === undefined ? [] : [`${formatMs(round)} is a number that people set.`]),
        'The server behind does not hear of it and goes on working for visitors who are no longer there.',
      ],
      figures: [
        figure('504', `${formatCount(givenUp)} of ${formatCount(complete)} answers (${formatPercent(givenUp / complete)})`),
        figure('Shortest, middle and longest of their times', `${formatMs(min)}, ${formatMs(p50)}, ${formatMs(max)}`),
        figure('Good answers', formatCount(ledger.requests.ok)),
        figure('Answers a second', formatRate(rates.completedPerSecond)),
      ],
      remedy:
        'More comes in than the server behind the proxy works off, or single answers take too long: look at its workers and its queue. A longer limit of the proxy (in nginx proxy_read_timeout) only lets visitors wait longer.',
      confidence: isExact && round !== undefined ? 'certain' : 'likely',
      range: rangeOf(hit),
      insteadOf: ['unexpectedStatus.504', 'slowTail', 'averageHides.*'],
    };
    return [found];
  },
};
