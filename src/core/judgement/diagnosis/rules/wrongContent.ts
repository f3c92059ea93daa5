import { errorWords, isCheckError } from '#core/work/bodyCheck/words.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

const NOTICEABLE = 0.01;
const MOST_LISTED = 5;

/** Answers that look good by their status and are not by their content: overloaded servers do this, and error pages with status 200. */
export const wrongContent: Rule = {
  id: 'wrongContent',
  find({ steps }) {
    return steps.flatMap(({ name, requests, errors }) => {
      const complete = answered(requests);
      const wrong = requests.wrongBody;
      if (wrong === 0 || wrong / complete < NOTICEABLE) return [];
      const failed = Object.entries(errors)
        .filter(([error]) => isCheckError(error))
        .sort(([, some], [, others]) => others - some)
        .slice(0, MOST_LISTED);
      return [
        {
          id: this.id,
          level: 'problem',
          sentence:
            wrong === complete
              ? `Not one answer to “${name}” had the content that the plan asks for, although the status was right.`
              : `${formatShare(wrong / complete)} answers to “${name}” had the right status and the wrong content.`,
          evidence: failed.map(([error, count]) => `${errorWords(error)}: ${formatCount(count)} of ${formatCount(complete)} answers`),
          remedy:
            wrong === complete
              ? 'Send one request and compare its content with the checks of the plan: a login page, another language or a mistyped check looks like this.'
              : 'Some pages were different under load: look into the server’s error log for that time, and for error pages that are sent with status 200.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
