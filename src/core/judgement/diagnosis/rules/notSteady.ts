import { isSteady } from '#core/work/load/stages.ts';
import { unsteadyAmong } from '#core/statistics/unsteady.ts';
import { formatMs } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** A stage that was slower than another with more users or connections: it met the server in another state, and neither tells what it can do. */
export const notSteady: Rule = {
  id: 'notSteady',
  find({ stages }) {
    const levels = stages.flatMap(({ name, counted, level, latency: { response } }) => {
      const { p95, p99, count } = response;
      const isOne = level.unit !== 'arrivalsPerSecond' && isSteady(level);
      if (!counted || !isOne || typeof p95 !== 'number' || typeof p99 !== 'number') return [];
      return [{ name, level: level.to, answers: count, leastP95: p95, mostP99: p99 }];
    });
    const found = unsteadyAmong(levels);
    if (found === null) return [];
    const { lighter, heavier } = found;
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The server was not steady: 1 in 20 answers of “${lighter.name}” took ${formatMs(lighter.leastP95)} or more, and of “${heavier.name}”, with more load, 99 of 100 took ${formatMs(heavier.mostP99)} at most.`,
        evidence: levels.map(({ name, leastP95, mostP99 }) => `${name}: p95 ${formatMs(leastP95)}, p99 ${formatMs(mostP99)}`),
        remedy:
          'More load does not make a server faster: a cache was cold, or something else ran. Warm it up with a stage that does not count and run it again before you believe either.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};
