import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import { formatCount, formatMs, formatPortion, formatShare } from '#core/base/units.ts';
import { figure, MIN_NOTICEABLE_SHARE, type Found, type Rule } from '../rule.ts';

const SHOWN = [
  ['p50', 50],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
] as const satisfies readonly (readonly [keyof LatencySummary, number])[];
/** Largest ratio of a percentile with failures to one without, and smallest difference in ms. */
const MAX_TIME_RATIO = 0.8;
const MIN_DIFFERENCE_MS = 5;
/** Fewest responses for stable percentiles. */
const MIN_RESPONSES = 50;

/** Finds failures that are much quicker than successful responses and lower the total percentiles. */
export const fastFailures: Rule = {
  id: 'fastFailures',
  find({ steps }) {
    return steps.flatMap((step): Found[] => {
      const complete = answeredRequests(step.requests);
      const failed = complete - step.requests.ok;
      const good = step.latencyByStatusClass['2xx'];
      // Failures by content, or expected statuses, have no class of their own. Then the times of successful responses are unknown.
      if (good === undefined || good.count !== step.requests.ok || step.requests.ok < MIN_RESPONSES) return [];
      if (failed < MIN_NOTICEABLE_SHARE * complete) return [];
      const all = step.latency.service;
      const worst = SHOWN.flatMap(([name, percentile]) => {
        const [ofAll, ofGood] = [all[name], good[name]];
        if (typeof ofAll !== 'number' || typeof ofGood !== 'number') return [];
        return ofAll < MAX_TIME_RATIO * ofGood && ofGood - ofAll >= MIN_DIFFERENCE_MS ? [{ percentile, ofAll, ofGood }] : [];
      }).toSorted((one, other) => one.ofAll / one.ofGood - other.ofAll / other.ofGood)[0];
      if (worst === undefined) return [];
      const portion = formatPortion(worst.percentile);
      const quick = (['4xx', '5xx', '3xx', '1xx'] as const).flatMap((name) => {
        const times = step.latencyByStatusClass[name];
        return times === undefined || times.count === 0 ? [] : [figure(`Median of responses with ${name}`, formatMs(times.p50))];
      });
      return [
        {
          id: `${this.id}.${step.name}`,
          level: 'warning',
          sentence: `“${step.name}” looks faster than it is: ${formatShare(failed / complete)} of responses were fast failures. ${portion} of successful responses took up to ${formatMs(worst.ofGood)}; with the failures it looks like ${formatMs(worst.ofAll)}.`,
          evidence: ['A failure takes no work. Use the times of successful responses, and those that count failures as “never”.'],
          figures: [
            figure('Failed', `${formatCount(failed)} of ${formatCount(complete)} responses`),
            figure(`${portion} of successful responses within`, formatMs(worst.ofGood)),
            figure(`${portion} of all responses within`, formatMs(worst.ofAll)),
            ...quick,
          ],
          remedy: 'First find out why they fail. Until then, no time of this run says how fast the page is under this load.',
          confidence: 'certain',
          range: null,
          insteadOf: [`averageHides.${step.name}`],
        },
      ];
    });
  },
};
