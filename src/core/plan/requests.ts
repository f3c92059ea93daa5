import { RESOURCE_WORDS, type ResourceKind } from './schema/pages.ts';
import type { Plan } from './schema/plan.ts';

/** A kind of request that has figures of its own. */
export interface RecordedRequest {
  readonly name: string;
  /** Position of the step that it belongs to. */
  readonly step: number;
  /** Not what the step says, but what an answer to it sent on to. */
  readonly isRedirect: boolean;
  /** What a page of the step links to, of this kind; null for the requests of the step itself. */
  readonly resource: ResourceKind | null;
  /** false: a side call, which is part of no figure. */
  readonly isMeasured: boolean;
}

/**
 * Every kind of request that a run records, in the order of its figures: the steps of the journey first, at their own positions, then the redirects
 * that are followed, step by step, and then what pages link to, step by step and kind by kind.
 */
export function recordedRequests({ journey }: Pick<Plan, 'journey'>): RecordedRequest[] {
  const isMeasured = (step: number): boolean => journey[step]?.measured !== false;
  const steps = journey.map(({ name }, step) => ({ name, step, isRedirect: false, resource: null, isMeasured: isMeasured(step) }));
  const redirects = journey.flatMap(({ name, redirects: followed }, step) =>
    followed === undefined ? [] : [{ name: `${name} › redirects`, step, isRedirect: true, resource: null, isMeasured: isMeasured(step) }],
  );
  const resources = journey.flatMap(({ name, resources: fetched }, step) =>
    kindsOf(fetched).map((resource) => ({
      name: `${name} › ${RESOURCE_WORDS[resource]}`,
      step,
      isRedirect: false,
      resource,
      isMeasured: isMeasured(step),
    })),
  );
  return [...steps, ...redirects, ...resources];
}

/** Each kind once, whatever the plan says. */
function kindsOf(fetched: Plan['journey'][number]['resources']): ResourceKind[] {
  return [...new Set(fetched?.kinds)];
}
