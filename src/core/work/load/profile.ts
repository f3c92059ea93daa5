import { linesOf } from './rateCurve.ts';
import { LEVEL_UNITS, levelOf, secondsOf, usersAtStart } from './stages.ts';
import type { Stage } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * A part of the planned load for the preview chart. It is linear from `level` at `fromSecond` to `toLevel` at `toSecond`. `toSecond` is
 * null if requests end the part.
 */
export interface LoadPiece {
  readonly stage: string;
  readonly counted: boolean;
  readonly fromSecond: number;
  readonly toSecond: number | null;
  readonly level: number;
  readonly toLevel: number;
  readonly unit: (typeof LEVEL_UNITS)[number];
}

/** A linear part of a stage. `seconds` is null if requests end it. */
interface Line {
  readonly seconds: number | null;
  readonly from: number;
  readonly to: number;
  readonly counted: boolean;
}

/**
 * Maximum number of steps of a staircase that is drawn as one. With more, it is drawn as a ramp, because single steps would not be visible.
 */
const MAX_STEPS = 100;

/**
 * Returns the planned load as linear parts. A stage after one that ends by requests is drawn directly after that one. Time to drain between
 * two stages of users is not included.
 */
export function buildLoadProfile(plan: Plan): LoadPiece[] {
  const points: LoadPiece[] = [];
  let from = 0;
  for (const [index, stage] of plan.load.stages.entries()) {
    const { unit } = levelOf(stage);
    for (const line of linesOfStage(stage, usersAtStart(plan.load, index))) {
      const to = line.seconds === null ? null : from + line.seconds;
      const { counted } = line;
      points.push({ stage: stageName(plan, index), counted, fromSecond: from, toSecond: to, level: line.from, toLevel: line.to, unit });
      from = to ?? from;
    }
  }
  return points;
}

function linesOfStage(stage: Stage, usersBefore: number): Line[] {
  const { counted } = stage;
  if ('connections' in stage) return [{ seconds: secondsOf(stage), from: stage.connections, to: stage.connections, counted }];
  if ('users' in stage) {
    const { users, restSeconds, startUpSeconds, startUpCounts = false, seconds } = stage;
    return [
      { seconds: restSeconds, from: 0, to: 0, counted: false },
      { seconds: startUpSeconds, from: usersBefore, to: users, counted: counted && startUpCounts },
      { seconds, from: users, to: users, counted },
    ].filter((line) => line.seconds > 0);
  }
  if (stage.kind === 'steps' && stage.steps > MAX_STEPS) {
    return [{ seconds: secondsOf(stage), from: stage.fromPerSecond, to: stage.toPerSecond, counted }];
  }
  return linesOf(stage).map(({ seconds, fromPerSecond, toPerSecond }) => ({ seconds, from: fromPerSecond, to: toPerSecond, counted }));
}
