import { addCount, type Counts, withoutAbsent } from '#core/base/lists.ts';
import { addNames, OTHERS } from '#core/base/foreignNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { csvLines } from '#core/base/text.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import type { TimeMs } from '#core/base/units.ts';
import { rateApdex, type LatencySummary, TABLE_TIMES } from '#core/statistics/latency.ts';
import { type Cycle, findCycles } from '#core/judgement/capacity/levels.ts';

const COLUMNS: readonly { readonly name: string; readonly value: (point: Point) => number | string | null }[] = [
  { name: 'second', value: (point) => point.second },
  { name: 'seconds_covered', value: (point) => point.width },
  { name: 'started', value: (point) => point.started },
  { name: 'completed', value: (point) => point.completed },
  { name: 'ok', value: (point) => point.ok },
  { name: 'failed', value: (point) => point.failed },
  { name: 'in_flight', value: (point) => point.inFlight },
  { name: 'bytes_received', value: (point) => point.bytesReceived },
  { name: 'p50_ms', value: (point) => point.p50 },
  { name: 'p90_ms', value: (point) => point.p90 },
  { name: 'p99_ms', value: (point) => point.p99 },
  { name: 'max_ms', value: (point) => point.max },
  { name: 'service_p50_ms', value: (point) => point.service?.p50 ?? null },
  { name: 'service_p99_ms', value: (point) => point.service?.p99 ?? null },
  { name: 'not_started_server', value: (point) => point.notStarted.target },
  { name: 'not_started_generator', value: (point) => point.notStarted.generator },
  { name: 'generator_overloaded', value: (point) => point.overloadedBy.join(' ') },
];

const CACHE_COLUMNS = [
  ['from_cache', 'fromCache'],
  ['from_server', 'fromServer'],
] as const;

const HANDSHAKE_COLUMNS = [
  ['tls_full', 'full'],
  ['tls_resumed', 'resumed'],
] as const;

/**
 * Formats one line per second (per longer interval in old runs): RFC 4180, with a header, counts, and times in ms. Percentiles are response
 * times. Service times have their own columns, which are empty if the load model does not distinguish the two. Each status, error, cache
 * result or resumed TLS session that occurred has a column. Unknown values are empty, never 0.
 */
export function formatCsv({ windows }: Pick<RunResult, 'windows'>): string {
  const statuses = listNames(windows, (point) => point.status);
  const errors = Object.keys(addNames(windows.map((point) => point.errors))).sort();
  const caches = windows.some(({ cache }) => cache !== undefined) ? CACHE_COLUMNS : [];
  const handshakes = windows.some((point) => (point.handshakes?.resumed ?? 0) > 0) ? HANDSHAKE_COLUMNS : [];
  const header = [
    ...COLUMNS.map(({ name }) => name),
    ...statuses.map((status) => `status_${status}`),
    ...errors.map((error) => `error_${error}`),
    ...caches.map(([name]) => name),
    ...handshakes.map(([name]) => name),
  ];
  const rows = windows.map((point) => [
    ...COLUMNS.map(({ value }) => value(point)),
    ...statuses.map((status) => getOwn(point.status, status) ?? 0),
    ...errorCounts(point, errors),
    ...caches.map(([, key]) => point.cache?.[key] ?? 0),
    ...handshakes.map(([, key]) => point.handshakes?.[key] ?? 0),
  ]);
  return csvLines([header, ...rows]);
}

/** Returns error counts in the order of the names. OTHERS contains the rest. */
function errorCounts({ errors }: Point, names: readonly string[]): number[] {
  const knownNames = new Set(names);
  const counts: Counts = {};
  for (const [name, count] of Object.entries(errors)) addCount(counts, knownNames.has(name) ? name : OTHERS, count);
  return names.map((name) => getOwn(counts, name) ?? 0);
}

function listNames(points: readonly Point[], counts: (point: Point) => Readonly<Record<string, number>>): string[] {
  return [...new Set(points.flatMap((point) => Object.keys(counts(point))))].sort();
}

/**
 * Formats one line for each step of each stage, and one for the stage with an empty step: RFC 4180, times in ms. A percentile that falls on
 * unsuccessful requests is the word “never”; unknown values are empty, never 0.
 */
export function formatStepsCsv({ stages }: Pick<RunResult, 'stages'>): string {
  const header = [
    'stage',
    'counted',
    'step',
    'sent',
    ...OUTCOMES,
    'withoutResponse',
    'started_per_second',
    'responses_per_second',
    'bytes_per_second',
    ...['response', 'service', 'error_adjusted'].flatMap((kind) => TABLE_TIMES.map((time) => `${kind}_${time}_ms`)),
    'budget_ms',
    'within_budget',
  ];
  const rows = stages.flatMap((stage) => [
    formatLine(stage.name, stage.counted, '', stage),
    ...stage.steps.map((step) => formatLine(stage.name, stage.counted, step.name, step)),
  ]);
  return csvLines([header, ...rows]);
}

