import { errorWords } from '#core/bodyCheck/words.ts';
import { formatCount } from '#core/units.ts';
import type { Rule } from '../rule.ts';

/** Journeys ended because something that is no part of any figure did not answer well. */
export const sideCallsFailed: Rule = {
  id: 'sideCallsFailed',
  find({ sideCalls = [] }) {
    return sideCalls.flatMap(({ name, requests, errors }) => {
      const failed = requests.sent - requests.ok;
      if (failed === 0) return [];
      return [
        {
          id: this.id,
          level: 'problem' as const,
          sentence: `${formatCount(failed)} of ${formatCount(requests.sent)} side calls of “${name}” failed, and each time the journey that needed it ended there.`,
          evidence: [
            ...Object.entries(errors).map(([error, count]) => `${errorWords(error)}: ${formatCount(count)}`),
            ...(requests.inFlight > 0 ? [`never answered: ${formatCount(requests.inFlight)}`] : []),
          ],
          remedy:
            'Less was asked of the target than planned. See that the server of the side calls answers, then run again; “Failures to look at” shows what it said.',
          confidence: 'certain' as const,
          range: null,
        },
      ];
    });
  },
};
