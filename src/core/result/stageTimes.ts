import { z } from 'zod';
import { secondsOf } from '#core/work/load/stages.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';

/** Facts that only the engine knows at the end of a run. They are missing for a run whose process was killed. */
export const engineEndFactsSchema = z.strictObject({
  /** For each step, the body length of the first complete response of the run; null if there was none. */
  firstBodyLengths: z.array(z.int().nullable()),
  /** The Server header of the first complete response. */
  serverSoftware: z.string().nullable(),
  /**
   * Number of requests by the address to which they were sent: an IP address, or the path of a Unix socket. In results of earlier versions,
   * number of connections.
   */
  addresses: z.record(z.string(), z.int().min(0)).default({}),
  /** Number of connection attempts that had no result within 250 ms, by address. */
  silentAddresses: z.record(z.string(), z.int().min(0)).optional(),
  /** Number of links on pages to hosts outside the plan, by host. */
  leftOut: z.record(z.string(), z.int().min(0)).optional(),
  /** For each stage that was reached: when its first request was due, and when its load ended, without the drain. */
  stages: z.array(z.strictObject({ startedAtSecond: z.number(), endedAtSecond: z.number() })),
  /** Second at which the run ended, including the drain. */
  endedAtSecond: z.number(),
});
export type EngineEndFacts = z.infer<typeof engineEndFactsSchema>;

/** The start and end of a stage in a result; null if it was never reached. */
interface ReachedStage {
  readonly startedAtSecond: number | null;
  readonly endedAtSecond: number | null;
}

/** Seconds of the run over which the rates of a stage are computed. */
export interface StageTime {
  readonly from: number;
  readonly to: number;
}

/** Records when each stage started requests. Windows must be in order of time. */
export class StartTimes {
  private readonly times = new Map<number, StageTime>();

  add({ cells, second, width }: Window): void {
    for (const { stage, started } of cells)
      if (started > 0) this.times.set(stage, { from: this.times.get(stage)?.from ?? second, to: second + width });
  }

  /** Returns the time in which a stage started requests; null if it started none. */
  of(stage: number): StageTime | null {
    return this.times.get(stage) ?? null;
  }
}

/**
 * Returns the time in which the load of a stage was running; null if the stage was never reached. If the stage ends by time, it is the time
 * from its first request to the end of its load. Responses in the drain count in its figures but not in its rates (see `LoadedCount`),
 * because one very late response would distort them. If the stage ends by requests, it is the time to the last response, as in ApacheBench.
 * `seen`: time of its requests according to the windows, for a run without {@link EngineEndFacts}.
 */
export function findStageTime(plan: Plan, stage: number, end: EngineEndFacts | null, seen: StageTime | null): StageTime | null {
  const facts = end?.stages[stage];
  if (!end || !facts) return seen;
  if (endsByTime(plan, stage) && facts.endedAtSecond > facts.startedAtSecond)
    return { from: facts.startedAtSecond, to: facts.endedAtSecond };
  // If another stage follows, the stage was complete before that one began. The last stage may still have been drained.
  const to = stage === end.stages.length - 1 ? Math.max(end.endedAtSecond, facts.endedAtSecond) : facts.endedAtSecond;
  return { from: facts.startedAtSecond, to: Math.max(to, facts.startedAtSecond) };
}

function endsByTime(plan: Plan, stage: number): boolean {
  const found = plan.load.stages[stage];
  return found !== undefined && secondsOf(found) !== null;
}

/** Returns the time in which the load of a result's stage was running; null if the stage was never reached. */
export function timeOf(stage: ReachedStage | undefined): StageTime | null {
  const { startedAtSecond, endedAtSecond } = stage ?? { startedAtSecond: null, endedAtSecond: null };
  return startedAtSecond === null || endedAtSecond === null ? null : { from: startedAtSecond, to: endedAtSecond };
}

/** Returns the load times of the judged stages, in seconds of the run, without stages that were never reached. */
export function listLoadedTimes({ plan, stages }: { readonly plan: Plan; readonly stages: readonly ReachedStage[] }): StageTime[] {
  return listJudgedStages(plan).flatMap((index) => timeOf(stages[index]) ?? []);
}
