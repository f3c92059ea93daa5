import { recordedRequests } from '#core/plan/requests.ts';
import type { ResourceKind } from '#core/plan/schema/pages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** The number by which what the redirects of a step lead to is told: its place among the requests that a run records. */
export function redirectSlotOf(plan: Plan, step: number): number {
  const found = recordedRequests(plan).findIndex((request) => request.step === step && request.isRedirect);
  return found < 0 ? step : found;
}

/** The same of what its pages link to, by kind. */
export function resourceSlotsOf(plan: Plan, step: number): { kind: ResourceKind; slot: number; name: string }[] {
  return recordedRequests(plan).flatMap(({ step: of, resource, name }, slot) =>
    of === step && resource !== null ? [{ kind: resource, slot, name }] : [],
  );
}
