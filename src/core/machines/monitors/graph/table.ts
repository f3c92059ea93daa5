import { csvRecords, type CsvRecord } from '#core/work/feeds/csvRecords.ts';
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
