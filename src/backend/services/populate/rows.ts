import { appendFile, readFile } from 'node:fs/promises';
import { HoldfastError, codeOf } from '#core/base/errors.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { keyColumn, type RowWork, findRowWork } from '#core/work/populate/plan.ts';
import { type RowRecord, readRecord, type RecordLine } from '#core/work/populate/record.ts';
import { CREATED_FEED, type Populate, type PopulateMode } from '#core/plan/schema/populate.ts';
import { isSecretColumn } from '#core/work/accounts/accounts.ts';
import { isSecret } from '#core/work/feeds/rows.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { checkFeeds } from '../runs/readFiles.ts';

/** A row of the feed to create or remove. */
export interface Row {
  /** Index in the feed, from 0. */
  readonly index: number;
  readonly key: string;
  readonly values: readonly string[];
  /** For a created row, the values that its journey captured. */
  readonly created: Readonly<Record<string, string>>;
}

/** What is known before a populate session begins. */
export interface Rows {
  readonly populate: Populate;
  readonly work: RowWork;
  readonly columns: readonly string[];
  /** The other feeds of the plan. */
  readonly feeds: Readonly<Record<string, FeedRows>>;
  readonly total: number;
  readonly todo: readonly Row[];
  /** Number of rows that need no work, because they already exist or are already removed. */
  readonly before: number;
  readonly record: string;
  readonly target: string;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
}

/** Reads the rows that a session creates or removes. Throws `NOTHING_TO_POPULATE`, `FEED_UNUSABLE`, `NO_KEY` or `RECORD_UNREADABLE`. */
export async function rowsOf(plan: Plan, mode: PopulateMode): Promise<Rows> {
  const { populate } = plan;
  const work = populate === undefined ? null : findRowWork(populate, mode);
  if (populate === undefined || work === null) throw noRowsLeft(mode);
  const feed = getOwn(plan.feeds, populate.feed);
  // The load may have more users than there are rows, so rows are created without it.
  const input = { ...plan, journey: work.kind === 'journey' ? [...work.steps] : plan.journey, load: ONE_USER };
  const { feeds, problems } = await checkFeeds(input);
  const read = getOwn(feeds, populate.feed);
  if (problems.length > 0 || feed === undefined || read === undefined)
    throw new HoldfastError({
      code: 'FEED_UNUSABLE',
      message: problems.map(({ message }) => message).join('\n'),
      hint: [...new Set(problems.map(({ hint }) => hint))].join('\n'),
    });
  const { columns, rows } = read;
  const key = keyColumn(populate, columns, (column) => isSecret(column, feed));
  const at = key === null ? -1 : columns.indexOf(key);
  if (key === null || isSecret(key, feed)) throw missingKey(populate, columns);
  const target = showReferences(plan.targets[0]?.url ?? '');
  const record = getRecordFile(feed.file);
  const recordedRows = await loadRecord(record, target);
  const all = rows.map((values, index) => rowOf(values, index, at, recordedRows));
  const todo = all.filter((row) => (recordedRows.get(row.key)?.isThere === true) === (mode === 'remove'));
  const hidden = columns.flatMap((column, index) => (isSecret(column, feed) ? [index] : []));
  return {
    populate,
    work,
    columns,
    feeds,
    total: rows.length,
    todo,
    before: all.length - todo.length,
    record,
    target,
    secrets: rows.flatMap((row) => hidden.flatMap((index) => row[index] ?? [])),
  };
}

const ONE_USER: Plan['load'] = { model: 'connections', stages: [{ connections: 1, requests: 1, counted: true }] };

function rowOf(values: readonly string[], index: number, keyAt: number, recordedRows: ReadonlyMap<string, RowRecord>): Row {
  const key = values[keyAt] ?? '';
  return { index, key, values, created: recordedRows.get(key)?.values ?? {} };
}

/**
 * Returns the names of captured values that the removal needs. Names that look like those of secrets are left out, so that secrets are
 * never recorded.
 */
export function namesToStore({ remove }: Populate): string[] {
  const askedNames = (remove ?? []).flatMap(namesOfStep).flatMap((name) => {
    const { owner, member } = readValueName(name);
    return owner === CREATED_FEED ? [member] : [];
  });
  return [...new Set(askedNames)].filter((name) => !isSecretColumn(name));
}

function noRowsLeft(mode: PopulateMode): HoldfastError {
  return mode === 'create'
    ? new HoldfastError({
        code: 'NOTHING_TO_POPULATE',
        message: 'The plan does not define how its data are created.',
        hint: 'Write a block “populate” with a feed and a journey (or a command): see docs/journeys.md.',
      })
    : new HoldfastError({
        code: 'NOTHING_TO_POPULATE',
        message: 'The plan does not define how its data are removed.',
        hint: 'Write populate.remove (or removeCommand). In leavesBehind, describe how to remove them by hand.',
      });
}

function missingKey({ key }: Populate, columns: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'NO_KEY',
    message: key === undefined ? 'No column that may be stored identifies the rows.' : `“${key}” cannot identify the rows.`,
    hint: `Set populate.key to a column without secrets: ${columns.join(', ')}.`,
  });
}

/** Returns the path of the record. The record is stored beside the feed, so that the list of accounts and its record stay together. */
function getRecordFile(feedFile: string): string {
  return `${feedFile}.made.jsonl`;
}

/** Reads what an earlier session recorded for a target. Returns an empty map if there is no record. Throws `RECORD_UNREADABLE`. */
async function loadRecord(file: string, target: string): Promise<Map<string, RowRecord>> {
  try {
    return readRecord(await readFile(file, 'utf8'), target);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return new Map();
    throw recordProblem('RECORD_UNREADABLE', `${file} cannot be read`, cause);
  }
}

/** Appends rows to a file that only its owner may read. */
export class RecordWriter {
  private readonly file: string;
  private last: Promise<void> = Promise.resolve();
  private problem: HoldfastError | null = null;

  constructor(file: string) {
    this.file = file;
  }

  /** Creates the file. Throws `RECORD_NOT_WRITABLE` before anything is created on the target. */
  async open(): Promise<void> {
    await this.append('');
  }

  note(line: RecordLine): void {
    this.last = this.last
      .then(() => this.append(`${JSON.stringify(line)}\n`))
      .catch((thrown: unknown) => {
        this.problem ??= thrown instanceof HoldfastError ? thrown : recordProblem('RECORD_NOT_WRITABLE', this.file, thrown);
      });
  }

  /** Why the record is incomplete, or null. */
  get failure(): HoldfastError | null {
    return this.problem;
  }

  close(): Promise<void> {
    return this.last;
  }

  private async append(text: string): Promise<void> {
    try {
      await appendFile(this.file, text, { mode: 0o600 });
    } catch (cause) {
      throw recordProblem('RECORD_NOT_WRITABLE', `${this.file} cannot be written`, cause);
    }
  }
}

function recordProblem(code: string, what: string, cause: unknown): HoldfastError {
  const why = codeOf(cause) ?? String(cause);
  return new HoldfastError(
    {
      code,
      message: `${what} (${why}).`,
      hint: 'Holdfast records there what it creates, to continue or remove it later. Check the folder, its permissions and free space.',
    },
    { cause },
  );
}
