import { secondsOf } from '#core/work/load/stages.ts';
import { judgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import type { EngineEndFacts } from './engineEnd.ts';

/** When a stage of a result was loaded; null where it was never reached. */
interface ReachedStage {
  readonly startedAtSecond: number | null;
  readonly endedAtSecond: number | null;
}

/** The seconds of the run that the rates of a stage are over. */
export interface StageTime {
  readonly from: number;
  readonly to: number;
}

/** When each stage started requests. Windows are added in the order of time. */
export class StartTimes {
  private readonly times = new Map<number, StageTime>();

  add({ cells, second, width }: Window): void {
    for (const { stage, started } of cells)
      if (started > 0) this.times.set(stage, { from: this.times.get(stage)?.from ?? second, to: second + width });
  }

  /** null for a stage that has started none. */
  of(stage: number): StageTime | null {
    return this.times.get(stage) ?? null;
  }
}

/**
 * When a stage was loaded. One that ends by time: from its first request to the end of its load; what is answered in the drain
 * belongs to its figures but not to its rates (see `LoadedCount`), or one answer that is owed for minutes would spoil the rate of all. One that
 * ends by requests: to the last answer, like the time that ApacheBench takes. null for a stage that was never reached.
 * `seen` is where windows show its requests, for a run that left no {@link EngineEndFacts}.
 */
export function stageTimeOf(plan: Plan, stage: number, end: EngineEndFacts | null, seen: StageTime | null): StageTime | null {
  const facts = end?.stages[stage];
  if (!end || !facts) return seen;
  if (endsByTime(plan, stage) && facts.endedAtSecond > facts.startedAtSecond)
    return { from: facts.startedAtSecond, to: facts.endedAtSecond };
  // A stage with another after it was answered completely before that one began; the last one may still have been drained.
  const to = stage === end.stages.length - 1 ? Math.max(end.endedAtSecond, facts.endedAtSecond) : facts.endedAtSecond;
  return { from: facts.startedAtSecond, to: Math.max(to, facts.startedAtSecond) };
}

function endsByTime(plan: Plan, stage: number): boolean {
  const found = plan.load.stages[stage];
  return found !== undefined && secondsOf(found) !== null;
}

/** When the stages that figures are of were loaded, in seconds of the run; those that were never reached are left out. */
export function loadedTimes({ plan, stages }: { readonly plan: Plan; readonly stages: readonly ReachedStage[] }): StageTime[] {
  return judgedStages(plan).flatMap((index) => {
    const { startedAtSecond, endedAtSecond } = stages[index] ?? { startedAtSecond: null, endedAtSecond: null };
    return startedAtSecond === null || endedAtSecond === null ? [] : [{ from: startedAtSecond, to: endedAtSecond }];
  });
}
