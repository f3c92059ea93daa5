import { stepNumberOfEvents } from '#core/measurement/streamCell.ts';
import { countExecutions } from '#core/work/journey/flow/executions.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import type { JudgeInput } from './input.ts';

/** Returns whether all users of a plan listen to a stream. If they do, headlines are about events instead of requests. */
export function listensToStreams(plan: Plan): boolean {
  const isAlwaysTaken = (step: string): boolean => plan.load.stages.every((_, stage) => countExecutions(plan, step, stage).least > 0);
  return plan.journey.some(({ stream, name }) => stream !== undefined && stream.beside !== true && isAlwaysTaken(name));
}

/** Returns events per second while the load of a stage was running; null if the stage was never reached. */
export function eventRate({ plan, stageTimes, evidence }: JudgeInput, stage: number): number | null {
  const span = stageTimes[stage] ?? null;
  if (span === null || span.to <= span.from) return null;
  return eventCount({ plan, evidence }, stage) / (span.to - span.from);
}

export function eventCount({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>, stage: number): number {
  return streamSteps(plan).reduce(
    (sum, step) => sum + evidence.of(stage, stepNumberOfEvents(step)).blocks.reduce((count, { ok }) => count + ok, 0),
    0,
  );
}

/** Returns the 95th percentile of event delays in a stage with a single stream; null if events have no sending time. */
export function eventsP95({ plan, evidence }: JudgeInput, stage: number): number | null {
  const [step, ...others] = streamSteps(plan);
  if (step === undefined || others.length > 0) return null;
  const { goodTimes } = evidence.of(stage, stepNumberOfEvents(step));
  return goodTimes.totalCount === 0 ? null : milliseconds(valueAtRank(goodTimes, percentileRank(95, goodTimes.totalCount)));
}

function streamSteps({ journey }: Plan): number[] {
  return journey.flatMap(({ stream }, step) => (stream === undefined ? [] : [step]));
}
