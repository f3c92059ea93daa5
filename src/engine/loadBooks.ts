import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { plannedJourneys } from '#core/work/load/planned.ts';
import { secondsOf } from '#core/work/load/stages.ts';
import type { EngineEnd } from './engine.ts';

export type LoadEnding = Pick<EngineEnd, 'reason' | 'problem'>;

/** The books of one load, whoever makes it: threads here, k6, an agent, or several of these together. */
export class LoadBooks {
  /** Why the load ends before it is through; null while nothing has ended it. */
  ending: LoadEnding | null = null;
  /** Journeys that started, or could not although they were due. */
  journeysSettled = 0;
  /** The first second without a window. */
  nextSecond = 0;
  private last: Window | null = null;
  private isDraining = false;
  private readonly stagesBegun = new Set<number>();

  /** The first reason to end counts: false for a later one. */
  end(ending: LoadEnding): boolean {
    if (this.ending !== null) return false;
    this.ending = ending;
    return true;
  }

  /** False when it was known that the load starts nothing more. */
  drain(): boolean {
    if (this.isDraining) return false;
    this.isDraining = true;
    return true;
  }

  /** False when it was known that this stage has begun. */
  beginStage(stage: number): boolean {
    if (this.stagesBegun.has(stage)) return false;
    this.stagesBegun.add(stage);
    return true;
  }

  add(window: Window): void {
    this.journeysSettled += settledIn(window);
    this.nextSecond = window.second + window.width;
    this.last = window;
  }

  /** One more second in which nothing was counted. What was unanswered before it still is: whoever was lost never tells of it. */
  furtherWindow(second = this.nextSecond): Window {
    const { inFlight = 0, side } = this.last ?? {};
    return { ...emptyWindow(second, 1), inFlight, ...(side === undefined ? {} : { side: { cells: [], inFlight: side.inFlight } }) };
  }
}

/** Journeys that started in a window, or could not although they were due. */
export function settledIn({ journeys }: Window): number {
  return journeys.started + journeys.notStartedTarget + journeys.notStartedGenerator;
}

/** Journeys of a planned number that are not settled when the load has ended; 0 where no number was planned. */
export function journeysNotStarted(plan: Plan, settled: number, isCompleted: boolean): number {
  const planned = plannedJourneys(plan);
  // A stage with a number of requests and a time limit may end by time, with requests left.
  const mayFallShort = !isCompleted || plan.load.stages.some((stage) => secondsOf(stage) !== null);
  return planned !== null && mayFallShort ? Math.max(0, planned - settled) : 0;
}

/** When the load of a stage was to begin, in seconds of the run, and when it ends by itself: null where it lasts until the next begins. */
export interface StageTime {
  readonly fromSecond: number;
  readonly toSecond: number | null;
}

/** When the stages were loaded whose times are given, as far as a load that ended at `endedAtSecond` reached them; the first one always counts as reached. */
export function stageSpans(times: readonly StageTime[], endedAtSecond: number): EngineEnd['stages'] {
  return times.flatMap(({ fromSecond, toSecond }, stage) => {
    if (stage > 0 && fromSecond > endedAtSecond) return [];
    const stageEndedAtSecond = Math.min(toSecond ?? times[stage + 1]?.fromSecond ?? endedAtSecond, endedAtSecond);
    return [{ startedAtSecond: Math.min(fromSecond, stageEndedAtSecond), endedAtSecond: stageEndedAtSecond }];
  });
}
