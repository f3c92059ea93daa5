import type { Plan } from '#core/plan/schema/plan.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';

type Walked = Pick<Plan, 'journey' | 'flow'>;

/** Returns the flow of a plan; by default all steps in order. Background steps and steps that ask for the reason of a failure belong to no flow. */
export function flowOf({ journey, flow }: Walked): readonly FlowPart[] {
  return flow ?? journey.flatMap(({ name, background, explains }) => (background === undefined && explains === undefined ? [name] : []));
}

/** Returns the flows inside a part with their relative paths. */
export function flowsIn(part: FlowPart): { readonly flow: readonly FlowPart[]; readonly path: string }[] {
  if (typeof part === 'string') return [];
  if ('choose' in part) return part.choose.map(({ flow }, index) => ({ flow, path: `choose[${index}].flow` }));
  return [{ flow: part.flow, path: 'flow' }];
}

/** Returns the names of all steps in a flow, in written order. */
export function namesInFlow(flow: readonly FlowPart[]): string[] {
  return flow.flatMap((part) => (typeof part === 'string' ? [part] : flowsIn(part).flatMap((inner) => namesInFlow(inner.flow))));
}

/** Returns whether a plan has unmeasured steps. */
export function hasSideCalls({ journey }: Pick<Plan, 'journey'>): boolean {
  return journey.some(({ measured }) => measured === false);
}

/** Returns the position of the first measured step, at which journeys are counted. */
export function firstStepOf(plan: Walked): number {
  const positions = namesInFlow(flowOf(plan)).map((name) => plan.journey.findIndex((step) => step.name === name));
  return positions.find((position) => plan.journey[position]?.measured !== false) ?? 0;
}
