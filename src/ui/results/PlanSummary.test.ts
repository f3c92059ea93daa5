import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { describePlan } from '#core/review/describe.ts';
import { listRules } from './PlanSummary.tsx';

describe('the rules of a plan', () => {
  it('do not repeat the description of the plan', () => {
    const plan = planWith({ timeoutSeconds: 30, drainSeconds: 7, safety: { maxRequests: 1_000, maxSeconds: 90 } });
    expect(describePlan(plan).sentences.join(' ')).toContain('30 s. At the end, Holdfast waits up to 7 s');
    expect(listRules(plan)).toEqual(['Stops after 1,000 requests.', 'Stops after 90 s.', expect.stringMatching(/^Engine /)]);
  });
});
