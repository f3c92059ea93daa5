import { levelName } from '#core/series/levels.ts';
import type { MatrixMeasure } from '#core/series/matrix.ts';
import { LEVEL_FIELDS, type LevelField } from '#core/plan/schema/series.ts';
import type { SeriesRow, Spread } from '#core/series/result.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { limitsOf, limitsOfRow, type LimitsJudgement, judgedFigures } from '#core/series/limits.ts';
import type { LevelData, LevelLine, LevelValue } from '../charts/levels.ts';
import { variantLook } from '../charts/looks.ts';
import { chartNames } from '../charts/names.ts';

/** What the charts over levels show of a series. */
export interface LevelPicture extends Pick<LevelData, 'categories' | 'numbers' | 'axisName'> {
  readonly along: 'levels' | 'factor' | 'repeats';
  readonly lines: Readonly<Record<MatrixMeasure, readonly LevelLine[]>>;
}

const { levels: texts } = chartNames;

/** Three charts over the levels of a series, or over the only factor or the repeats where it has none; no charts of one value each. `rows` are alike in all fields but one. */
export function seriesCharts(rows: readonly SeriesRow[]): LevelData[] {
  const picture = levelPicture(rows, variantNames(rows));
  if (picture === null) return [];
  const { lines, categories, numbers, axisName } = picture;
  const axis = { categories, numbers, axisName };
  return [
    { ...axis, title: texts.throughput, about: '', unit: 'perSecond', lines: lines.throughput },
    { ...axis, title: texts.within, about: '', unit: 'ms', lines: lines.p95 },
    { ...axis, title: texts.failed, about: texts.percent, unit: 'count', lines: lines.failedShare },
  ];
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
 * Rows as lines over the first field, all at the same value of the second; without levels over the only factor that differs, where it is a number,
 * else over the repeats. null where there is one value each, which is no line.
 */
export function levelPicture(rows: readonly SeriesRow[], names: readonly string[]): LevelPicture | null {
  const [field] = fieldsOf(rows);
  if (field === undefined) return factorPicture(rows) ?? repeatPicture(rows, names);
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  const lineOf = (measure: MatrixMeasure) => (name: string, index: number) => ({
    name,
    look: variantLook(index),
    values: values.map((value) => {
      const row = rows.find(({ variant, level }) => (variant ?? '') === name && level[field] === value);
      return row === undefined ? null : valueOf(row, measure);
    }),
  });
  const whole = field === 'perSecond' || field === 'seconds' ? formatNumber : formatCount;
  return { along: 'levels', axisName: texts.axis[field], numbers: values, categories: values.map(whole), lines: linesOf(names, lineOf) };
}

/** One line over the factor by which all rows differ, if it is a number and the only one. */
function factorPicture(rows: readonly SeriesRow[]): LevelPicture | null {
  const varying = [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))].filter(
    (name) => new Set(rows.map(({ factors }) => getOwn(factors, name))).size > 1,
  );
  const [name] = varying;
  if (name === undefined || varying.length > 1) return null;
  const places = rows
    .flatMap((row) => {
      const at = getOwn(row.factors, name);
      return typeof at === 'number' ? [{ row, at }] : [];
    })
    .toSorted((one, other) => one.at - other.at);
  if (places.length < rows.length || new Set(places.map(({ at }) => at)).size < rows.length) return null;
  const lineOf = (measure: MatrixMeasure) => (line: string, index: number) => ({
    name: line,
    look: variantLook(index),
    values: places.map(({ row }) => valueOf(row, measure)),
  });
  const numbers = places.map(({ at }) => at);
  const format = numbers.every(Number.isInteger) ? formatCount : formatNumber;
  return { along: 'factor', axisName: name, numbers, categories: numbers.map(format), lines: linesOf([texts.measured], lineOf) };
}

/** Levels at which the pass criteria did not pass are marked. */
function valueOf(row: SeriesRow, measure: MatrixMeasure): LevelValue | null {
  const value = scaled(row[measure], measure);
  const outcome = OUTCOMES[limitsOfRow(row) ?? 'holds'];
  return value === null || outcome === undefined ? value : { ...value, outcome };
}

const OUTCOMES: Readonly<Record<LimitsJudgement, LevelValue['outcome']>> = {
  holds: undefined,
  breaks: 'breaks',
  withinNoise: 'inconclusive',
  inconclusive: 'inconclusive',
};

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
  const categories = Array.from({ length: repeats }, (_, at) => String(at + 1));
  return { along: 'repeats', axisName: texts.axis.repeats, numbers: null, categories, lines: linesOf(names, lineOf) };
}

function linesOf(
  names: readonly string[],
  lineOf: (measure: MatrixMeasure) => (name: string, index: number) => LevelLine,
): LevelPicture['lines'] {
  return { throughput: names.map(lineOf('throughput')), p95: names.map(lineOf('p95')), failedShare: names.map(lineOf('failedShare')) };
}

function single(run: SeriesRow['runs'][number] | undefined, measure: MatrixMeasure): LevelValue | null {
  if (run === undefined || run.state !== 'value' || run.figures === null) return null;
  const { completedPerSecond, p95, failedShare } = run.figures;
  const value = { throughput: completedPerSecond, p95, failedShare }[measure];
  if (typeof value !== 'number') return null;
  const outcome = OUTCOMES[limitsOf(judgedFigures([run])) ?? 'holds'];
  const drawn = scaled({ median: value, least: value, most: value }, measure);
  return drawn === null || outcome === undefined ? drawn : { ...drawn, outcome };
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
