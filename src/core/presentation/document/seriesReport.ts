import { saidDifferences } from '#core/series/differences.ts';
import { behaviourOfRow, type SeriesResult, type SeriesRow } from '#core/series/result.ts';
import { describePlan } from '#core/review/describe.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import { capacityBlocks } from './capacity.ts';
import { type Bar, type Block, column, list, numbers, pairs, type Passage, cellText, type Report, section, table, text } from './model.ts';

import { seriesVerdict } from './groupVerdict.ts';
import { fieldsOf, seriesCharts } from './seriesCharts.ts';
import { lineTable, machineTable, matrixNotes, matrixTables, seriesTable, spreadCell, stateText } from './seriesTables.ts';
import { seriesText } from './planText.ts';
import { smallestTexts } from '#core/series/smallestWords.ts';
import { instantText, timeCell } from './words.ts';
import { NOT_OVER, SECRETS_IN_NO_REPORT, TITLES } from './titles.ts';

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
      { id: 'answer', title: 'All cells', blocks: answerBlocks(result) },
      ...section('capacity', TITLES.capacity, seriesCapacityBlocks(result)),
      ...section('cells', 'Cell by cell', rows.flatMap(cellBlocks)),
      ...section('method', TITLES.method, methodBlocks(result)),
      ...section('commands', TITLES.commands, commandBlocks(rows)),
      ...section('repeat', TITLES.doAgain, repeatBlocks(result)),
    ],
    origin: `Holdfast · series ${series.id}`,
  };
}

function answerBlocks(result: SeriesResult): Block[] {
  const { series, document, rows, best, effects, smallest, fits, notes } = result;
  return [
    seriesVerdict(result),
    ...text(document.plan.story),
    ...text(series.endedBecause === null ? '' : `It ended early: ${series.endedBecause} Finished cells are kept.`),
    ...seriesTable(result),
    ...list(TITLES.findings, [
      ...(best === null ? [] : [`Best: ${best.cell}. ${best.reason}`]),
      ...saidDifferences(result).map((difference) => difference.text),
      ...notes,
    ]),
    ...list(
      TITLES.effects,
      effects.map((effect) => effect.text),
    ),
    ...list(TITLES.smallest, smallestTexts(smallest)),
    ...smallest.flatMap(machineTable),
    ...list(
      TITLES.fits,
      fits.map((fit) => fit.text),
    ),
    ...fits.flatMap(lineTable),
    ...pictures(rows),
    ...list(TITLES.lookAt, document.plan.lookAt),
  ];
}

/** Returns charts over the levels; bars for cells without levels or with two load fields. */
function pictures(rows: readonly SeriesRow[]): Block[] {
  const charts = fieldsOf(rows).length > 1 ? [] : seriesCharts(rows);
  if (charts.length > 0) return charts.map((chart) => ({ kind: 'levels', chart }));
  return [
    ...bars('Responses a second', rows, ({ throughput }) => throughput, formatRate),
    ...bars('p95', rows, ({ p95 }) => p95, formatMs),
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

function bars(
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
      `Each cell was run ${series.repeats === 1 ? 'once' : `${formatCount(series.repeats)} times`}.`,
      series.interleaved
        ? 'At each level the variants ran in turn, each round in a different order. Effects of the time of day are shared by all.'
        : 'All repeats of a cell ran in a row.',
      `After each cell there was no load for ${formatSeconds(series.coolDownSeconds)}.`,
      engine.reason,
    ]),
    ...list(TITLES.doesNotSay, [
      series.repeats < 5
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
      ['Ended', series.endedAt === null ? NOT_OVER : instantText(series.endedAt)],
    ]),
    ...list(TITLES.runAgain, ['Save the text below as series.yaml and run: holdfast series series.yaml', SECRETS_IN_NO_REPORT]),
    { kind: 'code', title: 'Plan and series', text: seriesText(document) },
  ];
}
