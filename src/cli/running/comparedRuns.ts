import { optionError } from '../optionError.ts';
import type { CallInput } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { findSeriesId, isSeriesId, listRuns, pickRun } from './findRun.ts';

export type AskedSide = CallInput<'comparisons.make'>['sides'][number];

/**
 * Resolves arguments to sides: `ID`, `ID,ID,…` or the id of a series (all its runs), each optionally after `NAME=`.
 * A single series becomes one side per cell. Throws `NO_SUCH_RUN` and similar errors, `BAD_OPTION`, and `NOT_WHOLE` for a series
 * without runs.
 */
export async function findSides(client: Client, texts: readonly string[]): Promise<AskedSide[]> {
  const [only, ...others] = texts;
  if (only === undefined || others.length > 0) return Promise.all(texts.map((text) => findSide(client, text)));
  const sides = isSeriesId(only) ? await cellsOf(client, only) : [];
  if (sides.length > 1) return sides;
  throw optionError(
    isSeriesId(only) ? `Only one cell of the series ${only} was run. There is nothing to compare it with.` : 'One side cannot be compared.',
    'Name two or more: holdfast compare RUN,RUN,… RUN,RUN,… (see: holdfast runs, holdfast series)',
  );
}

/** Resolves one side; see {@link findSides}. */
export async function findSide(client: Client, text: string): Promise<AskedSide> {
  const [, name, runs = text] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const named = name === undefined ? {} : { name: name.trim() };
  if (isSeriesId(runs)) return { ...named, runIds: (await cellsOf(client, runs)).flatMap(({ runIds }) => runIds) };
  const known = await listRuns(client);
  return { ...named, runIds: runs.split(',').map((one) => pickRun(known, one.trim())) };
}

/** Returns the cells of a series with at least one run. */
async function cellsOf(client: Client, text: string): Promise<AskedSide[]> {
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
