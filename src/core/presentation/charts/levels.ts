import { formatCount, formatNumber } from '#core/base/units.ts';
import type { SeriesLook } from './looks.ts';
import type { Unit } from './types.ts';
import { type Axis, linearAxis, logAxis } from './valueAxis.ts';

/** Median of several values, with their minimum and maximum. */
export interface LevelValue {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Omitted if the level passed or was not judged. */
  readonly outcome?: 'failed' | 'inconclusive' | undefined;
}

export interface LevelLine {
  readonly name: string;
  readonly look: SeriesLook;
  /** One value per level; null for a gap. */
  readonly values: readonly (LevelValue | null)[];
}

/** Values by level, with one line per compared item. */
export interface LevelData {
  readonly title: string;
  /** Description of the values; empty if the unit suffices. */
  readonly about: string;
  readonly unit: Unit;
  /** Names of the levels in ascending order. */
  readonly categories: readonly string[];
  /** Numeric levels for a scale; null for evenly spaced names. */
  readonly numbers: readonly number[] | null;
  readonly axisName: string;
  readonly lines: readonly LevelLine[];
  /** Vertical lines at levels, with labels at their top or bottom; omitted if there are none. */
  readonly marks?: readonly { readonly index: number; readonly label: string; readonly end: 'top' | 'bottom' }[];
}

/** Horizontal axis of levels. Positions are shares of its length, from 0 to 1. */
export interface LevelAxis {
  /** Returns the position of a level by index. */
  readonly shareOf: (index: number) => number;
  readonly ticks: readonly { readonly label: string; readonly share: number }[];
  readonly isLogarithmic: boolean;
}

/** Ratio of the highest to the lowest level from which a linear scale would compress the low levels. */
const MIN_LOGARITHMIC_RATIO = 10;
const MAX_TICKS = 6;

/** Returns a scale for numeric levels, or else evenly spaced names. */
export function levelAxis({ categories, numbers }: Pick<LevelData, 'categories' | 'numbers'>): LevelAxis {
  const last = categories.length - 1;
  if (numbers === null || last < 1) {
    const shareOf = (index: number): number => (last < 1 ? 0.5 : index / last);
    return { shareOf, ticks: categories.map((label, index) => ({ label, share: shareOf(index) })), isLogarithmic: false };
  }
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const isLogarithmic = lowest > 0 && highest / lowest >= MIN_LOGARITHMIC_RATIO;
  const isWhole = numbers.every(Number.isInteger);
  const axis: Axis = isLogarithmic ? logAxis(lowest, highest) : linearAxis(highest, MAX_TICKS, isWhole);
  const shareAt = (value: number): number =>
    isLogarithmic ? Math.log(value / axis.from) / Math.log(axis.to / axis.from) : (value - axis.from) / (axis.to - axis.from);
  return {
    shareOf: (index) => shareAt(numbers[index] ?? 0),
    ticks: axis.ticks.map((tick) => ({ label: isWhole ? formatCount(tick) : formatNumber(tick), share: shareAt(tick) })),
    isLogarithmic,
  };
}

/** Returns the ticks whose labels do not overlap, from the left on. */
export function thinOutTicks(ticks: LevelAxis['ticks'], width: number, letterWidth: number, gap: number): LevelAxis['ticks'] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ label, share }) => {
    const half = (label.length * letterWidth) / 2;
    if (share * width - half < end + gap) return false;
    end = share * width + half;
    return true;
  });
}

/** Returns the outcomes that the legend must explain. */
export function listOutcomes(lines: readonly LevelLine[]): readonly NonNullable<LevelValue['outcome']>[] {
  const found = new Set(lines.flatMap(({ values }) => values.flatMap((value) => value?.outcome ?? [])));
  return (['failed', 'inconclusive'] as const).filter((outcome) => found.has(outcome));
}
