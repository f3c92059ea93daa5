import { capitalized } from '#core/base/text.ts';
import { wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { errorWords, isReason } from '#core/work/bodyCheck/words.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { formatPart, formatCount } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** Finds journeys that ended because a side call failed, or whose reason a side call returned. */
export const sideCallsFailed: Rule = {
  id: 'sideCallsFailed',
  find({ sideCalls = [] }) {
    return sideCalls.flatMap(({ name, requests, errors }) => {
      const said = Object.entries(errors).filter(([error]) => isReason(error));
      const reasons = said.reduce((sum, [, count]) => sum + count, 0);
      const failed = wantedRequests(requests) - requests.ok - reasons;
      return [
        ...(reasons === 0
          ? []
          : [
              {
                id: `siteSaysWhy.${name}`,
                level: 'problem' as const,
                sentence: `${formatCount(reasons)} ${reasons === 1 ? 'time' : 'times'} the site itself gave the reason for a failure: ${mostFrequent(said)}`,
                evidence: said.map(([error, count]) => `${errorWords(error)}: ${formatCount(count)}`),
                remedy: 'Correct what it names, in the plan or in the site’s settings, and run the test again.',
                confidence: 'certain' as const,
                range: null,
              },
            ]),
        ...(failed === 0
          ? []
          : [
              {
                id: `${this.id}.${name}`,
                level: 'problem' as const,
                sentence: `${capitalized(formatPart(failed, requests.sent))} side calls of “${name}” failed, and each journey that needed one ended there.`,
                evidence: [
                  ...Object.entries(errors).flatMap(([error, count]) =>
                    isReason(error) ? [] : [`${errorWords(error)}: ${formatCount(count)}`],
                  ),
                  ...(requests.inFlight > 0 ? [`no response: ${formatCount(requests.inFlight)}`] : []),
                ],
                remedy:
                  'The target got less load than planned. Make sure the server of the side calls responds, then run the test again. “Failure samples” shows its responses.',
                confidence: 'certain' as const,
                range: null,
              },
            ]),
      ];
    });
  },
};

function mostFrequent(said: readonly (readonly [string, number])[]): string {
  const [first] = said.toSorted(([, one], [, other]) => other - one);
  return first === undefined ? '' : (readErrorName(first[0]).label ?? '');
}
