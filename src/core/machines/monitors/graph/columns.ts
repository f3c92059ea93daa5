import { formatCount } from '#core/base/units.ts';
import type { GraphTable } from './table.ts';
import { parseValue } from './values.ts';

export interface GraphColumn {
  readonly name: string;
  /** As it stands behind the numbers; empty where none does. */
  readonly unit: string;
  /** In the order of time. null is a gap: something that was not measured, or rows that are missing; as long as it lasts it is one point. */
  readonly points: readonly GraphPoint[];
}

export interface GraphPoint {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly value: number | null;
}

/** The rows of a table in the order of time. */
export interface OrderedRows {
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
    if (this.holdsWords) return 'holds something else than numbers';
    const [unit, ...others] = this.units;
    if (unit === undefined) return 'holds no number';
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
