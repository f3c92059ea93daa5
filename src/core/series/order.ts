import { levelsOf } from './levels.ts';
import type { Series } from '#core/plan/schema/series.ts';

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
