import { levelName } from '#core/series/levels.ts';
import type { MatrixMeasure } from '#core/series/matrix.ts';
import { LEVEL_FIELDS, type LevelField } from '#core/plan/schema/series.ts';
import type { SeriesRow, Spread } from '#core/series/result.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import type { LevelLine } from '../charts/LevelChart.tsx';
import { variantLook } from '#core/presentation/charts/looks.ts';

/** What the charts over levels show of a series. */
export interface LevelPicture {
  /** The field along the axis; null where repeats are. */
  readonly field: LevelField | null;
  readonly categories: readonly string[];
  readonly lines: Readonly<Record<MatrixMeasure, readonly LevelLine[]>>;
}

/** Names of what is compared, in the order of the table; a series without variants is one line. */
export function variantNames(rows: readonly Pick<SeriesRow, 'variant'>[]): string[] {
  return [...new Set(rows.map(({ variant }) => variant ?? ''))];
}

/** Fields that the rows differ by: the first goes along the axis, the second is chosen. */
export function fieldsOf(rows: readonly Pick<SeriesRow, 'level'>[]): LevelField[] {
  return LEVEL_FIELDS.filter((field) => rows.some(({ level }) => level[field] !== undefined));
}

/**
 * Rows as lines over the first field, all at the same value of the second; over the repeats, where there are no levels. null where there is
 * neither: one value is no line.
 */
export function levelPicture(rows: readonly SeriesRow[], names: readonly string[]): LevelPicture | null {
  const [field] = fieldsOf(rows);
  if (field === undefined) return repeatPicture(rows, names);
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  const lineOf = (measure: MatrixMeasure) => (name: string, index: number) => ({
    name,
    look: variantLook(index),
    values: values.map((value) =>
      scaled(rows.find((row) => (row.variant ?? '') === name && row.level[field] === value)?.[measure] ?? null, measure),
    ),
  });
  const whole = field === 'perSecond' || field === 'seconds' ? formatNumber : formatCount;
  return { field, categories: values.map(whole), lines: linesOf(names, lineOf) };
}

function repeatPicture(rows: readonly SeriesRow[], names: readonly string[]): LevelPicture | null {
  const repeats = Math.max(0, ...rows.map(({ runs }) => runs.length));
  if (repeats < 2) return null;
  const lineOf = (measure: MatrixMeasure) => (name: string, index: number) => {
    const runs = rows.find(({ variant }) => (variant ?? '') === name)?.runs ?? [];
    return {
      name,
      look: variantLook(index),
      values: Array.from({ length: repeats }, (_, at) =>
        single(
          runs.find(({ repeat }) => repeat === at + 1),
          measure,
        ),
      ),
    };
  };
  return { field: null, categories: Array.from({ length: repeats }, (_, at) => String(at + 1)), lines: linesOf(names, lineOf) };
}

function linesOf(
  names: readonly string[],
  lineOf: (measure: MatrixMeasure) => (name: string, index: number) => LevelLine,
): LevelPicture['lines'] {
  return { throughput: names.map(lineOf('throughput')), p95: names.map(lineOf('p95')), failedShare: names.map(lineOf('failedShare')) };
}

function single(run: SeriesRow['runs'][number] | undefined, measure: MatrixMeasure): Spread | null {
  if (run === undefined || run.state !== 'value' || run.figures === null) return null;
  const { completedPerSecond, p95, failedShare } = run.figures;
  const value = { throughput: completedPerSecond, p95, failedShare }[measure];
  return typeof value === 'number' ? scaled({ median: value, least: value, most: value }, measure) : null;
}

/** Shares are drawn in percent. */
function scaled(spread: Spread | null, measure: MatrixMeasure): Spread | null {
  if (spread === null || measure !== 'failedShare') return spread;
  return { median: 100 * spread.median, least: 100 * spread.least, most: 100 * spread.most };
}

/** Choices for the second field, or for the only one where a single level is to be chosen. */
export function levelChoices(rows: readonly Pick<SeriesRow, 'level'>[], field: LevelField): { value: string; label: string }[] {
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  return values.map((value) => ({ value: String(value), label: levelName({ [field]: value }) }));
}
