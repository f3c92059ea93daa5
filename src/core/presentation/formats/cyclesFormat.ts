import { type Cycle, findCycles } from '#core/judgement/capacity/levels.ts';
import { apdexWord } from '#core/statistics/latency.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import { present } from '#core/base/lists.ts';

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
const NOTHING = '-';

/**
 * Formats the cycles of a run (its counted stages with one number of users or connections) in the columns of FunkLoad: pages
 * if whole pages were fetched, and requests. Seconds with three digits; rates are of successful ones over the loaded time.
 */
export function formatCycles(result: RunResult): string {
  const cycles = findCycles(result);
  const requests = findCycles({ ...result, pages: null });
  const head = `Holdfast ${result.run.holdfastVersion}, run ${result.run.id} of ${result.run.startedAt} (columns of FunkLoad's tables)`;
  if (cycles.length === 0) return `${head}\n\nNo cycles: no counted stage has a constant number of users or connections.\n`;
  const hasPages = cycles.some(({ counted }) => counted === 'pages');
  return present([
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
  return [String(at), ...apdexCells(apdex), rate(perSecond), most(result, name), ...countsAndTimes(rest)];
}

function apdexCells(apdex: number | null): string[] {
  return apdex === null ? [NOTHING, NOTHING] : [apdex.toFixed(3), apdexWord(apdex)];
}

function countsAndTimes({ total, good, failed, times }: Pick<Cycle, 'total' | 'good' | 'failed' | 'times'>): string[] {
  const share = total === 0 ? NOTHING : `${((100 * failed) / total).toFixed(2)}%`;
  return [String(total), String(good), share, ...[times.min, times.mean, times.max, times.p50, times.p90, times.p95].map(seconds)];
}

/** Returns the maximum successful responses in one second of the stage. */
function most({ stages, windows }: RunResult, name: string): string {
  const stage = stages.find((one) => one.name === name);
  const [from, to] = [stage?.startedAtSecond ?? null, stage?.endedAtSecond ?? null];
  if (from === null || to === null) return NOTHING;
  const own = windows.filter(({ second, width }) => width === 1 && second >= Math.floor(from) && second < to);
  return own.length === 0 ? NOTHING : String(Math.max(...own.map(({ ok }) => ok)));
}

function rate(perSecond: number | null): string {
  return perSecond === null ? NOTHING : perSecond.toFixed(3);
}

function seconds(time: TimeMs): string {
  if (time === null) return NOTHING;
  return typeof time === 'number' ? (time / 1_000).toFixed(3) : time;
}

function lines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}
