import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { stageName } from '#core/plan/names.ts';
import type { Choice, FlowPart } from '#core/plan/schema/flow.ts';

type FlowSource = Pick<Plan, 'journey' | 'flow'>;

/**
 * Returns the flow of a plan, which by default is all steps in order. Background steps, and steps that ask for the reason of a failure,
 * belong to no flow.
 */
export function buildFlow({ journey, flow }: FlowSource): readonly FlowPart[] {
  return flow ?? journey.flatMap(({ name, background, explains }) => (background === undefined && explains === undefined ? [name] : []));
}

/** Returns the flows inside a part, with their relative paths. */
export function listFlows(part: FlowPart): { readonly flow: readonly FlowPart[]; readonly path: string }[] {
  if (typeof part === 'string') return [];
  if ('choose' in part) return part.choose.map(({ flow }, index) => ({ flow, path: `choose[${index}].flow` }));
  return [{ flow: part.flow, path: 'flow' }];
}

/** Returns the names of all steps in a flow, in the order in which they are written. */
export function namesInFlow(flow: readonly FlowPart[]): string[] {
  return flow.flatMap((part) => (typeof part === 'string' ? [part] : listFlows(part).flatMap((inner) => namesInFlow(inner.flow))));
}

/** Returns whether a plan has unmeasured steps. */
export function hasSideCalls({ journey }: Pick<Plan, 'journey'>): boolean {
  return journey.some(({ measured }) => measured === false);
}

/** Returns the position of the first measured step, at which journeys are counted. */
export function firstStepIndex(plan: FlowSource): number {
  const positions = namesInFlow(buildFlow(plan)).map((name) => plan.journey.findIndex((step) => step.name === name));
  return positions.find((position) => plan.journey[position]?.measured !== false) ?? 0;
}

/** How often a journey does something. Null if that is unknown in advance, as for list items. */
export interface ExecutionCount {
  readonly least: number;
  readonly mean: number | null;
  readonly most: number | null;
}

const NO_EXECUTIONS: ExecutionCount = { least: 0, mean: 0, most: 0 };
const ONE_EXECUTION: ExecutionCount = { least: 1, mean: 1, most: 1 };

/** Returns the measured step requests per journey of a stage, without redirects and polls. */
export function requestsPerJourney(plan: Plan, stage: number): ExecutionCount {
  const measured = new Set(plan.journey.flatMap(({ name, measured: isMeasured }) => (isMeasured === false ? [] : [name])));
  return sumExecutions(buildFlow(plan), (name) => measured.has(name), stageName(plan, stage));
}

/** Returns how often a journey of a stage takes a step. */
export function countExecutions(plan: Plan, step: string, stage: number): ExecutionCount {
  return sumExecutions(buildFlow(plan), (name) => name === step, stageName(plan, stage));
}

/** Returns the number of measured requests per journey if it is the same for all journeys of a stage; null otherwise. */
export function countFixedRequests(plan: Plan, stage: number): number | null {
  const { least, most } = requestsPerJourney(plan, stage);
  return least === most ? least : null;
}

/**
 * Returns how many requests count as one journey, for a stage that ends by requests. If journeys differ, the stage can only belong to a
 * trial, where one request stands for one journey.
 */
export function stepsPerJourney(plan: Plan, stage: number): number {
  return Math.max(1, countFixedRequests(plan, stage) ?? 1);
}

/** Returns the mean number of requests per journey, or the minimum if a list determines the number. */
export function requestsOnAverage(plan: Plan, stage: number): number {
  const { least, mean } = requestsPerJourney(plan, stage);
  return mean ?? least;
}

/** Returns whether every journey is a single request. Such a journey is called a request. */
export function isSingleRequest(plan: Plan): boolean {
  return plan.load.stages.every((_, stage) => requestsPerJourney(plan, stage).most === 1);
}

export function weightOf({ weight, weightIn }: Choice, stage: string): number {
  return getOwn(weightIn, stage) ?? weight;
}

/** Returns how often a journey takes matching steps, ignoring `once`. */
export function sumExecutions(flow: readonly FlowPart[], isWanted: (step: string) => boolean, stage: string): ExecutionCount {
  return flow.reduce<ExecutionCount>((sum, part) => addExecutions(sum, executionsOfPart(part, isWanted, stage)), NO_EXECUTIONS);
}

function executionsOfPart(part: FlowPart, isWanted: (step: string) => boolean, stage: string): ExecutionCount {
  if (typeof part === 'string') return isWanted(part) ? ONE_EXECUTION : NO_EXECUTIONS;
  if ('choose' in part) return executionsOfChoices(part.choose, isWanted, stage);
  const innerCount = sumExecutions(part.flow, isWanted, stage);
  if ('repeat' in part) {
    const { from, to } = typeof part.repeat === 'number' ? { from: part.repeat, to: part.repeat } : part.repeat;
    return {
      least: innerCount.least * from,
      mean: multiplyOrNull(innerCount.mean, (from + to) / 2),
      most: multiplyOrNull(innerCount.most, to),
    };
  }
  if (innerCount.most === 0) return NO_EXECUTIONS;
  return { least: 0, mean: null, most: part.atMost === undefined ? null : multiplyOrNull(innerCount.most, part.atMost) };
}

function executionsOfChoices(choices: readonly Choice[], isWanted: (step: string) => boolean, stage: string): ExecutionCount {
  const possible = choices
    .map((choice) => ({ weight: weightOf(choice, stage), inside: sumExecutions(choice.flow, isWanted, stage) }))
    .filter(({ weight }) => weight > 0);
  const all = possible.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return NO_EXECUTIONS;
  return {
    least: Math.min(...possible.map(({ inside }) => inside.least)),
    mean: possible.reduce<number | null>((sum, { weight, inside }) => addOrNull(sum, multiplyOrNull(inside.mean, weight / all)), 0),
    most: possible.reduce<number | null>((top, { inside: { most } }) => (top === null || most === null ? null : Math.max(top, most)), 0),
  };
}

function addExecutions(one: ExecutionCount, other: ExecutionCount): ExecutionCount {
  return { least: one.least + other.least, mean: addOrNull(one.mean, other.mean), most: addOrNull(one.most, other.most) };
}

function addOrNull(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function multiplyOrNull(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

/** Returns whether a step can occur in the journeys of a stage. */
export function isTaken(plan: Plan, step: number, stage: number): boolean {
  const found = plan.journey[step];
  return found !== undefined && (found.background !== undefined || countExecutions(plan, found.name, stage).most !== 0);
}
