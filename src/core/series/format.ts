import { getOwn } from '#core/base/ownMembers.ts';
import { csvLines } from '#core/base/text.ts';
import { LEVEL_FIELDS } from '#core/plan/schema/series.ts';
import { type CriteriaJudgement, judgeRow } from './criteria.ts';
import type { CellState, SeriesResult, SeriesRow } from './result.ts';

export const CELL_STATE_WORDS: Readonly<Record<CellState, string>> = {
  waiting: 'waiting',
  running: 'running',
  value: 'measured',
  refused: 'refused',
  aborted: 'cut off',
  unread: 'result not read',
  notRun: 'not run',
};

/** Results of the criteria as texts for tables. */
export const CRITERIA_LABELS: Readonly<Record<CriteriaJudgement, string>> = {
  passed: 'passed',
  failed: 'failed',
  withinNoise: 'within noise',
  inconclusive: 'inconclusive',
};

interface SeriesColumns {
  readonly servers: boolean;
  readonly pages: boolean;
  readonly cache: boolean;
  readonly criteria: boolean;
}

/** Returns the columns for which at least one row has a value. */
export function columnsOf(rows: readonly SeriesRow[]): SeriesColumns {
  return {
    servers: rows.some(({ servers }) => servers !== null),
    pages: rows.some(({ pagesPerSecond }) => pagesPerSecond !== null),
    cache: rows.some(({ fromCache }) => fromCache !== null),
    criteria: rows.some((row) => judgeRow(row) !== null),
  };
}

/** Returns the names of factors in the order of their first occurrence. */
export function factorNames(rows: readonly Pick<SeriesRow, 'factors'>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row.factors)))];
}

/**
 * Formats the table as RFC 4180: a header, then one line per cell. Times are in ms; medians are over complete runs. Unknown values are
 * empty.
 */
export function formatSeriesCsv({ rows }: Pick<SeriesResult, 'rows'>): string {
  const factors = factorNames(rows);
  const fields = LEVEL_FIELDS.filter((field) => rows.some((row) => row.level[field] !== undefined));
  const columns: readonly MeasureColumn[] = columnsOf(rows).cache ? [...MEASURE_COLUMNS, FROM_CACHE] : MEASURE_COLUMNS;
  const header = [
    'cell',
    'variant',
    ...factors.map((name) => `factor_${name}`),
    ...fields,
    'state',
    'whole_runs',
    'runs',
    ...columns.flatMap(([name]) => [name, `${name}_least`, `${name}_most`]),
    'note',
    'run_ids',
  ];
  const lines = rows.map((row) => [
    row.cell,
    row.variant,
    ...factors.map((name) => (getOwn(row.factors, name) === undefined ? null : String(getOwn(row.factors, name)))),
    ...fields.map((field) => row.level[field] ?? null),
    row.state,
    row.values,
    row.runs.length,
    ...columns.flatMap(([, measure]) => {
      const spread = row[measure];
      return [spread?.median ?? null, spread?.least ?? null, spread?.most ?? null];
    }),
    row.note,
    row.runs.flatMap(({ runId }) => runId ?? []).join(' '),
  ]);
  return csvLines([header, ...lines]);
}

const MEASURE_COLUMNS = [
  ['responses_per_second', 'throughput'],
  ['good_per_second', 'okPerSecond'],
  ['pages_per_second', 'pagesPerSecond'],
  ['servers', 'servers'],
  ['p50_ms', 'p50'],
  ['p95_ms', 'p95'],
  ['p99_ms', 'p99'],
  ['failed_share', 'failedShare'],
] as const;
const FROM_CACHE = ['from_cache_share', 'fromCache'] as const;
type MeasureColumn = (typeof MEASURE_COLUMNS)[number] | typeof FROM_CACHE;
