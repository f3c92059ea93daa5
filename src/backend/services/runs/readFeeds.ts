import { readFile, stat } from 'node:fs/promises';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { formatCount } from '#core/base/units.ts';
import { areAccounts, underAskedNames } from '#core/work/accounts/accounts.ts';
import { checkRows, columnsAsked, type FeedProblem, isSecret } from '#core/work/feeds/rows.ts';
import { parseFeed } from '#core/work/feeds/parseFeed.ts';
import type { ParsedFeed } from '#core/work/feeds/csvRecords.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { rowsLeftWords } from '#core/work/populate/state.ts';
import { type UsedRows, withoutSpent } from './usedRows.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

const MAX_BYTES = 64 * 1_048_576;

/**
 * Reads the files of a plan's feeds when a run starts; their rows are never stored. Leaves out the used rows of feeds with `order: once`, unless `used` is null.
 * @throws {HoldfastError} `FEED_UNUSABLE` that lists every problem of every file.
 */
export async function readFeeds(plan: Plan, used: UsedRows | null = null): Promise<Record<string, FeedRows>> {
  const { feeds, problems } = await lookIntoFeeds(plan, used);
  if (problems.length === 0) return feeds;
  throw new HoldfastError({
    code: 'FEED_UNUSABLE',
    message: problems.map(({ message }) => message).join('\n'),
    hint: [...new Set(problems.map(({ hint }) => hint))].join('\n'),
    data: { problems },
  });
}

export interface SeenFeeds {
  /** Without files that cannot be read. */
  readonly feeds: Record<string, FeedRows>;
  /** Names of the used rows of feeds with `order: once`, which are left out. */
  readonly spent: Record<string, readonly string[]>;
  readonly problems: FeedProblem[];
}

/** Reads the files of a plan's feeds and reports every problem in them. */
export async function lookIntoFeeds(plan: Plan, used: UsedRows | null = null): Promise<SeenFeeds> {
  const feeds: Record<string, FeedRows> = {};
  const spent: Record<string, readonly string[]> = {};
  const problems: FeedProblem[] = [];
  for (const [name, feed] of Object.entries(plan.feeds ?? {})) {
    const text = await readText(feed.file);
    if (typeof text !== 'string') {
      problems.push(text);
      continue;
    }
    const parsed = withoutUsed(withAskedNames(plan, name, parseFeed(text, feed)), feed);
    const looksUp = used !== null && feed.order === 'once';
    const { left, spent: names } = looksUp ? withoutSpent(parsed, plan, feed, used) : { left: parsed, spent: [] };
    if (names.length > 0) setOwn(spent, name, names);
    const list = { rows: left.rows.length, spent: spentOf(names), areAccounts: areAccounts(left.columns) };
    problems.push(...checkRows(plan, name, feed, left, names.length === 0 ? null : rowsLeftWords(list)));
    setOwn(feeds, name, { columns: [...left.columns], rows: [...left.rows], order: feed.order });
  }
  return { feeds, spent, problems };
}

/** Maximum number of used rows that are reported by name. */
const MAX_NAMES = 100;

/** Returns the number of used rows of a list and their first names. */
export function spentOf(names: readonly string[]): { count: number; names: string[] } {
  return { count: names.length, names: names.slice(0, MAX_NAMES) };
}

/** Renames columns of another system's list to the names that the plan uses. */
function withAskedNames(plan: Plan, name: string, parsed: ParsedFeed): ParsedFeed {
  return { ...parsed, columns: underAskedNames(parsed.columns, columnsAsked(plan, name)) };
}

/** Removes the rows that are already used up. */
function withoutUsed(parsed: ParsedFeed, { skip = 0 }: Feed): ParsedFeed {
  const rows = parsed.rows.slice(skip);
  if (skip === 0 || rows.length > 0 || parsed.rows.length === 0) return { ...parsed, rows };
  const message = `${formatCount(parsed.rows.length)} of ${formatCount(parsed.rows.length)} rows are used up (skip: ${skip})`;
  return { ...parsed, rows, problems: [...parsed.problems, { line: parsed.rows.length + 1, message }] };
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
    if (size > MAX_BYTES)
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
