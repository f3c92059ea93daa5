import { type CsvRecord, csvRecords } from '#core/work/feeds/csvRecords.ts';
import { formatCount } from '#core/base/units.ts';
import { numberOf } from '../services/reading.ts';
import { parseTime } from './times.ts';

/** The rows of a file that begin to tell times, and what stands above them. */
export interface GraphTable {
  /** Names of the columns; "column 2" where the file names none. */
  readonly names: readonly string[];
  readonly rows: readonly CsvRecord[];
  readonly timeColumn: number;
  /** Whether 1,5 is one and a half. */
  readonly hasDecimalComma: boolean;
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Finds the separator, the column of times and the line of names, below whatever a console writes above it. null when there are no times. */
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
  return { names: toldApart(names), rows, timeColumn: column, hasDecimalComma: hasDecimalComma(rows, column, separator) };
}

/** The column in which most rows have a time; the first of several. */
function columnOfTimes(records: readonly CsvRecord[]): { column: number; times: number } | null {
  const counts = new Map<number, number>();
  for (const { fields } of records) {
    if (fields.length < 2) continue;
    for (const [column, field] of fields.entries()) if (parseTime(field) !== null) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([a, one], [b, other]) => other - one || a - b);
  return best === undefined ? null : { column: best[0], times: best[1] };
}

/** The line of names: one that says so (CloudWatch writes several, of which "Label" is the one to read), else the last. */
function headerOf(above: readonly CsvRecord[], width: number): readonly string[] | undefined {
  const wide = above.filter(({ fields }) => fields.length === width);
  return (wide.find(({ fields }) => /^label$/i.test(fields[0]?.trim() ?? '')) ?? wide.at(-1))?.fields;
}

function toldApart(names: readonly string[]): string[] {
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

/** A number of a graph and the unit that stands behind it; the unit is empty where none does. */
interface WrittenValue {
  readonly value: number;
  readonly unit: string;
}

const NOTHING = /^(?:|-|–|—|n\/?a|nan|null|none|undefined|no data)$/i;
const NUMBER = /^([+-]?[\d.,' \u00a0\u202f]*\d(?:[eE][+-]?\d+)?)\s*([A-Za-z%µ°][A-Za-z%µ°/]{0,15})?$/;

/**
 * Reads a value. 'gap' where nothing was measured, null where something else than a number stands. With `decimalComma`, 1.234,5 is
 * what 1,234.5 is without.
 */
export function parseValue(text: string, decimalComma: boolean): WrittenValue | 'gap' | null {
  const written = text.trim();
  if (NOTHING.test(written)) return 'gap';
  const [, digits, unit = ''] = NUMBER.exec(written) ?? [];
  if (digits === undefined) return null;
  const [group, point] = decimalComma ? ['.', ','] : [',', '.'];
  const grouped = digits.replaceAll(/[' \u00a0\u202f]/g, group);
  const [whole = '', ...rest] = grouped.split(point);
  if (rest.length > 1 || rest[0]?.includes(group) === true) return null;
  // Groups are of three digits: 12,5 is not 125.
  if (whole.includes(group) && !new RegExp(String.raw`^[+-]?\d{1,3}(?:[${group}]\d{3})+$`).test(whole)) return null;
  const value = numberOf([whole.replaceAll(group, ''), ...rest].join('.'));
  return value === null ? null : { value, unit };
}

export interface GraphColumn {
  readonly name: string;
  /** As it stands behind the numbers; empty where none does. */
  readonly unit: string;
  /** In the order of time. null is a gap: something that was not measured, or rows that are missing; as long as it lasts it is one point. */
  readonly points: readonly GraphPoint[];
}

interface GraphPoint {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly value: number | null;
}

/** The rows of a table in the order of time. */
interface OrderedRows {
  readonly rows: readonly (readonly string[])[];
  readonly timesMs: readonly number[];
  readonly stepMs: number;
}

/** More would be no charts that a person looks at, and each is looked for in each row. */
const MOST_COLUMNS = 200;
/** Rows are not cut off where they come a little late. */
const GAP_STEPS = 1.5;

/**
 * The columns of numbers, and why others are none. Both take a time and a room that grow with the text, not with columns × rows: a row may have far
 * fewer fields than there are columns.
 */
export function readColumns({ names, timeColumn, hasDecimalComma }: GraphTable, ordered: OrderedRows): [GraphColumn[], leftOut: string[]] {
  const readers = names.slice(0, MOST_COLUMNS).map(() => new ColumnReader(ordered));
  for (const [position, fields] of ordered.rows.entries())
    for (const [column, field] of fields.slice(0, MOST_COLUMNS).entries())
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
  const more = names.length - MOST_COLUMNS;
  if (more > 0) leftOut.push(`${formatCount(more)} more columns: at most ${MOST_COLUMNS} are read`);
  return [columns, leftOut];
}

class ColumnReader {
  private readonly ordered: OrderedRows;
  private readonly points: GraphPoint[] = [];
  private readonly units = new Set<string>();
  private holdsWords = false;
  /** Of the row with the last number; −1 before the first. */
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

  /** What was read, or why it is no column of numbers. */
  end(): Omit<GraphColumn, 'name'> | string {
    if (this.holdsWords) return 'contains more than numbers';
    const [unit, ...others] = this.units;
    if (unit === undefined) return 'contains no number';
    if (others.length > 0) return `mixes the units ${[unit, ...others].map((each) => each || 'none').join(' and ')}`;
    this.addGap(this.ordered.rows.length);
    return { unit, points: this.points };
  }

  /** Between the last number and the row at the position, or the end, if there is one. */
  private addGap(position: number): void {
    const { last, ordered } = this;
    // Where rows are missing, the gap stands at the place of the first of them.
    const isLate = last >= 0 && this.timeOf(last + 1) > this.timeOf(last) + GAP_STEPS * ordered.stepMs;
    if (isLate) this.points.push({ atMs: this.timeOf(last) + ordered.stepMs, value: null });
    else if (last + 1 < position) this.points.push({ atMs: this.timeOf(last + 1), value: null });
  }

  private timeOf(position: number): number {
    return this.ordered.timesMs[position] ?? 0;
  }
}
