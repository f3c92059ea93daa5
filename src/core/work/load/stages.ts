import type { Plan } from '#core/plan/schema/plan.ts';
import type { ArrivalsStage, Load, Stage } from '#core/plan/schema/load.ts';
import { linesOf } from './rateStage.ts';

export const LEVEL_UNITS = ['connections', 'users', 'arrivalsPerSecond'] as const;
export type LevelUnit = (typeof LEVEL_UNITS)[number];

/** How much load a stage is: at its beginning, at its end, and where it is highest. */
export interface Level {
  readonly unit: LevelUnit;
  readonly from: number;
  readonly to: number;
  readonly highest: number;
}

export function levelOf(stage: Stage): Level {
  if ('connections' in stage) return constant('connections', stage.connections);
  if ('users' in stage) return constant('users', stage.users);
  const lines = linesOf(stage);
  return {
    unit: 'arrivalsPerSecond',
    from: lines[0]?.fromPerSecond ?? 0,
    to: lines.at(-1)?.toPerSecond ?? 0,
    highest: Math.max(...lines.map(({ fromPerSecond, toPerSecond }) => Math.max(fromPerSecond, toPerSecond))),
  };
}

/** Whether the load is the same all through a stage. */
export function isSteady({ from, to, highest }: Pick<Level, 'from' | 'to' | 'highest'>): boolean {
  return from === to && highest === to;
}

/** Requests that end a stage; null where time does. */
export function requestsOf(stage: Stage): number | null {
  return 'connections' in stage ? (stage.requests ?? null) : null;
}

/** Seconds from the beginning of a stage to the end of its load, start-up and rest included; null where a number of requests ends it. */
export function secondsOf(stage: Stage): number | null {
  if ('connections' in stage) return stage.seconds ?? null;
  if ('users' in stage) return stage.restSeconds + stage.startUpSeconds + stage.seconds;
  return linesOf(stage).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Seconds at the beginning of a stage that are not counted: users are at rest, or not all of them run yet unless that counts too. */
export function uncountedSecondsOf(stage: Stage): number {
  if (!('users' in stage)) return 0;
  return stage.restSeconds + (stage.startUpCounts === true ? 0 : stage.startUpSeconds);
}

/** Whether the users of the stage before stay in a stage. */
export function continuesBefore({ stages }: Load, index: number): boolean {
  const stage = stages[index];
  if (index === 0 || stage === undefined || !('users' in stage)) return false;
  return stage.continues ?? stage.restSeconds === 0;
}

/** How many users a stage begins with, before further ones start or some leave. */
export function usersAtStart(load: Load, index: number): number {
  const before = load.stages[index - 1];
  return continuesBefore(load, index) && before !== undefined && 'users' in before ? before.users : 0;
}

/** When a stage of a leg begins, and from when on it counts: see {@link uncountedSecondsOf}. In seconds from the beginning of its leg. */
export interface StageBeginning {
  readonly stage: number;
  readonly atSecond: number;
  readonly countsFromSecond: number;
}

/** When the stages of a leg begin as planned. Those after one that a number of requests ends stand alone, so each is known. */
export function beginningsOf({ load }: Plan, leg: readonly number[]): StageBeginning[] {
  let atSecond = 0;
  return leg.flatMap((index) => {
    const stage = load.stages[index];
    if (stage === undefined) return [];
    const beginning = { stage: index, atSecond, countsFromSecond: atSecond + uncountedSecondsOf(stage) };
    atSecond += secondsOf(stage) ?? 0;
    return [beginning];
  });
}

/**
 * Under which number windows keep the requests of a stage that were to start before all of its users ran: they belong to no
 * stage's figures, only to the whole run's ledger.
 */
export function startUpStage(plan: Plan, stage: number): number {
  return plan.load.stages.length + stage;
}

/** How many journeys may be on their way at the same time in a stage of an open model: its own limit, else that of the whole load. */
export function maxInFlightOf(load: Extract<Load, { model: 'arrivals' }>, stage: ArrivalsStage): number {
  return ('maxInFlight' in stage ? stage.maxInFlight : undefined) ?? load.maxInFlight;
}

/**
 * The stages that are driven in one go: those of an open model follow each other without waiting for answers, and so do those of users who go on;
 * others stand alone.
 */
export function legsOf({ load }: Plan): readonly (readonly number[])[] {
  if (load.model === 'arrivals') return [[...load.stages.keys()]];
  const legs: number[][] = [];
  for (const index of load.stages.keys()) {
    const last = legs.at(-1);
    if (last !== undefined && continuesBefore(load, index)) last.push(index);
    else legs.push([index]);
  }
  return legs;
}

function constant(unit: Level['unit'], level: number): Level {
  return { unit, from: level, to: level, highest: level };
}
