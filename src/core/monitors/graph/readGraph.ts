import type { LineProblem } from '#core/feeds/csvRecords.ts';
import { findTable, type GraphTable } from './table.ts';
import { parseTime, type DateOrder, type WrittenTime } from './times.ts';
import { parseValue, type WrittenValue } from './values.ts';
import { parseZone, type Zone } from './zone.ts';

export interface GraphColumn {
  readonly name: string;
  /** As it stands behind the numbers; empty where none does. */
  readonly unit: string;
  /** In the order of time. null is a gap: something that was not measured, or a row that is missing. */
  readonly points: readonly GraphPoint[];
}

export interface GraphPoint {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly value: number | null;
}

export interface Graph {
  readonly columns: readonly GraphColumn[];
  /** From one row to the next, as most are. */
  readonly stepMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface GraphOptions {
  /** Of times that do not say their own. */
  readonly zone?: Zone | undefined;
  /** A moment that the graph is expected to show: it settles whether 04/05 is in April or in May. */
  readonly nearMs?: number | undefined;
}

export type GraphProblem = { readonly line: number | null; readonly message: string };
export type GraphReading =
  | { readonly graph: Graph; readonly leftOut: readonly string[] }
  | { readonly graph: null; readonly problems: readonly GraphProblem[] };

const MOST_PROBLEMS = 10;
const ORDERS: readonly DateOrder[] = ['day first', 'month first'];
const DAY_MS = 86_400_000;
/** Rows are not cut off where they come a little late. */
const GAP_STEPS = 1.5;

/** Reads the file that a console of a cloud, a dashboard or a spreadsheet exports for a graph. Never throws; tells every problem. */
export function readGraph(text: string, options: GraphOptions = {}): GraphReading {
  const table = findTable(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (table === null)
    return refused({
      line: null,
      message: 'no column holds a date and a time of day: write them as 2026-04-25T10:00:00Z, one row for each moment',
    });
  const times = timesOf(table, options);
  if ('problems' in times) return refused(...times.problems);
  const order = times.ms.map((ms, index) => ({ ms, index })).toSorted((one, other) => one.ms - other.ms);
  const twice = order.find(({ ms }, position) => ms === order[position - 1]?.ms);
  if (twice !== undefined)
    return refused({
      line: table.rows[twice.index]?.line ?? null,
      message: 'an earlier row has the same time: a file holds each moment once, with a column for each graph',
    });
  const stepMs = stepOf(order.map(({ ms }) => ms));
  const decimalComma = hasDecimalComma(table);
  const leftOut: string[] = [];
  const columns = table.names.flatMap((name, column): GraphColumn[] => {
    if (column === table.timeColumn) return [];
    const values = table.rows.map(({ fields }) => parseValue(fields[column] ?? '', decimalComma));
    const units = new Set(values.flatMap((value) => (value === null || value === 'gap' ? [] : [value.unit])));
    if (values.includes(null) || units.size !== 1) {
      leftOut.push(`${name}: ${values.includes(null) ? 'holds something else than numbers' : whyNoUnit(units)}`);
      return [];
    }
    const points = order.map(({ ms, index }) => ({ atMs: ms, value: numberIn(values[index]) }));
    return [{ name, unit: [...units][0] ?? '', points: withGaps(points, stepMs) }];
  });
  if (columns.length === 0)
    return refused({ line: null, message: `no column holds numbers (${leftOut.join('; ') || 'there is only one'})` });
  return { graph: { columns, stepMs, firstMs: order[0]?.ms ?? 0, lastMs: order.at(-1)?.ms ?? 0 }, leftOut };
}

function refused(...problems: readonly GraphProblem[]): GraphReading {
  return { graph: null, problems: problems.slice(0, MOST_PROBLEMS) };
}

function whyNoUnit(units: ReadonlySet<string>): string {
  return units.size === 0 ? 'holds no number' : `mixes the units ${[...units].map((unit) => unit || 'none').join(' and ')}`;
}

function numberIn(value: WrittenValue | 'gap' | null | undefined): number | null {
  return typeof value === 'object' && value !== null ? value.value : null;
}

/** Milliseconds since 1970 of each row. */
function timesOf(table: GraphTable, { zone, nearMs }: GraphOptions): { ms: number[] } | { problems: GraphProblem[] } {
  const named = zoneInName(table.names[table.timeColumn] ?? '') ?? zone ?? null;
  const rows = table.rows.map(({ line, fields }) => ({ line, time: parseTime(fields[table.timeColumn] ?? '') }));
  const problems: GraphProblem[] = rows.flatMap(({ line, time }): LineProblem[] =>
    time === null ? [{ line, message: 'it has no date with a time of day that could be read' }] : [],
  );
  if (problems.length > 0) return { problems };
  const told = rows.flatMap(({ time }) => (time === null ? [] : [time]));
  if (named === null && told.some((time) => time.zone === null))
    return { problems: [{ line: null, message: 'its times do not say their time zone: give it, such as UTC, +02:00 or Europe/Berlin' }] };
  const candidates = ORDERS.flatMap((order) => inOrder(told, order, named));
  const [first, second] = candidates;
  if (first === undefined) return { problems: [{ line: null, message: 'some of its dates begin with the day and others with the month' }] };
  if (second === undefined || first.every((ms, index) => ms === second[index])) return { ms: first };
  const near = candidates.filter((times) => nearMs !== undefined && covers(times, nearMs));
  const [only] = near;
  if (near.length === 1 && only !== undefined) return { ms: only };
  return { problems: [{ line: null, message: 'its dates can be read with the day or the month first: write them as 2026-04-25' }] };
}

function inOrder(times: readonly WrittenTime[], order: DateOrder, named: Zone | null): number[][] {
  const ms = times.flatMap(({ shownMs, zone }) => {
    const shown = shownMs[order];
    return shown === null ? [] : [shown - ((zone ?? named)?.(shown) ?? 0)];
  });
  return ms.length === times.length ? [ms] : [];
}

function covers(times: readonly number[], nearMs: number): boolean {
  return times.some((ms) => Math.abs(ms - nearMs) < DAY_MS);
}

/** "Timestamp (UTC)", "Time (UTC+02:00)". */
function zoneInName(name: string): Zone | null {
  const [, inside = ''] = /[([]([^()[\]]+)[)\]]\s*$/.exec(name) ?? [];
  return inside === '' ? null : parseZone(inside);
}

function hasDecimalComma({ rows, timeColumn, separator }: GraphTable): boolean {
  const values = rows.flatMap(({ fields }) => fields.filter((_, column) => column !== timeColumn));
  return values.some((value) =>
    (separator === ';' ? /^[^,]*\d,\d+[^,.\d]*$/ : /^[^,.]*\d,(?:\d{1,2}|\d{4,})(?!\d)[^,.]*$/).test(value.trim()),
  );
}

/** The distance that the half of all rows do not exceed; a single row stands for a minute. */
function stepOf(sortedMs: readonly number[]): number {
  const steps = sortedMs.slice(1).map((ms, index) => ms - (sortedMs[index] ?? ms));
  return steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 60_000;
}

/** Where rows are missing, one gap stands at the place of the first of them. */
function withGaps(points: readonly GraphPoint[], stepMs: number): GraphPoint[] {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    if (next === undefined || next.atMs - point.atMs <= GAP_STEPS * stepMs) return [point];
    return [point, { atMs: point.atMs + stepMs, value: null }];
  });
}
