/** A problem in a line of a file. The message never repeats the content, which may be a password. */
export interface LineProblem {
  /** Line number, from 1. */
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

/** Parses all records with their first lines; skips empty lines. */
export function csvRecords(text: string, separator: string): { records: CsvRecord[]; problem: LineProblem | null } {
  const records: CsvRecord[] = [];
  const problem = readCsv(text, separator, (record) => void records.push(record));
  return { records, problem };
}

/** Passes records to `take` one at a time, because the objects of a million records need more memory than their content. */
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
      // A separator at the end of the text is followed by an empty value.
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

/** Returns the position of the closing quote, or −1; two quotes in a row are an escaped quote. */
function closingQuote(text: string, from: number): number {
  let position = text.indexOf('"', from);
  while (position >= 0 && text[position + 1] === '"') position = text.indexOf('"', position + 2);
  return position;
}
