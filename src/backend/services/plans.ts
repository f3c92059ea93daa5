import type { CallHandlers } from '#contract/rpc/server.ts';
import { checkPlan } from '#core/review/check.ts';
import { describePlan } from '#core/review/describe.ts';
import { parsePlan } from '#core/review/parse.ts';
import type { Agreements } from '#backend/agreements/agreements.ts';

/** What is said of plans without opening anything for them. */
export function createPlanCalls(agreements: Agreements): Pick<CallHandlers, 'plans.parse' | 'plans.describe' | 'plans.check'> {
  return {
    'plans.parse': ({ source }) => parsePlan(source),
    'plans.describe': ({ plan }) => describePlan(plan),
    'plans.check': ({ plan, series, on }) => ({ issues: checkPlan(plan), ...agreements.look({ plan, series, on }) }),
  };
}
