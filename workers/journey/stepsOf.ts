import { flowOf, namesInFlow } from '#core/work/journey/flow/parts.ts';
import type { WorkerData } from '../messages.ts';
import { type DrivenStep, drivenSteps } from './drivenSteps.ts';
import { type Script, scriptOf } from './script.ts';

export interface StepsOfStage {
  readonly steps: readonly DrivenStep[];
  /** Of each journey; Infinity where a flow says how many. */
  readonly stepCount: number;
  readonly script: Script | null;
}

/**
 * The requests of a stage to one target: made once where journeys are always the same, else a script by which they are made.
 * @throws {HoldfastError} for a request that can never be built.
 */
export function stepsOf(data: WorkerData, target: number, stage: number): StepsOfStage {
  const stepCount = data.plan.flow === undefined ? namesInFlow(flowOf(data.plan)).length : Number.POSITIVE_INFINITY;
  const script = scriptOf(data, target, stage);
  return script === null ? { steps: drivenSteps(data, target), stepCount, script } : { steps: [], stepCount, script };
}
