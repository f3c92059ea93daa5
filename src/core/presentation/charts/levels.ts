import { formatCount, formatNumber } from '#core/base/units.ts';
import type { SeriesLook } from './looks.ts';
import type { Unit } from './types.ts';
import { type Axis, linearAxis, logAxis } from './valueAxis.ts';

/** The middle of several values, with their ends. */
export interface LevelValue {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Left out where the level passed, or nothing judged it. */
  readonly outcome?: 'breaks' | 'inconclusive' | undefined;
}

export interface LevelLine {
  readonly name: string;
  readonly look: SeriesLook;
  /** One for each level; null where nothing was measured, which is a gap. */
  readonly values: readonly (LevelValue | null)[];
}

/** Values over levels: a line for each thing that is compared. */
export interface LevelData {
  readonly title: string;
  /** What the values are, beside the title; empty where the unit says it. */
  readonly about: string;
  readonly unit: Unit;
  /** Names of the levels, from the lowest to the highest. */
  readonly categories: readonly string[];
  /** The levels as numbers, which then stand on a scale; null where they only follow each other. */
  readonly numbers: readonly number[] | null;
  readonly axisName: string;
  readonly lines: readonly LevelLine[];
}

/** The horizontal axis of levels. Shares of its length are from 0 to 1. */
export interface LevelAxis {
  /** Of the level with this index. */
  readonly shareOf: (index: number) => number;
  readonly ticks: readonly { readonly label: string; readonly share: number }[];
  readonly isLogarithmic: boolean;
}

/** From this ratio of the highest to the lowest level on, an even scale presses the low ones together. */
const MIN_LOGARITHMIC_RATIO = 10;
const TICKS = 6;

/** A scale for levels that are numbers, else evenly spaced names. */
export function levelAxis({ categories, numbers }: Pick<LevelData, 'categories' | 'numbers'>): LevelAxis {
  const last = categories.length - 1;
  if (numbers === null || last < 1) {
    const shareOf = (index: number): number => (last < 1 ? 0.5 : index / last);
    return { shareOf, ticks: categories.map((label, index) => ({ label, share: shareOf(index) })), isLogarithmic: false };
  }
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const isLogarithmic = least > 0 && most / least >= MIN_LOGARITHMIC_RATIO;
  const isWhole = numbers.every(Number.isInteger);
  const axis: Axis = isLogarithmic ? logAxis(least, most) : linearAxis(most, TICKS, isWhole);
  const shareAt = (value: number): number =>
    isLogarithmic ? Math.log(value / axis.from) / Math.log(axis.to / axis.from) : (value - axis.from) / (axis.to - axis.from);
  return {
    shareOf: (index) => shareAt(numbers[index] ?? 0),
    ticks: axis.ticks.map((tick) => ({ label: isWhole ? formatCount(tick) : formatNumber(tick), share: shareAt(tick) })),
    isLogarithmic,
  };
}

/** Those of the ticks whose labels do not touch, from the left. */
export function spacedTicks(ticks: LevelAxis['ticks'], width: number, letterWidth: number, gap: number): LevelAxis['ticks'] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ label, share }) => {
    const half = (label.length * letterWidth) / 2;
    if (share * width - half < end + gap) return false;
    end = share * width + half;
    return true;
  });
}

/** Which outcomes a legend has to explain. */
export function outcomesOf(lines: readonly LevelLine[]): readonly NonNullable<LevelValue['outcome']>[] {
  const found = new Set(lines.flatMap(({ values }) => values.flatMap((value) => value?.outcome ?? [])));
  return (['breaks', 'inconclusive'] as const).filter((outcome) => found.has(outcome));
}
