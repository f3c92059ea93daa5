import type { Series } from '#core/plan/schema/series.ts';
import { levelsOf } from './levels.ts';
import type { CellRun } from './result.ts';

/** One run to come: which cell, and for the how manieth time, from 1. */
export interface Turn {
  readonly cell: number;
  readonly repeat: number;
}

/**
 * In which order the cells are run. Interleaved: level by level all variants, and in each repeat another variant begins, so that what
 * changes slowly on the machines hits all of them alike. Otherwise cell by cell, each as often as it is repeated.
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
 * The runs that a series which ended early still has to make, as they were planned: those never begun, and those cut off or not read, which stay
 * in the history as runs. What was measured or refused is settled.
 */
export function remainingRuns(runs: readonly CellRun[]): CellRun[] {
  return runs.filter(({ state }) => state !== 'value' && state !== 'refused').map(plannedRun);
}

/** A run that has not begun. */
export function plannedRun({ position, cell, repeat }: Pick<CellRun, 'position' | 'cell' | 'repeat'>): CellRun {
  return { position, cell, repeat, state: 'waiting', phase: null, reason: null, runId: null, figures: null, commands: [], rest: null };
}
