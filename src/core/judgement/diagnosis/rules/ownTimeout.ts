import { formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { answered, figure, NEGLIGIBLE_SHARE, rangeOf, type Rule } from '../rule.ts';

/** Requests that nobody answered before the plan's own patience was over: their true times are longer, by how much nobody knows. */
export const ownTimeout: Rule = {
  id: 'ownTimeout',
  find({ ledger, plan, windows, latency }) {
    const { requests } = ledger;
    if (requests.timeout === 0 || answered(requests) === 0 || requests.timeout < NEGLIGIBLE_SHARE * requests.sent) return [];
    const hit = windows.filter(({ errors }) => Object.keys(errors).some((error) => /TIMEOUT|ETIMEDOUT/.test(error)));
    const limit = formatMs(plan.timeoutSeconds * 1_000);
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatCount(requests.timeout)} of ${formatCount(requests.sent)} requests (${formatShare(requests.timeout / requests.sent)}) got no answer in time and were given up; the limit of a request is ${limit}.`,
        evidence: ['Times of answers do not hold them. The error-adjusted times do: there each of them counts as “never”.'],
        figures: [
          figure('Given up', formatCount(requests.timeout)),
          figure('19 of 20 answers that came', formatMs(latency.response.p95)),
          figure('19 of 20 of all that was asked', formatMs(latency.errorAdjusted.p95)),
        ],
        remedy:
          'People have gone long before. See what the server waits for at that time: a queue, a lock, a pool without a free connection.',
        confidence: 'certain',
        range: rangeOf(hit),
      },
    ];
  },
};
