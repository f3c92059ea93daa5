import type { CallHandlers } from '#contract/rpc/server.ts';
import { checkPlan, publicHosts } from '#core/plan/check.ts';
import { describePlan } from '#core/plan/describe.ts';
import { parsePlan } from '#core/plan/parse.ts';

export const planCalls: Pick<CallHandlers, 'plans.parse' | 'plans.describe' | 'plans.check'> = {
  'plans.parse': ({ source }) => parsePlan(source),
  'plans.describe': ({ plan }) => describePlan(plan),
  'plans.check': ({ plan }) => ({ issues: checkPlan(plan), publicHosts: publicHosts(plan) }),
};
