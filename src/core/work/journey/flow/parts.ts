import type { Plan } from '#core/plan/schema/plan.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';

type Walked = Pick<Plan, 'journey' | 'flow'>;

/** The flow of a plan; one that says none takes its steps in their order. Steps that are sent beside the journey, or to ask why something failed, are in none. */
export function flowOf({ journey, flow }: Walked): readonly FlowPart[] {
  return flow ?? journey.flatMap(({ name, background, explains }) => (background === undefined && explains === undefined ? [name] : []));
}

/** The flows inside a part, with their paths from it. */
export function flowsIn(part: FlowPart): { readonly flow: readonly FlowPart[]; readonly path: string }[] {
  if (typeof part === 'string') return [];
  if ('choose' in part) return part.choose.map(({ flow }, index) => ({ flow, path: `choose[${index}].flow` }));
  return [{ flow: part.flow, path: 'flow' }];
}

/** Names of all steps that a flow may take, in the order in which they are written. */
export function namesInFlow(flow: readonly FlowPart[]): string[] {
  return flow.flatMap((part) => (typeof part === 'string' ? [part] : flowsIn(part).flatMap((inner) => namesInFlow(inner.flow))));
}

/** Whether steps are sent that are part of no figure. */
export function hasSideCalls({ journey }: Pick<Plan, 'journey'>): boolean {
  return journey.some(({ measured }) => measured === false);
}

/** Position of the step at which journeys are counted: the first that is measured. */
export function firstStepOf(plan: Walked): number {
  const positions = namesInFlow(flowOf(plan)).map((name) => plan.journey.findIndex((step) => step.name === name));
  return positions.find((position) => plan.journey[position]?.measured !== false) ?? 0;
}
