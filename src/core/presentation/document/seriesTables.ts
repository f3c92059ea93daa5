import { capitalize } from '#core/base/text.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { budgetFigure, isJudged } from '#core/series/smallest.ts';
import { CELL_STATE_WORDS, columnsOf, CRITERIA_LABELS, factorNames } from '#core/series/format.ts';
import { CRITERIA_OF_MACHINE, type CriteriaJudgement, judgeRow } from '#core/series/criteria.ts';
import { listMatrices, type MatrixMeasure, type MatrixCell } from '#core/series/matrix.ts';
import type { CellState, Fit, SeriesResult, SeriesRow, SmallestMachine, Spread } from '#core/series/result.ts';
import { type Cell, column, type ColumnOf, numbers, type RichCell, table, type TableBlock } from './model.ts';
import {
  ASPECT_WORDS,
  changeWords,
  formatFigure,
  formatInterval,
  formatJudgement,
  measureTitle,
  formatScope,
} from '#core/comparison/figureTexts.ts';
import type { Comparison, FigureDifference, Pair } from '#core/comparison/schema.ts';

export function stateText(state: CellState): string {
  return capitalize(CELL_STATE_WORDS[state]);
}

function criteriaCell(judgement: CriteriaJudgement): RichCell {
  return { text: capitalize(CRITERIA_LABELS[judgement]), mark: judgement };
}

/** Returns the median of several values, with minimum and maximum. */
export function spreadCell(spread: Spread | null, format: (value: number) => string): Cell {
  if (spread === null) return '–';
  const { median, least, most } = spread;
  return least === most ? format(median) : { text: format(median), about: `${format(least)} to ${format(most)}` };
}

/** Returns a table with a row for each cell, which is updated during the series. */
export function seriesTable({ rows }: Pick<SeriesResult, 'rows'>): TableBlock[] {
  const { servers, pages, cache, criteria } = columnsOf(rows);
  const columnsIf = (isThere: boolean, shown: ColumnOf<SeriesRow>): ColumnOf<SeriesRow>[] => (isThere ? [shown] : []);
  return table(
    'Cells',
    rows,
    [
      column('Cell', ({ cell, note }) => ({ text: cell, about: capitalize(note ?? '') })),
      ...factorNames(rows).map((name) => column<SeriesRow>(name, ({ factors }) => String(getOwn(factors, name) ?? ''))),
      column('State', ({ state }) => ({ text: stateText(state), mark: state })),
      ...columnsIf(
        criteria,
        column('Criteria', (row) => {
          const judgement = judgeRow(row);
          return judgement === null ? '–' : criteriaCell(judgement);
        }),
      ),
      numbers('Complete runs', ({ values, runs }) => `${formatCount(values)} of ${formatCount(runs.length)}`),
      ...columnsIf(
        servers,
        numbers('Servers', (row) => spreadCell(row.servers, formatCount)),
      ),
      numbers('Responses/s', ({ throughput }) => spreadCell(throughput, formatRate), { term: 'throughput' }),
      ...columnsIf(
        pages,
        numbers('Pages/s', ({ pagesPerSecond }) => spreadCell(pagesPerSecond, formatRate)),
      ),
      ...columnsIf(
        cache,
        numbers('From a cache', ({ fromCache }) => spreadCell(fromCache, formatPercent)),
      ),
      numbers('p95', ({ p95 }) => spreadCell(p95, formatMs), { term: 'p95' }),
      numbers('p99', ({ p99 }) => spreadCell(p99, formatMs), { term: 'p99', minor: true }),
      numbers('Failed', ({ failedShare }) => spreadCell(failedShare, formatShare)),
    ],
    'Median and range of the complete runs of a cell. –: not measured.',
  );
}

export const MEASURE_NAMES: Readonly<Record<MatrixMeasure, string>> = { throughput: 'Throughput', p95: 'p95', failedShare: 'Failed' };

const FIELD_NAMES = {
  connections: 'Connections',
  users: 'Users',
  perSecond: 'Per second',
  requests: 'Requests',
  seconds: 'Seconds',
  people: 'People',
} as const;

