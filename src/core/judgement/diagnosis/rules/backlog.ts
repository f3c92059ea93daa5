import { forecastWork } from '#core/statistics/backlog.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatSeconds } from '#core/base/units.ts';
import type { Finding } from '#core/result/schema.ts';
import { waitWords } from '#core/result/waitWords.ts';
import type { Rule } from '../rule.ts';

/** A queue of fewer results than this is no queue. */
const LEAST_RESULTS = 10;

/** How fast a queue of results was worked off, and what that means for the work that is expected. */
export const backlog: Rule = {
  id: 'backlog',
  find({ waits, plan }) {
    return waits.flatMap((wait): Finding[] => {
      if (wait.begun < LEAST_RESULTS) return [];
      const left = wait.begun - wait.came;
      const overdue = wait.overdue ?? left;
      const expected = plan.demand?.results?.step === wait.step ? plan.demand.results : undefined;
      const ahead = expected === undefined || wait.perSecond === null ? null : forecastWork(expected, wait.perSecond);
      const isBehind = ahead !== null && ahead.waiting >= 1;
      return [
        {
          id: `${this.id}.${wait.step}`,
          level: isBehind ? 'problem' : overdue > 0 ? 'warning' : 'info',
          sentence: `${waitWords(wait)} ${ahead === null ? '' : aheadWords(ahead)}`.trim(),
          evidence: [
            `At most ${formatCount(wait.most)} waited at once${wait.mostAtSecond === null ? '' : `, at second ${formatNumber(wait.mostAtSecond)}`}.`,
            `Half of the results came within ${formatMs(wait.times.p50)}, 19 of 20 within ${formatMs(wait.times.p95)}, the slowest within ${formatMs(wait.times.max)}.`,
            ...(left === 0 || wait.overdue !== 0
              ? []
              : [`Those that had not come began so shortly before the end that they could not have: results took no longer than before.`]),
            ...(ahead === null || expected === undefined
              ? []
              : [
                  `Expected: ${formatCount(expected.count)} in ${formatSeconds(expected.overSeconds)}, which takes ${formatPercent(ahead.usual)} of this rate${ahead.rush === null || expected.rush === undefined ? '' : `; ${formatCount(expected.rush.count)} of them in the last ${formatSeconds(expected.rush.overSeconds)}, which takes ${formatPercent(ahead.rush)}`}.`,
                ]),
          ],
          remedy: isBehind
            ? 'Add workers: what they manage grows with their number until the database or the network between them is busy. Run this again with twice as many to see it.'
            : overdue > 0
              ? 'Let the test go on for longer than it takes to work everything off, or look whether the workers stand still.'
              : 'More workers make it faster until something else is busy: run this again with twice as many and compare the rates.',
          confidence: left > 0 ? 'likely' : 'certain',
          range: null,
        },
      ];
    });
  },
};

function aheadWords({ waiting, behindSeconds }: { waiting: number; behindSeconds: number }): string {
  if (waiting < 1) return 'At this rate the expected work is never behind for longer than one of them takes.';
  return `At this rate ${formatCount(Math.round(waiting))} will wait at the end of what is expected: ${formatSeconds(behindSeconds)} behind.`;
}
