import { getOwn } from '#core/base/ownMembers.ts';
import { csvLines } from '#core/base/text.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import { LEVEL_FIELDS } from '#core/plan/schema/series.ts';
import { type LimitsJudgement, limitsOfRow } from './limits.ts';
import type { CellState, SeriesResult, SeriesRow, Spread } from './result.ts';

/** States in words for tables. */
export const CELL_STATE_WORDS: Readonly<Record<CellState, string>> = {
  waiting: 'waiting',
  running: 'running',
  value: 'measured',
  refused: 'refused',
  aborted: 'aborted',
  unread: 'result not read',
  notRun: 'not run',
};

/** Limits in words for tables. */
export const LIMITS_WORDS: Readonly<Record<LimitsJudgement, string>> = {
  holds: 'kept',
  breaks: 'missed',
  withinNoise: 'within noise',
  inconclusive: NOT_KNOWN,
};

/** The table as cells of text, a heading first; each row for one cell. */
export function seriesTable({ rows }: Pick<SeriesResult, 'rows'>): string[][] {
  const factors = factorNames(rows);
  const { servers, pages, cache, limits } = columnsOf(rows);
  return [
    [
      'cell',
      ...factors,
      'state',
      ...(limits ? ['limits'] : []),
      'runs',
      ...(servers ? ['servers'] : []),
      'answers/s',
      ...(pages ? ['pages/s'] : []),
      ...(cache ? ['from a cache'] : []),
      '19 of 20 within',
      'p99',
      'failed',
    ],
    ...rows.map((row) => [
      row.cell,
      ...factors.map((name) => String(getOwn(row.factors, name) ?? '')),
      CELL_STATE_WORDS[row.state],
      ...(limits ? [limitsText(row)] : []),
      `${formatCount(row.values)} of ${formatCount(row.runs.length)}`,
      ...(servers ? [spreadText(row.servers, formatCount)] : []),
      spreadText(row.throughput, formatRate),
      ...(pages ? [spreadText(row.pagesPerSecond, formatRate)] : []),
      ...(cache ? [spreadText(row.fromCache, formatPercent)] : []),
      spreadText(row.p95, formatMs),
      spreadText(row.p99, formatMs),
      spreadText(row.failedShare, formatShare),
    ]),
  ];
}

interface SeriesColumns {
  readonly servers: boolean;
  readonly pages: boolean;
  readonly cache: boolean;
  readonly limits: boolean;
}

/** Which columns some row has anything for. */
export function columnsOf(rows: readonly SeriesRow[]): SeriesColumns {
  return {
    servers: rows.some(({ servers }) => servers !== null),
    pages: rows.some(({ pagesPerSecond }) => pagesPerSecond !== null),
    cache: rows.some(({ fromCache }) => fromCache !== null),
    limits: rows.some((row) => limitsOfRow(row) !== null),
  };
}

function limitsText(row: SeriesRow): string {
  const judgement = limitsOfRow(row);
  return judgement === null ? '–' : LIMITS_WORDS[judgement];
}

/** Names of factors in the order in which they first occur. */
export function factorNames(rows: readonly Pick<SeriesRow, 'factors'>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row.factors)))];
}

/** "51.2/s (49–53/s)" of several runs, "51.2/s" of one; "–" where there is none. */
export function spreadText(spread: Spread | null, format: (value: number) => string): string {
  if (spread === null) return '–';
  const { median, least, most } = spread;
  return least === most ? format(median) : `${format(median)} (${format(least)} to ${format(most)})`;
}

/** The table as RFC 4180: a header, then one line for each cell; times in ms, medians over whole runs. What is not known is empty. */
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
  ['answers_per_second', 'throughput'],
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
