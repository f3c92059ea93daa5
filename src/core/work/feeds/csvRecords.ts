/** Something wrong with a line of a file. It never repeats what stands there: it may be a password. */
export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedFeed {
  readonly columns: readonly string[];
  readonly rows: readonly string[][];
  readonly problems: readonly LineProblem[];
}

/** A record of a CSV file (RFC 4180). */
export interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

/** Records with the lines that they begin on; empty lines are none. */
export function csvRecords(text: string, separator: string): { records: CsvRecord[]; problem: LineProblem | null } {
  const records: CsvRecord[] = [];
  const problem = readCsv(text, separator, (record) => void records.push(record));
  return { records, problem };
}

/** Passes records to `take` one at a time: the objects of a million records would take more memory than their content. */
export function readCsv(text: string, separator: string, take: (record: CsvRecord) => void): LineProblem | null {
  let fields: string[] = [];
  let line = 1;
  let startLine = 1;
  let position = 0;
  const endRecord = (): void => {
    if (fields.length > 1 || fields[0] !== '') take({ line: startLine, fields });
    fields = [];
  };
  while (position < text.length) {
    let value = '';
    if (text[position] === '"') {
      const end = closingQuote(text, position + 1);
      if (end < 0) return { line, message: 'a value begins with " and never ends' };
      value = text.slice(position + 1, end).replaceAll('""', '"');
      line += value.split('\n').length - 1;
      position = end + 1;
      if (position < text.length && !isEnd(text, position, separator))
        return { line, message: 'something stands behind the " that ends a value' };
    } else {
      const start = position;
      while (position < text.length && !isEnd(text, position, separator)) position += 1;
      value = text.slice(start, position);
    }
    fields.push(value);
    if (text[position] === separator) {
      position += 1;
      // A separator at the very end is followed by an empty value.
      if (position === text.length) fields.push('');
      continue;
    }
    endRecord();
    if (text[position] === '\r' && text[position + 1] === '\n') position += 1;
    position += 1;
    line += 1;
    startLine = line;
  }
  if (fields.length > 0) endRecord();
  return null;
}

function isEnd(text: string, position: number, separator: string): boolean {
  const letter = text[position];
  return letter === separator || letter === '\n' || letter === '\r';
}

/** Position of the quote that ends a value; two in a row stand for one of its letters. −1 when there is none. */
function closingQuote(text: string, from: number): number {
  let position = text.indexOf('"', from);
  while (position >= 0 && text[position + 1] === '"') position = text.indexOf('"', position + 2);
  return position;
}
