import type { Client } from '#contract/rpc/client.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { CliContext } from '../context.ts';
import { textTable } from '../output/table.ts';
import { findSearchId } from '../running/findRun.ts';
import { withBackend } from './command.ts';

const LISTED = 100;

/** Lists searches of one kind with their results, newest first. */
export function listSearches(kind: SearchResult['search']['kind'], none: string, context: CliContext): Promise<string> {
  return withBackend(context, async (backend) => {
    const { searches } = await backend.client().call('searches.list', { limit: LISTED });
    const wanted = searches.filter((search) => search.kind === kind);
    if (wanted.length === 0) return none;
    return textTable(
      wanted.map(({ id, startedAt, state, name, sentence }) => [id, startedAt.slice(0, 19).replace('T', ' '), state, name, sentence]),
    );
  });
}

/** Deletes a search. Its runs stay in the history. */
export function deleteSearch(text: string, context: CliContext): Promise<string> {
  return withBackend(context, async (backend) => {
    const client: Client = backend.client();
    const searchId = await findSearchId(client, text);
    await client.call('searches.remove', { searchId });
    return `The search ${searchId} is deleted. Its runs are still in the history: holdfast runs\n`;
  });
}
