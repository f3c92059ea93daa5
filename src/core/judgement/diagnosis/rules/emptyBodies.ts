import type { Finding } from '#core/result/schema.ts';
import { formatBytes, formatCount } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

/** Answers with a good status and no body although the page has one: the server gave up on them without saying so. */
export const emptyBodies: Rule = {
  id: 'emptyBodies',
  find({ steps }) {
    return steps.flatMap((step): Finding[] => {
      const { first, empty } = step.bodyLength;
      if (empty === 0 || first === null || first === 0) return [];
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: `${formatCount(empty)} answers to “${step.name}” came without any content although the page has ${formatBytes(first)}.`,
          evidence: [`${formatCount(empty)} empty of ${formatCount(answered(step.requests))} complete answers`],
          remedy: 'These are failures that the status code hides. Look into the server’s and the proxy’s error logs at that time.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
