import type { Budget, CellFigures, MACHINE_JUDGEMENTS, Smallest } from './result.ts';
import type { CellRun, SeriesRow } from './result.ts';

/** What the limits of the plan say of all runs together: `withinNoise` where some kept them and others missed one. */
export type LimitsJudgement = 'holds' | 'breaks' | 'withinNoise' | 'inconclusive';

/** Figures of the runs by which limits are judged: one that was cut off can miss a limit, and never keep one. */
export function judgedFigures(runs: readonly CellRun[]): CellFigures[] {
  return runs.flatMap(({ state, figures }) =>
    figures !== null && (state === 'value' || (state === 'aborted' && figures.outcome === 'breaks')) ? [figures] : [],
  );
}

/**
 * Runs of one cell that come out differently differ by chance. A miss is one whatever is not known of the other runs, where none kept the limits. null
 * where nothing was judged, or without limits.
 */
export function limitsOf(figures: readonly Pick<CellFigures, 'outcome'>[]): LimitsJudgement | null {
  const judged = figures.flatMap(({ outcome }) => (outcome === 'measured' ? [] : [outcome]));
  if (judged.length === 0) return null;
  if (judged.includes('breaks')) return judged.includes('holds') ? 'withinNoise' : 'breaks';
  return judged.every((outcome) => outcome === 'holds') ? 'holds' : 'inconclusive';
}

/** What the limits of the plan say of a cell. */
export function limitsOfRow({ runs }: Pick<SeriesRow, 'runs'>): LimitsJudgement | null {
  return limitsOf(judgedFigures(runs));
}

type MachineJudgement = Smallest['machines'][number]['judgement'];

/** What the judgement of a machine says of the limits; one that was not measured has none. */
export const LIMITS_OF_MACHINE: Readonly<Record<Exclude<MachineJudgement, 'notMeasured'>, LimitsJudgement>> = {
  meets: 'holds',
  misses: 'breaks',
  withinNoise: 'withinNoise',
  unclear: 'inconclusive',
};

/** A limit over the runs of a machine. */
export interface Closest {
  /** As it was in the run in the middle. */
  readonly budget: Budget;
  /** How much of it each run used, sorted: see `usedOf`. */
  readonly used: readonly number[];
}

export interface Machine {
  readonly row: SeriesRow;
  readonly name: string;
  readonly judgement: (typeof MACHINE_JUDGEMENTS)[number];
  /** Runs that were judged, those of them that kept every limit, and those that missed one; of the others it is not known. */
  readonly runs: number;
  readonly kept: number;
  readonly missed: number;
  readonly closest: Closest | null;
}

/** Whether the first is the smaller one; false also where that cannot be said. */
export type IsSmaller = (one: Machine, other: Machine) => boolean;
