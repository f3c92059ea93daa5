import { levelName } from '#core/series/levels.ts';
import type { MatrixMeasure } from '#core/series/matrix.ts';
import { LEVEL_FIELDS, type LevelField } from '#core/plan/schema/series.ts';
import type { SeriesRow, Spread } from '#core/series/result.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { judgeCriteria, judgeRow, type CriteriaJudgement, judgedFigures } from '#core/series/criteria.ts';
import type { LevelData, LevelLine, LevelValue } from '../charts/levels.ts';
import { variantLook } from '../charts/looks.ts';
import { chartNames } from '../charts/names.ts';

/** Lines of the charts of a series, with their axis. */
export interface LevelPicture extends Pick<LevelData, 'categories' | 'numbers' | 'axisName'> {
  readonly along: 'levels' | 'factor' | 'repeats';
  readonly lines: Readonly<Record<MatrixMeasure, readonly LevelLine[]>>;
}

const { levels: texts } = chartNames;

/** Returns three charts over the levels, the only factor or the repeats; none for single values. `rows` differ in only one load field. */
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

/** Returns the names of the variants in the order of the table. A series without variants is one line. */
export function variantNames(rows: readonly Pick<SeriesRow, 'variant'>[]): string[] {
  return [...new Set(rows.map(({ variant }) => variant ?? ''))];
}

/** Returns the load fields in which rows differ. The first is the axis; the reader chooses a value of the second. */
export function fieldsOf(rows: readonly Pick<SeriesRow, 'level'>[]): LevelField[] {
  return LEVEL_FIELDS.filter((field) => rows.some(({ level }) => level[field] !== undefined));
}

/**
 * Returns the rows as lines over the first load field. Without levels, the axis is the only varying factor if it is a number, or else the repeats. null if
 * each line would have a single value.
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

/** Returns one line over the only varying factor if it is a number; otherwise null. */
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

/** Returns the value of a row, marked if its criteria did not pass. */
function valueOf(row: SeriesRow, measure: MatrixMeasure): LevelValue | null {
  const value = scaled(row[measure], measure);
  const outcome = OUTCOMES[judgeRow(row) ?? 'passed'];
  return value === null || outcome === undefined ? value : { ...value, outcome };
}

const OUTCOMES: Readonly<Record<CriteriaJudgement, LevelValue['outcome']>> = {
  passed: undefined,
  failed: 'failed',
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
  const outcome = OUTCOMES[judgeCriteria(judgedFigures([run])) ?? 'passed'];
  const drawn = scaled({ median: value, least: value, most: value }, measure);
  return drawn === null || outcome === undefined ? drawn : { ...drawn, outcome };
}

/** Converts shares to percent. */
function scaled(spread: Spread | null, measure: MatrixMeasure): Spread | null {
  if (spread === null || measure !== 'failedShare') return spread;
  return { median: 100 * spread.median, least: 100 * spread.least, most: 100 * spread.most };
}

/** Returns the values of a load field to choose from. */
export function levelChoices(rows: readonly Pick<SeriesRow, 'level'>[], field: LevelField): { value: string; label: string }[] {
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  return values.map((value) => ({ value: String(value), label: levelName({ [field]: value }) }));
}
