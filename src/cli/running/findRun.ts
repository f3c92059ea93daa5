import type { RunRow } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { SEARCH_PREFIX } from '#core/search/result.ts';
import { SERIES_PREFIX } from '#core/series/result.ts';

/** Help text for the id of a run, series or search. */
export const ANY_RUN = 'its id, the beginning of it, or last; or the id of a series or a search, or its beginning';

const PAGE = 500;

/** Whether the text begins like the id of a series; run ids begin with the year. */
export function isSeriesId(text: string): boolean {
  return text.startsWith(SERIES_PREFIX);
}

/** Whether the text begins like the id of a search; run ids begin with the year. */
export function isSearchId(text: string): boolean {
  return text.startsWith(SEARCH_PREFIX);
}

/** Lists runs, newest first, at most `limit`. */
export async function listRuns(client: Client, limit = Number.POSITIVE_INFINITY): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  while (rows.length < limit) {
    const page = await client.call('runs.list', { limit: Math.min(PAGE, limit - rows.length), offset: rows.length });
    rows.push(...page.runs);
    if (page.runs.length === 0 || rows.length >= page.total) break;
  }
  return rows.sort((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** Finds the id of a run; see {@link pickRun}. */
export async function findRunId(client: Client, text: string): Promise<string> {
  return pickRun(await listRuns(client, text === 'last' ? 1 : undefined), text);
}

/** Finds a series (of the newest 500) by its id or prefix. Throws `NO_SUCH_SERIES` or `AMBIGUOUS_SERIES`. */
export async function findSeriesId(client: Client, text: string): Promise<string> {
  const { series } = await client.call('series.list', { limit: PAGE });
  return pickId(series, text, { one: 'series', several: 'series', code: 'SERIES', list: 'To list them: holdfast series' });
}

/** Finds a search (of the newest 500) by its id or prefix. Throws `NO_SUCH_SEARCH` or `AMBIGUOUS_SEARCH`. */
export async function findSearchId(client: Client, text: string): Promise<string> {
  const { searches } = await client.call('searches.list', { limit: PAGE });
  return pickId(searches, text, {
    one: 'search',
    several: 'searches',
    code: 'SEARCH',
    list: 'To list them: holdfast breaking-point, holdfast characterize',
  });
}

interface Identified {
  readonly id: string;
}

/** Finds a run by `last`, its id or prefix; rows are newest first. Throws `NO_SUCH_RUN` or `AMBIGUOUS_RUN`. */
export function pickRun(rows: readonly Identified[], text: string): string {
  const [newest] = rows;
  if (text !== 'last')
    return pickId(rows, text, { one: 'run', several: 'runs', code: 'RUN', list: 'To list them: holdfast runs. “last” is the newest.' });
  if (newest) return newest.id;
  throw new HoldfastError({
    code: 'NO_SUCH_RUN',
    message: 'No runs.',
    hint: 'To start one: holdfast quick URL',
  });
}

interface Kind {
  readonly one: string;
  readonly several: string;
  /** Suffix of the error codes. */
  readonly code: string;
  /** Command that lists the ids. */
  readonly list: string;
}

function pickId(rows: readonly Identified[], text: string, { one, several, code, list }: Kind): string {
  const exact = rows.find(({ id }) => id === text);
  const matches = exact ? [exact] : rows.filter(({ id }) => text !== '' && id.startsWith(text));
  const [only, ...others] = matches;
  if (only && others.length === 0) return only.id;
  throw only
    ? new HoldfastError({
        code: `AMBIGUOUS_${code}`,
        message: `${matches.length} ${several} begin with “${text}”.`,
        hint: `Enter more of the id: ${matches
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}${matches.length > 5 ? ', …' : ''}.`,
      })
    : new HoldfastError({ code: `NO_SUCH_${code}`, message: `There is no ${one} “${text}”.`, hint: list });
}
