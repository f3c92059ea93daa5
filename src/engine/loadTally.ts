import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countPlannedJourneys } from '#core/work/load/planned.ts';
import { secondsOf } from '#core/work/load/stages.ts';
import type { EngineEnd } from './engine.ts';

export type LoadEnding = Pick<EngineEnd, 'reason' | 'problem'>;

/** Keeps the state of one load, whether threads, k6, an agent or several of them send it. */
export class LoadTally {
  /** Why the load ends early; null unless it does. */
  ending: LoadEnding | null = null;
  /** Journeys that started, or were due and could not start. */
  journeysSettled = 0;
  /** First second without a window. */
  nextSecond = 0;
  private last: Window | null = null;
  private isDraining = false;
  private readonly stagesBegun = new Set<number>();

  /** Returns false for a later ending: the first reason counts. */
  end(ending: LoadEnding): boolean {
    if (this.ending !== null) return false;
    this.ending = ending;
    return true;
  }

  /** Returns false if draining had already begun. */
  drain(): boolean {
    if (this.isDraining) return false;
    this.isDraining = true;
    return true;
  }

  /** Returns false if this stage had already begun. */
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

  /** Returns a window without counts. Requests that were outstanding stay outstanding: a lost thread never reports their end. */
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
  // A stage with a number of requests and a time limit may reach the time limit first.
  const mayFallShort = !isCompleted || plan.load.stages.some((stage) => secondsOf(stage) !== null);
  return planned !== null && mayFallShort ? Math.max(0, planned - settled) : 0;
}

/** Planned start of a stage, and its own end, in seconds of the run; null if it lasts until the next stage begins. */
export interface StageTime {
  readonly fromSecond: number;
  readonly toSecond: number | null;
}

/** Returns the spans of the stages that a load reached that ended at `endedAtSecond`; the first stage always counts as reached. */
export function stageSpans(times: readonly StageTime[], endedAtSecond: number): EngineEnd['stages'] {
  return times.flatMap(({ fromSecond, toSecond }, stage) => {
    if (stage > 0 && fromSecond > endedAtSecond) return [];
    const stageEndedAtSecond = Math.min(toSecond ?? times[stage + 1]?.fromSecond ?? endedAtSecond, endedAtSecond);
    return [{ startedAtSecond: Math.min(fromSecond, stageEndedAtSecond), endedAtSecond: stageEndedAtSecond }];
  });
}