/** Returns a matrix for each variant of a series over two load fields; nothing for other series. */
export function matrixTables({ rows }: Pick<SeriesResult, 'rows'>, measure: MatrixMeasure): TableBlock[] {
  return listMatrices(rows, measure).flatMap(({ variant, down, columns, rows: lines }) =>
    table(
      variant === '' ? MEASURE_NAMES[measure] : `${variant}: ${MEASURE_NAMES[measure]}`,
      lines,
      [
        column(FIELD_NAMES[down], ({ label }) => label),
        ...columns.map((label, index) => numbers<(typeof lines)[number]>(label, ({ places }) => placeCell(places[index]))),
      ],
      'Cells without a complete measurement show their state.',
    ),
  );
}

/** Returns the reasons why cells of a matrix have no figure. */
export function matrixNotes({ rows }: Pick<SeriesResult, 'rows'>): string[] {
  return [
    ...new Set(
      listMatrices(rows, 'throughput').flatMap(({ rows: lines }) =>
        lines.flatMap(({ places }) => places.flatMap(({ note }) => (note === null ? [] : capitalize(note)))),
      ),
    ),
  ];
}

function placeCell(place: MatrixCell | undefined): string {
  return place?.figure ?? (place?.state == null ? '–' : stateText(place.state));
}

/** Returns the machines from small to large, with the criterion that each is closest to failing; nothing without judged criteria. */
export function machineTable(conclusion: SmallestMachine): TableBlock[] {
  const { condition, machines } = conclusion;
  if (!isJudged(conclusion)) return [];
  return table(`Machines by size${condition === '' ? '' : `, at ${condition}`}`, machines, [
    column('Machine', ({ name }) => name),
    column('Criteria', ({ judgement }) => (judgement === 'notMeasured' ? 'Not measured' : criteriaCell(CRITERIA_OF_MACHINE[judgement]))),
    numbers('Passed runs', ({ passed, runs }) => `${formatCount(passed)} of ${formatCount(runs)}`),
    column('Criterion closest to failing', ({ closest }) =>
      closest === null ? '–' : `${closest.text}: ${budgetFigure(closest.measured, closest.unit)}`,
    ),
  ]);
}

/** Returns the measured and the fitted value of each cell; nothing if there is no fitted line. */
export function lineTable({ condition, cells, refused }: Fit): TableBlock[] {
  if (refused !== null) return [];
  return table(
    `Fit and measurements${condition === '' ? '' : `, at ${condition}`}`,
    cells,
    [
      column('Cell', ({ cell }) => cell),
      numbers('Measured', ({ measuredMs }) => formatMs(measuredMs)),
      numbers('Fit', ({ lineMs }) => formatMs(lineMs)),
    ],
    'p50 of the response time.',
  );
}

/** Returns every figure of two sides, named `from` and `to`, with the change, its interval, and whether the change exceeds noise. */
export function differenceTable(title: string, { differences }: Pick<Pair, 'differences'>, from: string, to: string): TableBlock[] {
  const hasScopes = differences.some(({ scope }) => scope.kind !== 'run');
  return table(title, differences, [
    column('Figure', ({ measure, scope }) => ({ text: measureTitle(measure), about: hasScopes ? formatScope(scope) : '' })),
    numbers(from, (one) => sideCell(one, 'from')),
    numbers(to, (one) => sideCell(one, 'to')),
    numbers('Change', (one) => (one.change === null ? '–' : changeWords(one.change, one))),
    numbers('99 % interval', (one) => formatInterval(one) ?? '–'),
    column('Conclusion', judgementCell),
  ]);
}

function sideCell({ measure, ...sides }: FigureDifference, side: 'from' | 'to'): Cell {
  return spreadCell(sides[side], (value) => formatFigure(value, measure));
}

function judgementCell(difference: FigureDifference): Cell {
  const text = formatJudgement(difference);
  const { judgement, direction } = difference;
  return judgement === 'differs' && direction !== null ? { text, mark: direction === 'better' ? 'passed' : 'failed' } : text;
}

/** Returns every circumstance that differs between runs and may explain a difference in the figures. */
export function dissimilarityTable({ dissimilar }: Pick<Comparison, 'dissimilar'>, sides: readonly string[]): TableBlock[] {
  return table('Differences between the runs, by side', dissimilar, [
    column('Difference', ({ what }) => what),
    column('Kind', ({ aspect }) => capitalize(ASPECT_WORDS[aspect])),
    ...sides.map((side, index) => column<Comparison['dissimilar'][number]>(side, ({ values }) => values[index]?.join(', ') ?? '')),
  ]);
}
