import { listStatedDifferences } from '#core/series/differences.ts';
import { behaviourOfRow, type SeriesResult, type SeriesRow, type Spread } from '#core/series/result.ts';
import { describePlan } from '#core/review/describe.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import { capacityBlocks } from './capacity.ts';
import { seriesDuetTables } from './duet.ts';
import { type Bar, type Block, cellText, column, list, numbers, pairs, type Passage, type Report, section, table, text } from './model.ts';
import { seriesVerdict } from './groupVerdict.ts';
import { lineTable, machineTable, matrixNotes, matrixTables, seriesTable, spreadCell, stateText } from './seriesTables.ts';
import { seriesText } from './planText.ts';
import { formatSmallest } from '#core/series/smallest.ts';
import { instantText, NOT_FINISHED_TEXT, NO_SECRETS_NOTE, timeCell, TITLES } from './words.ts';
import { levelName } from '#core/series/levels.ts';
import type { MatrixMeasure } from '#core/series/matrix.ts';
import { LEVEL_FIELDS, type LevelField } from '#core/plan/schema/series.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type CriteriaJudgement, judgeCriteria, listJudgedFigures, judgeRow } from '#core/series/criteria.ts';
import type { LevelData, LevelLine, LevelValue } from '../charts/levels.ts';
import { variantLook } from '../charts/looks.ts';
import { chartNames } from '../charts/names.ts';

/** Returns the report of a series: the table of all cells, the findings, then each cell with its runs. */
export function seriesReport(result: SeriesResult): Report {
  const { series, document, rows, done, planned } = result;
  return {
    title: series.name,
    facts: [
      instantText(series.startedAt),
      `${formatCount(done)} of ${formatCount(planned)} runs`,
      ...new Set([document.plan, ...document.series.variants].flatMap(({ targets }) => (targets ?? []).map(({ url }) => url))),
    ],
    sections: [
      { id: 'conclusion', title: 'All cells', blocks: resultBlocks(result) },
      ...section('capacity', TITLES.capacity, seriesCapacityBlocks(result)),
      ...section('cells', 'Cell by cell', rows.flatMap(cellBlocks)),
      ...section('method', TITLES.method, methodBlocks(result)),
      ...section('commands', TITLES.commands, commandBlocks(rows)),
      ...section('repeat', TITLES.doAgain, repeatBlocks(result)),
    ],
    origin: `Holdfast · series ${series.id}`,
  };
}

function resultBlocks(result: SeriesResult): Block[] {
  const { series, document, rows, best, effects, smallest, fits, notes } = result;
  return [
    seriesVerdict(result),
    ...text(document.plan.story),
    ...text(series.endedBecause === null ? '' : `It ended early: ${series.endedBecause} Finished cells are kept.`),
    ...seriesTable(result),
    ...list(TITLES.findings, [
      ...(best === null ? [] : [`Best: ${best.cell}. ${best.reason}`]),
      ...listStatedDifferences(result).map((difference) => difference.text),
      ...notes,
    ]),
    ...seriesDuetTables(rows),
    ...list(
      TITLES.effects,
      effects.map((effect) => effect.text),
    ),
    ...list(TITLES.smallest, formatSmallest(smallest)),
    ...smallest.flatMap(machineTable),
    ...list(
      TITLES.fits,
      fits.map((fit) => fit.text),
    ),
    ...fits.flatMap(lineTable),
    ...buildPictures(rows),
    ...list(TITLES.lookAt, document.plan.lookAt),
  ];
}

/** Returns charts over the levels. Cells without levels, or with two load fields, get bars. */
function buildPictures(rows: readonly SeriesRow[]): Block[] {
  const charts = fieldsOf(rows).length > 1 ? [] : seriesCharts(rows);
  if (charts.length > 0) return charts.map((chart) => ({ kind: 'levels', chart }));
  return [
    ...barBlocks('Responses a second', rows, ({ throughput }) => throughput, formatRate),
    ...barBlocks('p95', rows, ({ p95 }) => p95, formatMs),
  ];
}

/** Returns the capacity of each variant, and the matrix of a series over two load fields. */
function seriesCapacityBlocks(result: SeriesResult): Passage[] {
  return [
    ...matrixTables(result, 'throughput'),
    ...list('Cells without a figure', matrixNotes(result)),
    ...capacityBlocks(capacityOfSeries(result), TITLES.scaling),
  ];
}

function barBlocks(
  title: string,
  rows: readonly SeriesRow[],
  of: (row: SeriesRow) => SeriesRow['p95'],
  format: (value: number) => string,
): Block[] {
  const all = rows.map((row): Bar => {
    const spread = of(row);
    const value = spread === null ? null : { middle: spread.median, least: spread.least, most: spread.most };
    return { name: row.cell, value, text: spread === null ? stateText(row.state) : cellText(spreadCell(spread, format)) };
  });
  return all.some(({ value }) => value !== null) ? [{ kind: 'bars', title, bars: all }] : [];
}

