import type { LineProblem } from '#core/work/feeds/parseFeed.ts';
import { findTable, type GraphColumn, type GraphTable, readColumns } from './columns.ts';
import { type DateOrder, parseTime, parseZone, type WrittenTime, type Zone } from './times.ts';

export interface Graph {
  readonly columns: readonly GraphColumn[];
  /** Median time between two rows. */
  readonly stepMs: number;
  /** Unix times of all rows in milliseconds. */
  readonly timesMs: readonly number[];
}

export interface GraphOptions {
  /** Time zone for times that state none. */
  readonly zone?: Zone | undefined;
  /** A time that the graph should include. It decides whether 04/05 is in April or in May. */
  readonly nearMs?: number | undefined;
}

export type GraphProblem = { readonly line: number | null; readonly message: string };
export type GraphReading =
  | { readonly graph: Graph; readonly leftOut: readonly string[] }
  | { readonly graph: null; readonly problems: readonly GraphProblem[] };

const MAX_PROBLEMS = 10;
const DATE_ORDERS: readonly DateOrder[] = ['day first', 'month first'];
const DAY_MS = 86_400_000;

/** Parses a graph exported by a cloud console, a dashboard or a spreadsheet. Never throws; returns all problems. */
export function readGraph(text: string, options: GraphOptions = {}): GraphReading {
  const table = findTable(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (table === null)
    return refuseGraph({
      line: null,
      message: 'no column contains date and time: write them as 2026-04-25T10:00:00Z, one row for each instant',
    });
  const times = readTimes(table, options);
  if ('problems' in times) return refuseGraph(...times.problems);
  const order = times.ms.map((ms, index) => ({ ms, index })).toSorted((one, other) => one.ms - other.ms);
  const repeatedRow = order.find(({ ms }, position) => ms === order[position - 1]?.ms);
  if (repeatedRow !== undefined)
    return refuseGraph({
      line: table.rows[repeatedRow.index]?.line ?? null,
      message: 'an earlier row has the same time: use one row for each instant and a column for each graph',
    });
  const timesMs = order.map(({ ms }) => ms);
  const stepMs = stepOf(timesMs);
  const rows = order.map(({ index }) => table.rows[index]?.fields ?? []);
  const [columns, leftOut] = readColumns(table, { rows, timesMs, stepMs });
  if (columns.length === 0)
    return refuseGraph({ line: null, message: `no column contains numbers (${leftOut.join('; ') || 'there is only one'})` });
  return { graph: { columns, stepMs, timesMs }, leftOut };
}

function refuseGraph(...problems: readonly GraphProblem[]): GraphReading {
  return { graph: null, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Returns the Unix time of each row in milliseconds. */
function readTimes(table: GraphTable, { zone, nearMs }: GraphOptions): { ms: number[] } | { problems: GraphProblem[] } {
  const named = zoneInName(table.names[table.timeColumn] ?? '') ?? zone ?? null;
  const rows = table.rows.map(({ line, fields }) => ({ line, time: parseTime(fields[table.timeColumn] ?? '') }));
  const problems: GraphProblem[] = rows.flatMap(({ line, time }): LineProblem[] =>
    time === null ? [{ line, message: 'it has no valid date and time' }] : [],
  );
  if (problems.length > 0) return { problems };
  const reported = rows.flatMap(({ time }) => (time === null ? [] : [time]));
  if (named === null && reported.some((time) => time.zone === null))
    return { problems: [{ line: null, message: 'its times have no time zone: enter one, such as UTC, +02:00 or Europe/Berlin' }] };
  const candidates = DATE_ORDERS.flatMap((order) => readInOrder(reported, order, named));
  const [first, second] = candidates;
  if (first === undefined) return { problems: [{ line: null, message: 'some of its dates begin with the day, others with the month' }] };
  if (second === undefined || first.every((ms, index) => ms === second[index])) return { ms: first };
  const coveringTimes = candidates.filter((times) => nearMs !== undefined && coversRun(times, nearMs));
  const [only] = coveringTimes;
  if (coveringTimes.length === 1 && only !== undefined) return { ms: only };
  return { problems: [{ line: null, message: 'its dates may begin with the day or the month: write them as 2026-04-25' }] };
}

function readInOrder(times: readonly WrittenTime[], order: DateOrder, named: Zone | null): number[][] {
  const ms = times.flatMap(({ shownMs, zone }) => {
    const shown = shownMs[order];
    return shown === null ? [] : [shown - ((zone ?? named)?.(shown) ?? 0)];
  });
  return ms.length === times.length ? [ms] : [];
}

function coversRun(times: readonly number[], nearMs: number): boolean {
  return times.some((ms) => Math.abs(ms - nearMs) < DAY_MS);
}

/** Returns the time zone in a column name: "Timestamp (UTC)", "Time (UTC+02:00)". */
function zoneInName(name: string): Zone | null {
  const [, zoneText = ''] = /[([]([^()[\]]+)[)\]]\s*$/.exec(name) ?? [];
  return zoneText === '' ? null : parseZone(zoneText);
}

/** Returns the median time between rows; one minute for a single row. */
function stepOf(sortedMs: readonly number[]): number {
  const steps = sortedMs.slice(1).map((ms, index) => ms - (sortedMs[index] ?? ms));
  return steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 60_000;
}
