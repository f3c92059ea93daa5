import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countPlannedJourneys } from '#core/work/load/planned.ts';
import { secondsOf } from '#core/work/load/stages.ts';
import type { EngineEnd } from './engine.ts';

export type LoadEnding = Pick<EngineEnd, 'reason' | 'problem'>;

/** Keeps the state of one load, whether it is sent by threads, by k6, by an agent or by several agents. */
export class LoadTally {
  /** Why the load ends early; null while it does not. */
  ending: LoadEnding | null = null;
  /** Number of journeys that started, or were due and could not start. */
  journeysSettled = 0;
  /** First second without a window. */
  nextSecond = 0;
  private last: Window | null = null;
  private isDraining = false;
  private readonly stagesBegun = new Set<number>();

  /** Records why the load ends. Returns false if an ending was recorded before, because only the first reason counts. */
  end(ending: LoadEnding): boolean {
    if (this.ending !== null) return false;
    this.ending = ending;
    return true;
  }

  /** Records that draining begins. Returns false if it had already begun. */
  drain(): boolean {
    if (this.isDraining) return false;
    this.isDraining = true;
    return true;
  }

  /** Records that a stage begins. Returns false if it had already begun. */
  beginStage(stage: number): boolean {
    if (this.stagesBegun.has(stage)) return false;
    this.stagesBegun.add(stage);
    return true;
  }

  add(window: Window): void {
    this.journeysSettled += countSettled(window);
    this.nextSecond = window.second + window.width;
    this.last = window;
  }

  /** Returns a window without counts. Outstanding requests stay outstanding, because a lost thread never reports their end. */
  emptyNextWindow(second = this.nextSecond): Window {
    const { inFlight = 0, side } = this.last ?? {};
    return { ...emptyWindow(second, 1), inFlight, ...(side === undefined ? {} : { side: { cells: [], inFlight: side.inFlight } }) };
  }
}

/** Returns the number of journeys of a window that started, or were due and could not start. */
export function countSettled({ journeys }: Window): number {
  return journeys.started + journeys.notStartedTarget + journeys.notStartedGenerator;
}

/** Returns how many planned journeys were not settled at the end of the load; 0 if no number was planned. */
export function journeysNotStarted(plan: Plan, settled: number, isCompleted: boolean): number {
  const planned = countPlannedJourneys(plan);
  // A stage with both a number of requests and a time limit may end at its time limit.
  const mayFallShort = !isCompleted || plan.load.stages.some((stage) => secondsOf(stage) !== null);
  return planned !== null && mayFallShort ? Math.max(0, planned - settled) : 0;
}

/** Planned start of a stage, and its own end, in seconds of the run. The end is null if the stage lasts until the next one begins. */
export interface StageTime {
  readonly fromSecond: number;
  readonly toSecond: number | null;
}

/** Returns the spans of the stages that a load reached before it ended at `endedAtSecond`. The first stage always counts as reached. */
export function stageSpans(times: readonly StageTime[], endedAtSecond: number): EngineEnd['stages'] {
  return times.flatMap(({ fromSecond, toSecond }, stage) => {
    if (stage > 0 && fromSecond > endedAtSecond) return [];
    const stageEndedAtSecond = Math.min(toSecond ?? times[stage + 1]?.fromSecond ?? endedAtSecond, endedAtSecond);
    return [{ startedAtSecond: Math.min(fromSecond, stageEndedAtSecond), endedAtSecond: stageEndedAtSecond }];
  });
}
