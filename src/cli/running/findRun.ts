import type { RunRow } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/errors.ts';

const PAGE = 500;

/** All runs (at most `limit`), newest first. */
export async function listRuns(client: Client, limit = Number.POSITIVE_INFINITY): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  while (rows.length < limit) {
    const page = await client.call('runs.list', { limit: Math.min(PAGE, limit - rows.length), offset: rows.length });
    rows.push(...page.runs);
    if (page.runs.length === 0 || rows.length >= page.total) break;
  }
  return rows.sort((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** The id of the run that `text` stands for; see {@link pickRun}. */
export async function findRunId(client: Client, text: string): Promise<string> {
  return pickRun(await listRuns(client, text === 'last' ? 1 : undefined), text);
}

/** The id of the run that `last`, an id or the beginning of one stands for. Throws `NO_SUCH_RUN` or `AMBIGUOUS_RUN`. */
export function pickRun(rows: readonly Pick<RunRow, 'id'>[], text: string): string {
  if (text === 'last') {
    const [newest] = rows;
    if (newest) return newest.id;
    throw new HoldfastError({
      code: 'NO_SUCH_RUN',
      message: 'There is no run yet.',
      hint: 'Make one, for example with: holdfast quick URL',
    });
  }
  const exact = rows.find(({ id }) => id === text);
  const matches = exact ? [exact] : rows.filter(({ id }) => text !== '' && id.startsWith(text));
  const [only, ...others] = matches;
  if (only && others.length === 0) return only.id;
  throw only
    ? new HoldfastError({
        code: 'AMBIGUOUS_RUN',
        message: `${matches.length} runs begin with ${JSON.stringify(text)}.`,
        hint: `Write more of the one you mean: ${matches
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}${matches.length > 5 ? ', …' : ''}.`,
      })
    : new HoldfastError({
        code: 'NO_SUCH_RUN',
        message: `There is no run ${JSON.stringify(text)}.`,
        hint: 'holdfast runs lists them; “last” is the newest.',
      });
}