type Figures = Omit<RunResult['steps'][number], 'name'>;

function formatLine(
  stage: string,
  counted: boolean,
  step: string,
  { requests, rates, latency, budget }: Figures,
): (string | number | null)[] {
  return [
    stage,
    counted ? 'yes' : 'no',
    step,
    requests.sent,
    ...OUTCOMES.map((outcome) => requests[outcome]),
    requests.inFlight,
    rates.startedPerSecond,
    rates.completedPerSecond,
    rates.bytesPerSecond,
    ...[latency.response, latency.service, latency.errorAdjusted].flatMap(timeFields),
    budget?.maxMs ?? null,
    budget?.share ?? null,
  ];
}

function timeFields(summary: LatencySummary): TimeMs[] {
  return TABLE_TIMES.map((time) => summary[time]);
}

const PAGE_COLUMNS = ['CUs', 'Apdex*', 'Rating', 'SPPS', 'TOTAL', 'SUCCESS', 'ERROR', 'MIN', 'AVG', 'MAX', 'MED', 'P90', 'P95'] as const;
const REQUEST_COLUMNS = [
  'CUs',
  'Apdex*',
  'Rating',
  'RPS',
  'maxRPS',
  'TOTAL',
  'SUCCESS',
  'ERROR',
  'MIN',
  'AVG',
  'MAX',
  'MED',
  'P90',
  'P95',
] as const;
/** Text of an unknown value. */
const UNKNOWN_VALUE = '-';

/**
 * Formats the cycles of a run (its counted stages with one number of users or connections) in the columns of FunkLoad: pages if whole pages
 * were fetched, and requests. Seconds have three digits. Rates count successful pages and requests over the time of the load.
 */
export function formatCycles(result: RunResult): string {
  const cycles = findCycles(result);
  const requests = findCycles({ ...result, pages: null });
  const head = `Holdfast ${result.run.holdfastVersion}, run ${result.run.id} of ${result.run.startedAt} (columns of FunkLoad's tables)`;
  if (cycles.length === 0) return `${head}\n\nNo cycles: no counted stage has a constant number of users or connections.\n`;
  const hasPages = cycles.some(({ counted }) => counted === 'pages');
  return withoutAbsent([
    head,
    '',
    ...(hasPages
      ? [
          'Page stats',
          ...lines([[...PAGE_COLUMNS], ...cycles.map(pageRow)]),
          '* Apdex of whole pages. FunkLoad prints the Apdex of single requests here.',
          '',
        ]
      : []),
    'Request stats',
    ...lines([[...REQUEST_COLUMNS], ...requests.map((cycle, index) => requestRow(result, cycle, cycles[index]?.requestApdex ?? null))]),
    hasPages && '* Apdex of all requests of the pages; the other figures cover the requests of the steps.',
    'CUs: concurrent users or connections. ERROR: share of failed requests, which are in no time.',
    '',
  ]).join('\n');
}

function pageRow({ at, apdex, perSecond, ...rest }: Cycle): string[] {
  return [String(at), ...apdexCells(apdex), rate(perSecond), ...countsAndTimes(rest)];
}

function requestRow(result: RunResult, { name, at, perSecond, ...rest }: Cycle, apdex: number | null): string[] {
  return [String(at), ...apdexCells(apdex), rate(perSecond), formatMax(result, name), ...countsAndTimes(rest)];
}

function apdexCells(apdex: number | null): string[] {
  return apdex === null ? [UNKNOWN_VALUE, UNKNOWN_VALUE] : [apdex.toFixed(3), rateApdex(apdex)];
}

function countsAndTimes({ total, good, failed, times }: Pick<Cycle, 'total' | 'good' | 'failed' | 'times'>): string[] {
  const share = total === 0 ? UNKNOWN_VALUE : `${((100 * failed) / total).toFixed(2)}%`;
  return [String(total), String(good), share, ...[times.min, times.mean, times.max, times.p50, times.p90, times.p95].map(seconds)];
}

/** Returns the maximum number of successful responses in one second of the stage. */
function formatMax({ stages, windows }: RunResult, name: string): string {
  const stage = stages.find((one) => one.name === name);
  const [from, to] = [stage?.startedAtSecond ?? null, stage?.endedAtSecond ?? null];
  if (from === null || to === null) return UNKNOWN_VALUE;
  const own = windows.filter(({ second, width }) => width === 1 && second >= Math.floor(from) && second < to);
  return own.length === 0 ? UNKNOWN_VALUE : String(Math.max(...own.map(({ ok }) => ok)));
}

function rate(perSecond: number | null): string {
  return perSecond === null ? UNKNOWN_VALUE : perSecond.toFixed(3);
}

function seconds(time: TimeMs): string {
  if (time === null) return UNKNOWN_VALUE;
  return typeof time === 'number' ? (time / 1_000).toFixed(3) : time;
}

function lines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}
