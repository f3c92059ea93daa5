import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { pathInFolder, listUploadFolders, listUploads } from '#core/work/journey/walked.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { LoadJob } from '#engine/engine.ts';
import type { ExportSources } from '#core/export/exported.ts';
import { formatCount } from '#core/base/units.ts';
import { areAccounts, renameToAsked } from '#core/work/accounts/accounts.ts';
import { checkRows, listUsedColumns, type FeedProblem, isSecret } from '#core/work/feeds/rows.ts';
import { type ParsedFeed, parseFeed } from '#core/work/feeds/parseFeed.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import { formatRowsLeft } from '#core/work/populate/state.ts';
import { type UsedRows, withoutSpent } from './usedRows.ts';

const MAX_BYTES = 16 * 1_048_576;
/** Limits for a folder, because each thread holds all files of the folder in memory. */
const MAX_FILES = 1_000;
const MAX_FOLDER_BYTES = 64 * 1_048_576;

export interface Uploads {
  /** Contents as Base64 by path. */
  readonly files: Record<string, string>;
  /** Larger files by path, which are sent from disk. */
  readonly largeFiles: NonNullable<LoadJob['largeFiles']>;
}

/**
 * Reads files to upload, like {@link readUploads}. Files of more than 16 MiB are sent from disk, which requires the native driver with
 * HTTP/1.1 on this computer alone. Throws `UPLOAD_NOT_STREAMED` if the load does not meet that.
 */
export async function openUploads(plan: Plan, isMadeHere = true): Promise<Uploads> {
  const largeFiles: Uploads['largeFiles'] = {};
  const files = await readUploads(plan, largeFiles);
  const [large] = Object.keys(largeFiles);
  const need =
    plan.connections.protocol === 'h2'
      ? 'HTTP/1.1'
      : plan.engine === 'k6'
        ? 'the engine native'
        : isMadeHere
          ? null
          : 'this computer as the only load generator';
  if (large === undefined || need === null) return { files, largeFiles };
  throw new HoldfastError({
    code: 'UPLOAD_NOT_STREAMED',
    message: `${large} is larger than 16 MiB and is sent from disk, which needs ${need}.`,
    hint: 'Change that in the plan, or send a smaller file.',
  });
}

/**
 * Reads the files that a plan's steps send, as Base64 by path. Files too large for memory are added to `largeFiles`; if that is null, they
 * are rejected. Throws `UPLOAD_UNREADABLE` with every unreadable file.
 */
export async function readUploads(plan: Plan, largeFiles: Uploads['largeFiles'] | null = null): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const problems: string[] = [];
  const readUpload = async (path: string, key: string): Promise<number> => {
    try {
      const { size, mtimeMs } = await stat(path);
      if (size > MAX_BYTES && largeFiles !== null) {
        setOwn(largeFiles, key, { path: resolve(path), bytes: size, modifiedMs: mtimeMs });
        return 0;
      }
      if (size > MAX_BYTES) problems.push(`${path} is larger than 16 MiB.`);
      else setOwn(files, key, (await readFile(path)).toString('base64'));
      return size;
    } catch (thrown) {
      problems.push(`${path} cannot be read (${codeOf(thrown) ?? String(thrown)}).`);
      return 0;
    }
  };
  for (const path of listUploads(plan)) await readUpload(path, path);
  for (const folder of listUploadFolders(plan)) {
    const names = await namesIn(folder, problems);
    let bytes = 0;
    for (const name of names) {
      bytes += await readUpload(join(folder, name), pathInFolder(folder, name));
      if (bytes > MAX_FOLDER_BYTES) {
        problems.push(`The files in ${folder} are larger than 64 MiB together.`);
        break;
      }
    }
  }
  if (problems.length === 0) return files;
  throw new HoldfastError({
    code: 'UPLOAD_UNREADABLE',
    message: problems.join('\n'),
    hint: 'Check the paths of the files that the steps send, or let Holdfast generate contents of that size: {bytes: 98831, type: image/jpeg}.',
  });
}

/** Returns the names of a folder's files. Hidden files and folders are never uploaded. */
async function namesIn(folder: string, problems: string[]): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [])).sort();
    if (names.length === 0) problems.push(`No files in ${folder}.`);
    if (names.length > MAX_FILES) problems.push(`${folder} holds ${names.length} files; at most ${MAX_FILES} can be sent.`);
    return names.slice(0, MAX_FILES);
  } catch (thrown) {
    problems.push(`The folder ${folder} cannot be read (${codeOf(thrown) ?? String(thrown)}).`);
    return [];
  }
}

/** Reads the files of a plan for an export that includes them. Throws `FEED_UNUSABLE` or `UPLOAD_UNREADABLE`. */
export async function readExportSources(plan: Plan): Promise<ExportSources> {
  return { feeds: await readFeeds(plan), uploads: await readUploads(plan) };
}

