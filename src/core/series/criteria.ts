import type { Budget, CellFigures, MACHINE_JUDGEMENTS, SmallestMachine } from './result.ts';
import type { CellRun, SeriesRow } from './result.ts';

/** Result of the plan's criteria over all runs. `withinNoise`: some runs passed and others failed. */
export type CriteriaJudgement = 'passed' | 'failed' | 'withinNoise' | 'inconclusive';

/** Returns the figures that decide the criteria. A run that was cut off can fail a criterion but not pass it. */
export function listJudgedFigures(runs: readonly CellRun[]): CellFigures[] {
  return runs.flatMap(({ state, figures }) =>
    figures !== null && (state === 'value' || (state === 'aborted' && figures.outcome === 'failed')) ? [figures] : [],
  );
}

/**
 * Judges the runs of a cell together. If runs have different outcomes, they differ by chance. If no run passed, a failure decides, whatever
 * the unknown runs are. Returns null if there are no criteria or no judged runs.
 */
export function judgeCriteria(figures: readonly Pick<CellFigures, 'outcome'>[]): CriteriaJudgement | null {
  const judged = figures.flatMap(({ outcome }) => (outcome === 'measured' ? [] : [outcome]));
  if (judged.length === 0) return null;
  if (judged.includes('failed')) return judged.includes('passed') ? 'withinNoise' : 'failed';
  return judged.every((outcome) => outcome === 'passed') ? 'passed' : 'inconclusive';
}

/** Returns the result of the plan's criteria for a cell. */
export function judgeRow({ runs }: Pick<SeriesRow, 'runs'>): CriteriaJudgement | null {
  return judgeCriteria(listJudgedFigures(runs));
}

type MachineJudgement = SmallestMachine['machines'][number]['judgement'];

/** Result of the criteria for each judgement of a machine. A machine that was not measured has none. */
export const CRITERIA_OF_MACHINE: Readonly<Record<Exclude<MachineJudgement, 'notMeasured'>, CriteriaJudgement>> = {
  passed: 'passed',
  failed: 'failed',
  withinNoise: 'withinNoise',
  unclear: 'inconclusive',
};

/** A criterion over the runs of a machine. */
export interface ClosestCriterion {
  /** The criterion as judged in the median run. */
  readonly budget: Budget;
  /** Used share of the limit in each run, sorted; see `computeUsedShare`. */
  readonly used: readonly number[];
}

export interface Machine {
  readonly row: SeriesRow;
  readonly name: string;
  readonly judgement: (typeof MACHINE_JUDGEMENTS)[number];
  /** Number of judged runs, then of passed and of failed ones. The others are unknown. */
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly closest: ClosestCriterion | null;
}

/** Returns whether the first machine is smaller; false if unknown. */
export type IsSmaller = (one: Machine, other: Machine) => boolean;
