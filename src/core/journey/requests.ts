import type { Plan } from '../plan/schema.ts';

/** A kind of request that has figures of its own. */
export interface RecordedRequest {
  readonly name: string;
  /** Position of the step that it belongs to. */
  readonly step: number;
  /** Not what the step says, but what an answer to it sent on to. */
  readonly isRedirect: boolean;
}

/**
 * Every kind of request that a run records, in the order of its figures: the steps of the journey first, at their own positions, then the redirects
 * that are followed, step by step.
 */
export function recordedRequests({ journey }: Pick<Plan, 'journey'>): RecordedRequest[] {
  const steps = journey.map(({ name }, step) => ({ name, step, isRedirect: false }));
  const redirects = journey.flatMap(({ name, redirects: followed }, step) =>
    followed === undefined ? [] : [{ name: `${name} › redirects`, step, isRedirect: true }],
  );
  return [...steps, ...redirects];
}
