import { wantedRequests } from '#core/measurement/ledger.ts';
import { errorWords, isUnsent } from '#core/work/bodyCheck/words.ts';
import { formatCount } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

/** Requests that were never sent, since nothing had set a value that they need: the server is not to blame. Where there is no answer at all, `nothingAnswered` says it. */
export const notMade: Rule = {
  id: 'notMade',
  find({ ledger, steps }) {
    if (answered(ledger.requests) === 0) return [];
    return steps.flatMap(({ name, requests, errors }) => {
      if (requests.notMade === 0) return [];
      const wanted = wantedRequests(requests);
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: `${formatCount(requests.notMade)} of ${formatCount(wanted)} requests of “${name}” were never sent, because a value that they need was missing; each of these journeys ended there.`,
          evidence: Object.entries(errors).flatMap(([error, count]) =>
            isUnsent(error) ? [`${errorWords(error)}: ${formatCount(count)}`] : [],
          ),
          remedy:
            requests.notMade === wanted
              ? 'An answer before it sets a cookie, and a capture finds a value in one: send the journey once, and see which answer should have set it.'
              : 'Some answers before it were different under load and did not hold the value: look at them among “Failures to look at”.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
