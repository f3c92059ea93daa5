import { formatCount, formatMs } from '#core/base/units.ts';
import { figure, type Rule } from '../rule.ts';

/** With none of so many beyond it, a limit on the 95th percentile is kept with 95 % confidence: ln 0.05 / ln 0.95 (see docs/method.md). */
const ENOUGH = 59;

/** Percentiles of a handful of answers, which the next run would not repeat. */
export const tooFewSamples: Rule = {
  id: 'tooFewSamples',
  find({ steps, run }) {
    if (run.state !== 'finished') return [];
    // Where nothing went well, that is what there is to say.
    const few = steps.filter(({ requests, latency }) => requests.ok > 0 && latency.service.count > 0 && latency.service.count < ENOUGH);
    if (few.length === 0) return [];
    const least = few.reduce((one, other) => (other.latency.service.count < one.latency.service.count ? other : one));
    const { count, p50, p95 } = least.latency.service;
    return [
      {
        id: this.id,
        level: 'info',
        sentence: `There are too few answers to go by: ${formatCount(count)} to “${least.name}”. “19 of 20 within ${formatMs(p95)}” is the time of ${count < 20 ? 'the slowest one' : 'the slowest two or three'}, and would be another in the next run.`,
        evidence: [`For 19 of 20 at least ${ENOUGH} answers are needed, for 99 of 100 at least 299, for 999 of 1,000 at least 2,995.`],
        figures: few
          .map(({ name, latency }) => figure(`Answers to “${name}”`, formatCount(latency.service.count)))
          .concat(figure('Median', formatMs(p50))),
        remedy:
          'Let it run for longer, or repeat it, before you compare it with anything. The median can be trusted from about 20 answers on.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
