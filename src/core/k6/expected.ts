import type { Plan } from '#core/plan/schema/plan.ts';
import type { K6Layout } from './layout.ts';

/** Whether an answer with this status is as the plan wants it. A redirect that is followed is; what a page links to has no expectations of its own. */
export function isExpectedStatus(plan: Pick<Plan, 'journey'>, layout: Pick<K6Layout, 'requests'>, slot: number, status: number): boolean {
  const request = layout.requests[slot];
  const step = request === undefined ? undefined : plan.journey[request.step];
  if (request === undefined || step === undefined || status === 0) return false;
  const isFollowed = step.redirects !== undefined || request.resource !== null;
  if (isFollowed && status >= 300 && status < 400) return true;
  const isOwn = request.resource === null;
  return isOwn && step.expectStatus !== undefined ? step.expectStatus.includes(status) : status >= 200 && status < 300;
}
