import type { Client } from '#contract/rpc/client.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { forAccountAt, hasSeveralAccounts, TRIAL_SHARES, trialPlan, trialProblem } from '#core/work/samples/trial.ts';

/**
 * Tries a journey with a login before its load, with up to three accounts, up to the first step that stores data. A rejected login is reported before the load.
 * @throws {HoldfastError} `TRIAL_FAILED` with the page's own words.
 */
export async function requireGoodTrial(plan: Plan, agreed: string[], client: Client): Promise<void> {
  const trial = trialPlan(plan);
  if (trial === null) return;
  for (const share of hasSeveralAccounts(trial) ? TRIAL_SHARES : TRIAL_SHARES.slice(0, 1)) {
    const report = await client.call('plans.try', { plan: forAccountAt(trial, share), agreed, feedAt: share });
    const problem = trialProblem(trial, report, share);
    if (problem !== null) throw problem;
  }
}
