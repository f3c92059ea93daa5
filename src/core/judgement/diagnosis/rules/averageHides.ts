import { formatMs } from '#core/base/units.ts';
import { figure, type Found, type Rule } from '../rule.ts';

const LEAST_ANSWERS = 100;
const LEAST_MS = 10;

/** A mean that is longer than what nine of ten answers took: it is no time that anybody waits. */
export const averageHides: Rule = {
  id: 'averageHides',
  find({ steps }) {
    return steps.flatMap((step): Found[] => {
      const { mean, p50, p90, p99, count } = step.latency.service;
      if (typeof mean !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || count < LEAST_ANSWERS) return [];
      if (mean <= p90 || mean < 2 * p50 || mean - p50 < LEAST_MS) return [];
      return [
        {
          id: `${this.id}.${step.name}`,
          level: 'info',
          sentence: `The average of “${step.name}”, ${formatMs(mean)}, is nobody’s time: half of the answers took ${formatMs(p50)} or less, and 9 of 10 less than the average. A few very long ones make it.`,
          evidence: ['Two servers with the same median can differ much by such an average, and by an average of percentiles even more.'],
          figures: [
            figure('Average', formatMs(mean)),
            figure('Median', formatMs(p50)),
            figure('9 of 10 within', formatMs(p90)),
            figure('99 of 100 within', formatMs(p99)),
          ],
          remedy: 'Compare medians and percentiles of all answers, never averages, and never averages of percentiles.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
