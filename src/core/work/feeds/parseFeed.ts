import { getOwn } from '#core/base/ownMembers.ts';
import type { Feed } from '#core/plan/schema/feeds.ts';
import { readYaml } from '#core/plan/readYaml.ts';

/** A problem in a line of a file. The message never repeats the content, which may be a password. */
export interface LineProblem {
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

/** Parses all records, each with the number of its first line. Skips empty lines. */
export function csvRecords(text: string, separator: string): { records: CsvRecord[]; problem: LineProblem | null } {
  const records: CsvRecord[] = [];
  const problem = readCsv(text, separator, (record) => void records.push(record));
  return { records, problem };
}

/** Passes records to `take` one at a time, because the objects of a million records would need more memory than their content. */
function readCsv(text: string, separator: string, take: (record: CsvRecord) => void): LineProblem | null {
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
      // If a separator ends the text, an empty value follows it.
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

/** Returns the position of the closing quote; −1 if there is none. Two quotes in a row are an escaped quote. */
function closingQuote(text: string, from: number): number {
  let position = text.indexOf('"', from);
  while (position >= 0 && text[position + 1] === '"') position = text.indexOf('"', position + 2);
  return position;
}

const ACCOUNT_COLUMNS = ['username', 'password', 'first_name', 'last_name'] as const;

/** Italian column names, which CMS accepts, too. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = { first_name: 'nome', last_name: 'cognome' };

/** Parses the users in a CMS contest.yaml. Never throws, and never repeats content. */
function parseContestUsers(text: string): ParsedFeed {
  const users = findUsers(text);
  if (users === null) return { columns: [], rows: [], problems: [{ line: 1, message: 'it has no list called users' }] };
  const rows: string[][] = [];
  const problems: { line: number; message: string }[] = [];
  for (const [index, user] of users.entries()) {
    const row = ACCOUNT_COLUMNS.map((column) => readText(user, column) ?? readText(user, COLUMN_ALIASES[column] ?? '') ?? '');
    if (row[0] === '') problems.push({ line: index + 1, message: 'this user of the list has no username' });
    else rows.push(row);
  }
  return { columns: ACCOUNT_COLUMNS, rows, problems };
}

function findUsers(text: string): unknown[] | null {
  const { value } = readYaml(text);
  const users = typeof value === 'object' && value !== null && 'users' in value ? value.users : null;
  return Array.isArray(users) ? users : null;
}

function readText(user: unknown, name: string): string | null {
  if (typeof user !== 'object' || user === null || !Object.hasOwn(user, name)) return null;
  const value: unknown = Reflect.get(user, name);
  if (typeof value === 'string') return removeStorageMethod(name, value);
  return typeof value === 'number' ? String(value) : null;
}

/** Returns the password without the storage method that CMS puts before it. Only a plain-text password can be entered into a form. */
function removeStorageMethod(name: string, value: string): string {
  return name === 'password' && value.startsWith('plaintext:') ? value.slice('plaintext:'.length) : value;
}

/** Parses lines of `name:password` without a header, as FunkLoad and Apache use them. Skips empty lines and lines that start with #. */
function parseCredentials(text: string): ParsedFeed {
  const rows: string[][] = [];
  const problems: LineProblem[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (written.trim() === '' || written.startsWith('#')) continue;
    const split = written.indexOf(':');
    if (split > 0) rows.push([written.slice(0, split), written.slice(split + 1)]);
    else problems.push({ line: index + 1, message: 'it is not written name:password' });
  }
  return { columns: ['username', 'password'], rows, problems };
}

const MAX_PROBLEMS = 10;

/** Parses CSV (RFC 4180 with a header row), JSON lines or an account list. Never throws; returns the first problems with their lines. */
export function parseFeed(text: string, { file, format, separator }: Pick<Feed, 'file' | 'format' | 'separator'>): ParsedFeed {
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text;
  const parsed = PARSERS[format ?? formatOf(file)](withoutMark, separator);
  return { ...parsed, problems: parsed.problems.slice(0, MAX_PROBLEMS) };
}

function formatOf(file: string): NonNullable<Feed['format']> {
  if (/\.(jsonl|ndjson)$/i.test(file)) return 'jsonl';
  return /\.ya?ml$/i.test(file) ? 'cms' : 'csv';
}

const PARSERS: Readonly<Record<NonNullable<Feed['format']>, (text: string, separator: string) => ParsedFeed>> = {
  csv: parseCsv,
  jsonl: parseJsonLines,
  credentials: parseCredentials,
  cms: parseContestUsers,
};

function parseCsv(text: string, separator: string): ParsedFeed {
  const head: { columns: string[] | null } = { columns: null };
  const problems: LineProblem[] = [];
  const rows: string[][] = [];
  const problem = readCsv(text, separator, ({ line, fields }) => {
    if (head.columns === null) {
      head.columns = fields.map((name) => name.trim());
      problems.push(...columnProblems(head.columns, line));
    } else if (fields.length === head.columns.length) rows.push(fields);
    else if (problems.length < MAX_PROBLEMS)
      problems.push({
        line,
        message: `it has ${fields.length} ${fields.length === 1 ? 'value' : 'values'}, and the first line names ${head.columns.length}`,
      });
  });
  if (problem !== null) problems.push(problem);
  const { columns } = head;
  if (columns === null) return { columns: [], rows: [], problems: [problem ?? { line: 1, message: 'it is empty' }] };
  return { columns, rows, problems: problems.toSorted((one, other) => one.line - other.line) };
}

function columnProblems(columns: readonly string[], line: number): LineProblem[] {
  const problems: LineProblem[] = [];
  if (columns.some((name) => name === '')) problems.push({ line, message: 'a column has no name' });
  const seen = new Set<string>();
  const repeatedColumn = columns.find((name) => name !== '' && seen.size === seen.add(name).size);
  if (repeatedColumn !== undefined) problems.push({ line, message: `two columns are called “${repeatedColumn}”` });
  return problems;
}

function parseJsonLines(text: string): ParsedFeed {
  const problems: LineProblem[] = [];
  const rows: string[][] = [];
  let columns: string[] | null = null;
  for (const [index, written] of text.split('\n').entries()) {
    // Creating an error costs more than parsing a valid line, and a feed with a problem is not used anyway.
    if (problems.length === MAX_PROBLEMS) break;
    if (written.trim() === '') continue;
    const line = index + 1;
    const record = toObject(written);
    if (record === null) {
      problems.push({ line, message: 'it is no JSON object' });
      continue;
    }
    columns ??= Object.keys(record);
    const missing = columns.filter((name) => !Object.hasOwn(record, name));
    if (missing.length > 0)
      problems.push({ line, message: `${missing.map((name) => `“${name}”`).join(', ')} of the first line is missing` });
    else rows.push(columns.map((name) => textOf(getOwn(record, name))));
  }
  if (columns === null && problems.length === 0) problems.push({ line: 1, message: 'it is empty' });
  return { columns: columns ?? [], rows, problems };
}

function toObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
