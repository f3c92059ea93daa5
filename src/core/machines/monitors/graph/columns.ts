import { type CsvRecord, csvRecords } from '#core/work/feeds/parseFeed.ts';
import { formatCount } from '#core/base/units.ts';
import { numberOf } from '../services/reading.ts';
import { parseTime } from './times.ts';

/** The rows of a file that start with a time, and the column names above them. */
export interface GraphTable {
  /** Column names; "column 2" for a column without a name. */
  readonly names: readonly string[];
  readonly rows: readonly CsvRecord[];
  readonly timeColumn: number;
  /** Whether 1,5 means 1.5. */
  readonly hasDecimalComma: boolean;
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Finds the separator, the time column and the header row below any preamble. Returns null if there are no times. */
export function findTable(text: string): GraphTable | null {
  const found = SEPARATORS.flatMap((separator) => {
    const { records } = csvRecords(text, separator);
    const timeColumn = columnOfTimes(records);
    return timeColumn === null ? [] : [{ separator, records, ...timeColumn }];
  });
  const best = found.toSorted((one, other) => other.times - one.times)[0];
  if (best === undefined) return null;
  const { records, column, separator } = best;
  const first = records.findIndex(({ fields }) => parseTime(fields[column] ?? '') !== null);
  const rows = records.slice(first);
  const width = rows.reduce((widest, { fields }) => Math.max(widest, fields.length), 0);
  const header = headerOf(records.slice(0, first), width);
  const names = Array.from({ length: width }, (_, index) => header?.[index]?.trim() || `column ${index + 1}`);
  return { names: listSeparateNames(names), rows, timeColumn: column, hasDecimalComma: hasDecimalComma(rows, column, separator) };
}

/** Returns the column with the most times, or the first of several. */
function columnOfTimes(records: readonly CsvRecord[]): { column: number; times: number } | null {
  const counts = new Map<number, number>();
  for (const { fields } of records) {
    if (fields.length < 2) continue;
    for (const [column, field] of fields.entries()) if (parseTime(field) !== null) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([a, one], [b, other]) => other - one || a - b);
  return best === undefined ? null : { column: best[0], times: best[1] };
}

/** Returns the header row: the row “Label” (CloudWatch writes several header rows), or else the last row above the data. */
function headerOf(above: readonly CsvRecord[], width: number): readonly string[] | undefined {
  const wide = above.filter(({ fields }) => fields.length === width);
  return (wide.find(({ fields }) => /^label$/i.test(fields[0]?.trim() ?? '')) ?? wide.at(-1))?.fields;
}

function listSeparateNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

function hasDecimalComma(rows: readonly CsvRecord[], timeColumn: number, separator: string): boolean {
  const form = separator === ';' ? /^[^,]*\d,\d+[^,.\d]*$/ : /^[^,.]*\d,(?:\d{1,2}|\d{4,})(?!\d)[^,.]*$/;
  return rows.some(({ fields }) => fields.some((value, column) => column !== timeColumn && form.test(value.trim())));
}

/** A number and its unit, which may be empty. */
interface WrittenValue {
  readonly value: number;
  readonly unit: string;
}

const MISSING_VALUE_PATTERN = /^(?:|-|–|—|n\/?a|nan|null|none|undefined|no data)$/i;
const NUMBER_PATTERN = /^([+-]?[\d.,' \u00a0\u202f]*\d(?:[eE][+-]?\d+)?)\s*([A-Za-z%µ°][A-Za-z%µ°/]{0,15})?$/;

/** Parses a value. Returns 'gap' for a missing value, and null for text that is not a number. With `decimalComma`, 1.234,5 means 1234.5. */
export function parseValue(text: string, decimalComma: boolean): WrittenValue | 'gap' | null {
  const written = text.trim();
  if (MISSING_VALUE_PATTERN.test(written)) return 'gap';
  const [, digits, unit = ''] = NUMBER_PATTERN.exec(written) ?? [];
  if (digits === undefined) return null;
  const [group, point] = decimalComma ? ['.', ','] : [',', '.'];
  const grouped = digits.replaceAll(/[' \u00a0\u202f]/g, group);
  const [whole = '', ...rest] = grouped.split(point);
  if (rest.length > 1 || rest[0]?.includes(group) === true) return null;
  // Groups of thousands have three digits, so 12,5 is not 125.
  if (whole.includes(group) && !new RegExp(String.raw`^[+-]?\d{1,3}(?:[${group}]\d{3})+$`).test(whole)) return null;
  const value = numberOf([whole.replaceAll(group, ''), ...rest].join('.'));
  return value === null ? null : { value, unit };
}

export interface GraphColumn {
  readonly name: string;
  /** Unit written after the numbers; empty if there is none. */
  readonly unit: string;
  /** Points in order of time. null marks a gap: missing values or missing rows. Each gap is one point, however long it is. */
  readonly points: readonly GraphPoint[];
}

interface GraphPoint {
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly value: number | null;
}

interface OrderedRows {
  readonly rows: readonly (readonly string[])[];
  readonly timesMs: readonly number[];
  readonly stepMs: number;
}

/** Maximum number of columns, which limits the work per row and the number of charts. */
const MAX_COLUMNS = 200;
/** Between rows that are more than this number of steps apart, there is a gap. */
const GAP_STEPS = 1.5;

/**
 * Returns the numeric columns, and the reasons why the others were left out. Time and memory grow with the text, not with columns × rows,
 * because rows may be shorter than the header.
 */
export function readColumns({ names, timeColumn, hasDecimalComma }: GraphTable, ordered: OrderedRows): [GraphColumn[], leftOut: string[]] {
  const readers = names.slice(0, MAX_COLUMNS).map(() => new ColumnReader(ordered));
  for (const [position, fields] of ordered.rows.entries())
    for (const [column, field] of fields.slice(0, MAX_COLUMNS).entries())
      if (column !== timeColumn) readers[column]?.take(position, field, hasDecimalComma);
  const columns: GraphColumn[] = [];
  const leftOut: string[] = [];
  for (const [column, reader] of readers.entries()) {
    if (column === timeColumn) continue;
    const name = names[column] ?? '';
    const read = reader.end();
    if (typeof read === 'string') leftOut.push(`${name}: ${read}`);
    else columns.push({ name, ...read });
  }
  const more = names.length - MAX_COLUMNS;
  if (more > 0) leftOut.push(`${formatCount(more)} more columns: at most ${MAX_COLUMNS} are read`);
  return [columns, leftOut];
}

class ColumnReader {
  private readonly ordered: OrderedRows;
  private readonly points: GraphPoint[] = [];
  private readonly units = new Set<string>();
  private holdsWords = false;
  /** Index of the row with the last number; −1 before the first number. */
  private last = -1;

  constructor(ordered: OrderedRows) {
    this.ordered = ordered;
  }

  take(position: number, field: string, hasDecimalComma: boolean): void {
    const written = parseValue(field, hasDecimalComma);
    if (written === 'gap') return;
    if (written === null) {
      this.holdsWords = true;
      return;
    }
    this.units.add(written.unit);
    this.addGap(position);
    this.points.push({ atMs: this.timeOf(position), value: written.value });
    this.last = position;
  }

  /** Returns the column, or the reason why it is not numeric. */
  end(): Omit<GraphColumn, 'name'> | string {
    if (this.holdsWords) return 'contains more than numbers';
    const [unit, ...others] = this.units;
    if (unit === undefined) return 'contains no number';
    if (others.length > 0) return `mixes the units ${[unit, ...others].map((each) => each || 'none').join(' and ')}`;
    this.addGap(this.ordered.rows.length);
    return { unit, points: this.points };
  }

  /** Adds a gap point if values or rows are missing between the last number and `position`. */
  private addGap(position: number): void {
    const { last, ordered } = this;
    // A gap of missing rows starts at the time of the first missing row.
    const isLate = last >= 0 && this.timeOf(last + 1) > this.timeOf(last) + GAP_STEPS * ordered.stepMs;
    if (isLate) this.points.push({ atMs: this.timeOf(last) + ordered.stepMs, value: null });
    else if (last + 1 < position) this.points.push({ atMs: this.timeOf(last + 1), value: null });
  }

  private timeOf(position: number): number {
    return this.ordered.timesMs[position] ?? 0;
  }
}
