import { recordedRequests } from '#core/plan/requests.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

/** Most answers are redirects: the test measured the way to another page, mostly the login form, and not the page itself. */
export const redirectMeasured: Rule = {
  id: 'redirectMeasured',
  find({ steps, plan }) {
    return steps.flatMap((step, index): Finding[] => {
      const complete = answered(step.requests);
      const redirects = countOf(step.status, (status) => status >= 300 && status < 400 && status !== 304);
      const recorded = recordedRequests(plan).find(({ name }) => name === step.name);
      const sent = plan.journey[recorded?.step ?? index];
      if (sent?.redirects !== undefined || recorded?.resource) return [];
      const wanted = sent?.expectStatus?.some((status) => status >= 300 && status < 400) ?? false;
      if (complete === 0 || wanted || redirects / complete < 0.5) return [];
      return [
        {
          id: this.id,
          level: 'problem',
          sentence: `“${step.name}” was answered with a redirect, so this test measured the redirect and not the page.`,
          evidence: [
            `${formatCount(redirects)} of ${formatCount(complete)} answers (${formatShare(redirects / complete)}) have a status from 300 to 399`,
          ],
          remedy:
            'If the page lies behind a login, log in on the Target page or give the cookie; otherwise test the address that the redirect leads to.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

function countOf(statuses: Readonly<Record<string, number>>, matches: (status: number) => boolean): number {
  let sum = 0;
  for (const [status, count] of Object.entries(statuses)) if (matches(Number(status))) sum += count;
  return sum;
}
