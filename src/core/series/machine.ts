import type { MACHINE_JUDGEMENTS } from './answers.ts';
import type { Budget } from './budgets.ts';
import type { SeriesRow } from './result.ts';

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
