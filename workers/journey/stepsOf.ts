import { buildFlow, namesInFlow } from '#core/work/journey/flow/executions.ts';
import type { WorkerData } from '../messages.ts';
import { type DrivenStep, drivenSteps } from './drivenSteps.ts';
import { type Script, buildScript } from './script.ts';

export interface StepsOfStage {
  readonly steps: readonly DrivenStep[];
  /** Number of steps of each journey; Infinity for a flow. */
  readonly stepCount: number;
  readonly script: Script | null;
}

/**
 * Returns the requests of a stage for one target: prepared once if all journeys are the same, otherwise a script.
 * @throws {HoldfastError} if a request can never be built.
 */
export function stepsOf(data: WorkerData, target: number, stage: number): StepsOfStage {
  const stepCount = data.plan.flow === undefined ? namesInFlow(buildFlow(data.plan)).length : Number.POSITIVE_INFINITY;
  const script = buildScript(data, target, stage);
  return script === null ? { steps: drivenSteps(data, target), stepCount, script } : { steps: [], stepCount, script };
}