const TIME_NAMES = { p50: 'p50', p95: 'p95', p99: 'p99' } as const;

function cellBlocks(row: SeriesRow): Block[] {
  const factors = Object.entries(row.factors).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    { kind: 'heading', text: row.cell },
    ...text(factors.join(', ')),
    ...text(row.note ?? ''),
    ...table(`Runs of “${row.cell}”`, row.runs, [
      column('Repeat', ({ repeat }) => String(repeat)),
      column('State', ({ state, reason }) => ({ text: stateText(state), about: reason ?? '' })),
      column('Run', ({ runId }) => runId ?? '–'),
      numbers('Sent', ({ figures }) => (figures === null ? '–' : formatCount(figures.sent))),
      numbers('Successful', ({ figures }) => (figures === null ? '–' : formatCount(figures.ok))),
      numbers('Failed', ({ figures }) => (figures === null ? '–' : formatPercent(figures.failedShare))),
      numbers('Responses/s', ({ figures }) => (figures === null ? '–' : formatRate(figures.completedPerSecond))),
      ...(['p50', 'p95', 'p99'] as const).map((key) =>
        numbers<SeriesRow['runs'][number]>(TIME_NAMES[key], ({ figures }) => timeCell(figures?.[key] ?? null)),
      ),
    ]),
    ...list(TITLES.behaviour, behaviourOfRow(row)),
  ];
}

function methodBlocks({ document, engine }: SeriesResult): Block[] {
  const { series } = document;
  return [
    ...list('Load of each run', describePlan(document.plan).sentences),
    ...list(TITLES.order, [
      ...(series.duet
        ? [
            `Both variants took turns in one run, every ${formatMs(series.slotMs)}. A coin decided which was first in each pair of slots.`,
            'The response times of each pair were compared (docs/series.md).',
          ]
        : []),
      `Each cell was run ${series.repeats === 1 ? 'once' : `${formatCount(series.repeats)} times`}.`,
      ...(series.duet
        ? []
        : [
            series.interleaved
              ? 'At each level the variants ran in turn, each round in a different order. Effects of the time of day are shared by all.'
              : 'All repeats of a cell ran in a row.',
          ]),
      `After each cell there was no load for ${formatSeconds(series.coolDownSeconds)}.`,
      engine.reason,
    ]),
    ...list(TITLES.doesNotSay, [
      series.duet
        ? 'A duet compares response times under this load. It does not say how much load each variant sustains.'
        : series.repeats < 5
          ? `With ${series.repeats === 1 ? 'one run' : `${formatCount(series.repeats)} runs`} of each cell, the variation between runs is unknown. A comparison needs at least five.`
          : 'A difference no larger than between runs of the same cell counts as noise.',
    ]),
  ];
}

function commandBlocks(rows: readonly SeriesRow[]): Block[] {
  const lines = rows.flatMap(({ runs }) =>
    runs.flatMap(({ cell, repeat, commands }) => commands.map((command) => ({ ...command, cell: `${cell}, repeat ${repeat}` }))),
  );
  return table('Commands run during the series', lines, [
    column('Cell', ({ cell }) => cell),
    column('When', ({ when }) => when),
    column('Command', ({ run }) => run),
    column('Ended', ({ problem, exitCode }) => problem ?? (exitCode === null ? 'killed' : `exit code ${exitCode}`)),
    numbers('After', ({ seconds }) => formatSeconds(seconds)),
  ]);
}

function repeatBlocks({ series, document }: SeriesResult): Block[] {
  return [
    ...pairs('This series', [
      ['Id', series.id],
      ['Started', instantText(series.startedAt)],
      ['Ended', series.endedAt === null ? NOT_FINISHED_TEXT : instantText(series.endedAt)],
    ]),
    ...list(TITLES.runAgain, ['Save the text below as series.yaml and run: holdfast series series.yaml', NO_SECRETS_NOTE]),
    { kind: 'code', title: 'Plan and series', text: seriesText(document) },
  ];
}

/** Lines of the charts of a series, with their axis. */
interface LevelPicture extends Pick<LevelData, 'categories' | 'numbers' | 'axisName'> {
  readonly along: 'levels' | 'factor' | 'repeats';
  readonly lines: Readonly<Record<MatrixMeasure, readonly LevelLine[]>>;
}

const { levels: texts } = chartNames;

