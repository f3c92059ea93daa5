import type { Plan } from '#core/plan/schema/plan.ts';
import type { ArrivalsStage, Load, Stage } from '#core/plan/schema/load.ts';
import { linesOf } from './rateCurve.ts';
import { z } from 'zod';

export const LEVEL_UNITS = ['connections', 'users', 'arrivalsPerSecond'] as const;
export type LevelUnit = (typeof LEVEL_UNITS)[number];

/** Load level at the start of a stage and at its end, and the maximum load level. */
export interface StageLoad {
  readonly unit: LevelUnit;
  readonly from: number;
  readonly to: number;
  readonly highest: number;
}

export function levelOf(stage: Stage): StageLoad {
  if ('connections' in stage) return constantLoad('connections', stage.connections);
  if ('users' in stage) return constantLoad('users', stage.users);
  const lines = linesOf(stage);
  return {
    unit: 'arrivalsPerSecond',
    from: lines[0]?.fromPerSecond ?? 0,
    to: lines.at(-1)?.toPerSecond ?? 0,
    highest: Math.max(...lines.map(({ fromPerSecond, toPerSecond }) => Math.max(fromPerSecond, toPerSecond))),
  };
}

/** Returns whether the load is constant in a stage. */
export function isSteady({ from, to, highest }: Pick<StageLoad, 'from' | 'to' | 'highest'>): boolean {
  return from === to && highest === to;
}

/** Returns the number of requests after which a stage ends; null if it ends after a time. */
export function requestsOf(stage: Stage): number | null {
  return 'connections' in stage ? (stage.requests ?? null) : null;
}

/** Returns the duration of a stage in seconds, including start-up and rest; null if it ends after a number of requests. */
export function secondsOf(stage: Stage): number | null {
  if ('connections' in stage) return stage.seconds ?? null;
  if ('users' in stage) return stage.restSeconds + stage.startUpSeconds + stage.seconds;
  return linesOf(stage).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Returns the uncounted seconds at the start of a stage: rest, and start-up unless it counts. */
export function countUncountedSeconds(stage: Stage): number {
  if (!('users' in stage)) return 0;
  return stage.restSeconds + (stage.startUpCounts === true ? 0 : stage.startUpSeconds);
}

/** Returns whether a stage keeps the users of the previous stage. */
export function continuesPrevious({ stages }: Load, index: number): boolean {
  const stage = stages[index];
  if (index === 0 || stage === undefined || !('users' in stage)) return false;
  return stage.continues ?? stage.restSeconds === 0;
}

/** Returns the number of users at the start of a stage, before users start or leave. */
export function usersAtStart(load: Load, index: number): number {
  const before = load.stages[index - 1];
  return continuesPrevious(load, index) && before !== undefined && 'users' in before ? before.users : 0;
}

/** Start of a stage, and the start of its counted part (see {@link countUncountedSeconds}), in seconds from the start of its leg. */
export interface StageBeginning {
  readonly stage: number;
  readonly atSecond: number;
  readonly countsFromSecond: number;
}

/** Returns the planned starts of the stages of a leg. A stage that ends by requests is the last of its leg, so every start is known. */
export function listBeginnings({ load }: Plan, leg: readonly number[]): StageBeginning[] {
  let atSecond = 0;
  return leg.flatMap((index) => {
    const stage = load.stages[index];
    if (stage === undefined) return [];
    const beginning = { stage: index, atSecond, countsFromSecond: atSecond + countUncountedSeconds(stage) };
    atSecond += secondsOf(stage) ?? 0;
    return [beginning];
  });
}

/**
 * Returns the stage number for requests that were sent before all users of a stage ran. They count only in the request outcomes of the
 * whole run.
 */
export function startUpStage(plan: Plan, stage: number): number {
  return plan.load.stages.length + stage;
}

/** Returns the maximum number of concurrent journeys in a stage of an open model: its own limit, else that of the load. */
export function maxInFlightOf(load: Extract<Load, { model: 'arrivals' }>, stage: ArrivalsStage): number {
  return ('maxInFlight' in stage ? stage.maxInFlight : undefined) ?? load.maxInFlight;
}

/**
 * Returns the legs of a load: stages that run without waiting for responses in between. All stages of an open model are one leg, and so are
 * stages whose users continue. Every other stage is a leg by itself.
 */
export function listLegs({ load }: Plan): readonly (readonly number[])[] {
  if (load.model === 'arrivals') return [[...load.stages.keys()]];
  const legs: number[][] = [];
  for (const index of load.stages.keys()) {
    const last = legs.at(-1);
    if (last !== undefined && continuesPrevious(load, index)) last.push(index);
    else legs.push([index]);
  }
  return legs;
}

function constantLoad(unit: StageLoad['unit'], level: number): StageLoad {
  return { unit, from: level, to: level, highest: level };
}

/** Size of the counted load, which distinguishes runs with the same name. */
export const loadSizeSchema = z.strictObject({
  unit: z.enum(LEVEL_UNITS),
  highest: z.number(),
  /** Counted duration; null if the load ends after a number of requests. */
  seconds: z.number().nullable(),
  /** Number of requests after which the load ends; null if it ends after a time. */
  requests: z.number().nullable(),
});
export type LoadSize = z.infer<typeof loadSizeSchema>;

/**
 * Returns the size of the counted stages, or of all stages if none is counted. A stage without arrivals, which only waits for users, does
 * not lengthen the load.
 */
export function sizeOf({ stages }: Load): LoadSize {
  const all: readonly Stage[] = stages;
  const loaded = all.filter((stage) => levelOf(stage).highest > 0);
  const counted = loaded.filter((stage) => stage.counted);
  const judged = counted.length > 0 ? counted : all;
  const levels = judged.map(levelOf);
  return {
    unit: levels[0]?.unit ?? 'connections',
    highest: Math.max(0, ...levels.map(({ highest }) => highest)),
    seconds: sumOf(judged.map((stage) => findCountedSeconds(stage))),
    requests: sumOf(judged.map(requestsOf)),
  };
}

function findCountedSeconds(stage: Stage): number | null {
  const seconds = secondsOf(stage);
  return seconds === null ? null : seconds - countUncountedSeconds(stage);
}

/** Returns the sum; null if one value is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