const MAX_FEED_BYTES = 64 * 1_048_576;

/**
 * Reads the files of a plan's feeds when a run starts. The rows are never stored. Omits the used rows of feeds with `order: once`, unless
 * `used` is null. Throws `FEED_UNUSABLE` with every problem of every file.
 */
export async function readFeeds(plan: Plan, used: UsedRows | null = null): Promise<Record<string, FeedRows>> {
  const { feeds, problems } = await checkFeeds(plan, used);
  if (problems.length === 0) return feeds;
  throw new HoldfastError({
    code: 'FEED_UNUSABLE',
    message: problems.map(({ message }) => message).join('\n'),
    hint: [...new Set(problems.map(({ hint }) => hint))].join('\n'),
    data: { problems },
  });
}

interface FeedReport {
  /** Rows by feed, without feeds whose file cannot be read. */
  readonly feeds: Record<string, FeedRows>;
  readonly spent: Record<string, readonly string[]>;
  readonly problems: FeedProblem[];
}

/** Reads the files of a plan's feeds, and reports every problem in them. */
export async function checkFeeds(plan: Plan, used: UsedRows | null = null): Promise<FeedReport> {
  const feeds: Record<string, FeedRows> = {};
  const spent: Record<string, readonly string[]> = {};
  const problems: FeedProblem[] = [];
  for (const [name, feed] of Object.entries(plan.feeds ?? {})) {
    const text = await readText(feed.file);
    if (typeof text !== 'string') {
      problems.push(text);
      continue;
    }
    const parsedFeed = dropUsedRows(useNamesOfPlan(plan, name, parseFeed(text, feed)), feed);
    const looksUp = used !== null && feed.order === 'once';
    const { left, spent: names } = looksUp ? withoutSpent(parsedFeed, plan, feed, used) : { left: parsedFeed, spent: [] };
    if (names.length > 0) setOwn(spent, name, names);
    const list = { rows: left.rows.length, spent: summarizeUsed(names), areAccounts: areAccounts(left.columns) };
    problems.push(...checkRows(plan, name, feed, left, names.length === 0 ? null : formatRowsLeft(list)));
    setOwn(feeds, name, { columns: [...left.columns], rows: [...left.rows], order: feed.order });
  }
  return { feeds, spent, problems };
}

/** Maximum number of used rows that are reported by name. */
const MAX_NAMES = 100;

/** Returns the number of used rows of a list, and the names of the first ones. */
export function summarizeUsed(names: readonly string[]): { count: number; names: string[] } {
  return { count: names.length, names: names.slice(0, MAX_NAMES) };
}

/** Renames the columns of another system's list to the column names that the plan uses. */
function useNamesOfPlan(plan: Plan, name: string, parsedFeed: ParsedFeed): ParsedFeed {
  return { ...parsedFeed, columns: renameToAsked(parsedFeed.columns, listUsedColumns(plan, name)) };
}

/** Removes the first `skip` rows, which are already used up. */
function dropUsedRows(parsedFeed: ParsedFeed, { skip = 0 }: Feed): ParsedFeed {
  const rows = parsedFeed.rows.slice(skip);
  if (skip === 0 || rows.length > 0 || parsedFeed.rows.length === 0) return { ...parsedFeed, rows };
  const message = `${formatCount(parsedFeed.rows.length)} of ${formatCount(parsedFeed.rows.length)} rows are used up (skip: ${skip})`;
  return { ...parsedFeed, rows, problems: [...parsedFeed.problems, { line: parsedFeed.rows.length + 1, message }] };
}

/** Returns the values of columns that must not be shown. */
export function secretValues(plan: Plan, feeds: Readonly<Record<string, FeedRows>>): string[] {
  return Object.entries(plan.feeds ?? {}).flatMap(([name, feed]) => {
    const { columns, rows } = getOwn(feeds, name) ?? { columns: [], rows: [] };
    const hidden = columns.flatMap((column, index) => (isSecret(column, feed) ? [index] : []));
    return hidden.length === 0 ? [] : rows.flatMap((row) => hidden.flatMap((index) => row[index] ?? []));
  });
}

async function readText(file: string): Promise<string | FeedProblem> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FEED_BYTES)
      return { message: `${file} is larger than 64 MiB.`, hint: 'Every thread keeps the feed in memory. Use fewer rows.' };
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const code = codeOf(thrown) ?? String(thrown);
    return {
      message: code === 'ENOENT' ? `${file} was not found.` : `${file} cannot be read (${code}).`,
      hint: 'Give its full path on the computer of Holdfast, and check that you can read it.',
    };
  }
}
