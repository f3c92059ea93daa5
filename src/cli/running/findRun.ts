import type { RunRow } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { SEARCH_PREFIX } from '#core/search/result.ts';
import { SERIES_PREFIX } from '#core/series/result.ts';
import type { CallInput } from '#contract/api.ts';
import { optionError } from '../output/problems.ts';

export const ANY_RUN = 'id of a run, a series or a search, or its beginning; last for the newest run';

const PAGE_RUNS = 500;

/** Returns whether the text begins like the id of a series. Ids of runs begin with the year. */
export function isSeriesId(text: string): boolean {
  return text.startsWith(SERIES_PREFIX);
}

/** Returns whether the text begins like the id of a search. Ids of runs begin with the year. */
export function isSearchId(text: string): boolean {
  return text.startsWith(SEARCH_PREFIX);
}

/** Lists at most `limit` runs, newest first. */
export async function listRuns(client: Client, limit = Number.POSITIVE_INFINITY): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  while (rows.length < limit) {
    const page = await client.call('runs.list', { limit: Math.min(PAGE_RUNS, limit - rows.length), offset: rows.length });
    rows.push(...page.runs);
    if (page.runs.length === 0 || rows.length >= page.total) break;
  }
  return rows.sort((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** Finds the id of a run; see {@link pickRun}. */
export async function findRunId(client: Client, text: string): Promise<string> {
  return pickRun(await listRuns(client, text === 'last' ? 1 : undefined), text);
}

/** Finds a series, among the newest 500, by its id or the beginning of its id. Throws `NO_SUCH_SERIES` or `AMBIGUOUS_SERIES`. */
export async function findSeriesId(client: Client, text: string): Promise<string> {
  const { series } = await client.call('series.list', { limit: PAGE_RUNS });
  return pickId(series, text, { one: 'series', several: 'series', code: 'SERIES', list: 'To list them: holdfast series' });
}

/** Finds a search, among the newest 500, by its id or the beginning of its id. Throws `NO_SUCH_SEARCH` or `AMBIGUOUS_SEARCH`. */
export async function findSearchId(client: Client, text: string): Promise<string> {
  const { searches } = await client.call('searches.list', { limit: PAGE_RUNS });
  return pickId(searches, text, {
    one: 'search',
    several: 'searches',
    code: 'SEARCH',
    list: 'To list them: holdfast breaking-point, holdfast characterize',
  });
}

interface WithId {
  readonly id: string;
}

/** Finds a run by `last`, its id or the beginning of its id. `rows` are newest first. Throws `NO_SUCH_RUN` or `AMBIGUOUS_RUN`. */
export function pickRun(rows: readonly WithId[], text: string): string {
  const [newest] = rows;
  if (text !== 'last')
    return pickId(rows, text, { one: 'run', several: 'runs', code: 'RUN', list: 'To list them: holdfast runs. “last” is the newest.' });
  if (newest) return newest.id;
  throw new HoldfastError({ code: 'NO_SUCH_RUN', message: 'No runs.', hint: 'To start one: holdfast quick URL' });
}

interface Kind {
  readonly one: string;
  readonly several: string;
  /** Suffix of the error codes. */
  readonly code: string;
  /** Command that lists the possible ids. */
  readonly list: string;
}

function pickId(rows: readonly WithId[], text: string, { one, several, code, list }: Kind): string {
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

export type ComparisonSide = CallInput<'comparisons.make'>['sides'][number];

/**
 * Resolves arguments to sides: `ID`, `ID,ID,…` or the id of a series (which means all its runs), each optionally after `NAME=`. If a series
 * is the only argument, each of its cells becomes a side. Throws `NO_SUCH_RUN` and similar errors, `BAD_OPTION`, and `NOT_WHOLE` for a
 * series without runs.
 */
export async function findSides(client: Client, texts: readonly string[]): Promise<ComparisonSide[]> {
  const [only, ...others] = texts;
  if (only === undefined || others.length > 0) return Promise.all(texts.map((text) => findSide(client, text)));
  const sides = isSeriesId(only) ? await getCells(client, only) : [];
  if (sides.length > 1) return sides;
  throw optionError(
    isSeriesId(only) ? `Only one cell of the series ${only} was run. There is nothing to compare it with.` : 'One side cannot be compared.',
    'Name two or more: holdfast compare RUN,RUN,… RUN,RUN,… (see: holdfast runs, holdfast series)',
  );
}

/** Resolves one side; see {@link findSides}. */
export async function findSide(client: Client, text: string): Promise<ComparisonSide> {
  const [, name, runs = text] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const named = name === undefined ? {} : { name: name.trim() };
  if (isSeriesId(runs)) return { ...named, runIds: (await getCells(client, runs)).flatMap(({ runIds }) => runIds) };
  const known = await listRuns(client);
  return { ...named, runIds: runs.split(',').map((one) => pickRun(known, one.trim())) };
}

async function getCells(client: Client, text: string): Promise<ComparisonSide[]> {
  const seriesId = await findSeriesId(client, text);
  const { rows } = await client.call('series.result', { seriesId });
  const cells = rows.flatMap(({ cell, runs }) => {
    const runIds = runs.flatMap(({ runId }) => runId ?? []);
    return runIds.length === 0 ? [] : [{ name: cell, runIds }];
  });
  if (cells.length > 0) return cells;
  throw new HoldfastError({
    code: 'NOT_WHOLE',
    message: `The series ${seriesId} has no runs to compare: none was started.`,
    hint: `To see its cells: holdfast show ${seriesId}`,
  });
}
