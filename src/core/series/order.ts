import type { Series } from '#core/plan/schema/series.ts';
import { levelsOf } from './levels.ts';
import type { CellRun } from './result.ts';

/** A planned run: its cell, and its repeat from 1. */
export interface Turn {
  readonly cell: number;
  readonly repeat: number;
}

/**
 * Returns the order of the runs. Interleaved: all variants level by level, and each repeat begins with another variant, so that slow changes of the machines
 * affect all variants alike. Otherwise cell by cell with all repeats.
 */
export function orderOf(series: Series): Turn[] {
  const variants = Math.max(1, series.variants.length);
  const levels = levelsOf(series).length;
  const repeats = count(series.repeats);
  const cell = (variant: number, level: number): number => variant * levels + level;
  if (!series.interleaved)
    return count(variants * levels).flatMap((index) => repeats.map((repeat) => ({ cell: index, repeat: repeat + 1 })));
  return repeats.flatMap((repeat) =>
    count(levels).flatMap((level) =>
      count(variants).map((place) => ({ cell: cell((place + repeat) % variants, level), repeat: repeat + 1 })),
    ),
  );
}

function count(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/**
 * Returns the runs that an early-ended series still has to make: those that never began, were cut off or could not be read. Cut-off runs stay in the
 * history. Measured and refused runs are done.
 */
export function remainingRuns(runs: readonly CellRun[]): CellRun[] {
  return runs.filter(({ state }) => state !== 'value' && state !== 'refused').map(plannedRun);
}

/** Returns a run that has not begun. */
export function plannedRun({ position, cell, repeat }: Pick<CellRun, 'position' | 'cell' | 'repeat'>): CellRun {
  return { position, cell, repeat, state: 'waiting', phase: null, reason: null, runId: null, figures: null, commands: [], rest: null };
}