/**
 * Returns three charts over the levels, the only factor, or the repeats; none for single values. `rows` must differ in only one load field.
 */
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
 * Returns the rows as lines over the first load field. Without levels, the axis is the only varying factor if it is a number, or else the
 * repeats. Returns null if each line would have a single value.
 */
export function levelPicture(rows: readonly SeriesRow[], names: readonly string[]): LevelPicture | null {
  const [field] = fieldsOf(rows);
  if (field === undefined) return factorPicture(rows) ?? repeatPicture(rows, names);
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  const formatLine = (measure: MatrixMeasure) => (name: string, index: number) => ({
    name,
    look: variantLook(index),
    values: values.map((value) => {
      const row = rows.find(({ variant, level }) => (variant ?? '') === name && level[field] === value);
      return row === undefined ? null : valueOf(row, measure);
    }),
  });
  const whole = field === 'perSecond' || field === 'seconds' ? formatNumber : formatCount;
  return {
    along: 'levels',
    axisName: texts.axis[field],
    numbers: values,
    categories: values.map(whole),
    lines: linesOf(names, formatLine),
  };
}

/** Returns one line over the only varying factor if that is a number; null otherwise. */
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
  const formatLine = (measure: MatrixMeasure) => (line: string, index: number) => ({
    name: line,
    look: variantLook(index),
    values: places.map(({ row }) => valueOf(row, measure)),
  });
  const numbers = places.map(({ at }) => at);
  const format = numbers.every(Number.isInteger) ? formatCount : formatNumber;
  return { along: 'factor', axisName: name, numbers, categories: numbers.map(format), lines: linesOf([texts.measured], formatLine) };
}

/** Returns the value of a row, marked if its criteria did not pass. */
function valueOf(row: SeriesRow, measure: MatrixMeasure): LevelValue | null {
  const value = scaleSpread(row[measure], measure);
  const outcome = OUTCOME_OF_JUDGEMENT[judgeRow(row) ?? 'passed'];
  return value === null || outcome === undefined ? value : { ...value, outcome };
}

const OUTCOME_OF_JUDGEMENT: Readonly<Record<CriteriaJudgement, LevelValue['outcome']>> = {
  passed: undefined,
  failed: 'failed',
  withinNoise: 'inconclusive',
  inconclusive: 'inconclusive',
};

function repeatPicture(rows: readonly SeriesRow[], names: readonly string[]): LevelPicture | null {
  const repeats = Math.max(0, ...rows.map(({ runs }) => runs.length));
  if (repeats < 2) return null;
  const formatLine = (measure: MatrixMeasure) => (name: string, index: number) => {
    const runs = rows.find(({ variant }) => (variant ?? '') === name)?.runs ?? [];
    return {
      name,
      look: variantLook(index),
      values: Array.from({ length: repeats }, (_, at) =>
        singleValue(
          runs.find(({ repeat }) => repeat === at + 1),
          measure,
        ),
      ),
    };
  };
  const categories = Array.from({ length: repeats }, (_, at) => String(at + 1));
  return { along: 'repeats', axisName: texts.axis.repeats, numbers: null, categories, lines: linesOf(names, formatLine) };
}

function linesOf(
  names: readonly string[],
  formatLine: (measure: MatrixMeasure) => (name: string, index: number) => LevelLine,
): LevelPicture['lines'] {
  return {
    throughput: names.map(formatLine('throughput')),
    p95: names.map(formatLine('p95')),
    failedShare: names.map(formatLine('failedShare')),
  };
}

function singleValue(run: SeriesRow['runs'][number] | undefined, measure: MatrixMeasure): LevelValue | null {
  if (run === undefined || run.state !== 'value' || run.figures === null) return null;
  const { completedPerSecond, p95, failedShare } = run.figures;
  const value = { throughput: completedPerSecond, p95, failedShare }[measure];
  if (typeof value !== 'number') return null;
  const outcome = OUTCOME_OF_JUDGEMENT[judgeCriteria(listJudgedFigures([run])) ?? 'passed'];
  const drawn = scaleSpread({ median: value, least: value, most: value }, measure);
  return drawn === null || outcome === undefined ? drawn : { ...drawn, outcome };
}

/** Converts shares to percent. */
function scaleSpread(spread: Spread | null, measure: MatrixMeasure): Spread | null {
  if (spread === null || measure !== 'failedShare') return spread;
  return { median: 100 * spread.median, least: 100 * spread.least, most: 100 * spread.most };
}

/** Returns the values of a load field to choose from. */
export function levelChoices(rows: readonly Pick<SeriesRow, 'level'>[], field: LevelField): { value: string; label: string }[] {
  const values = [...new Set(rows.flatMap(({ level }) => level[field] ?? []))].sort((a, b) => a - b);
  return values.map((value) => ({ value: String(value), label: levelName({ [field]: value }) }));
}
