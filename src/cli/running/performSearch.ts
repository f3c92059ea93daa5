import type { Client } from '#contract/rpc/client.ts';
import { isLoadedHere } from '#core/plan/hosts/generatorNames.ts';
import { askingOfSearch, listResetCommands, type SearchDocument, type SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { searchRunLine } from '#core/search/table.ts';
import { formatSearchText } from '#core/presentation/text/textReport.ts';
import { type CliContext, withClient } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { withHostKey } from '../hosts/withHostKey.ts';
import { openJsonDestination } from '../output/jsonFile.ts';
import type { Consent } from '../input/consent.ts';
import { textTable } from '../output/problems.ts';
import { codeIfJudged } from './performSeries.ts';
import { followGroup } from './followGroup.ts';
import { requireReachable } from './preflight.ts';
import { findSearchId } from './findRun.ts';

export interface SearchOutput {
  readonly json: string | undefined;
  readonly quiet: boolean;
  /** Whether the search fails if any step of any run is not judged. */
  readonly requiresJudged?: boolean;
}

/** Runs a search, prints and saves its result, and returns the exit code. */
export async function performSearch(
  document: SearchDocument,
  output: SearchOutput,
  context: CliContext,
  client: Client,
  consent: Consent,
): Promise<ExitCode> {
  const agreedKeys = await consent.agreeToPlan(askingOfSearch(document), client);
  const commands = listResetCommands(document);
  if (commands.length > 0 && !output.quiet)
    await context.err.write(
      `Before each level, this search runs on this computer:\n${commands.map((command) => `  $ ${command}\n`).join('')}`,
    );
  const destination = output.json === undefined ? null : await openJsonDestination(output.json, context.currentDirectory, context.out);
  try {
    // Skipped if only hosts generate the load, because this computer cannot check their connections.
    if (isLoadedHere(document.on)) await requireReachable(document.plan);
    const { searchId } = await withHostKey(() => client.call('searches.start', { document, agreed: agreedKeys }), client, context);
    await followGroup<SearchResult, SearchRun>(
      {
        open: (listener) => client.open('searches.watch', { searchId }, listener),
        stop: () => client.call('searches.stop', { searchId }),
        stopping: 'Stopping. Results are kept.',
        getRuns: ({ runs }) => runs,
        isOver: ({ state }) => state !== 'running',
        formatLine: (run, nth, { runs }) => `${nth}  ${searchRunLine(run, runs)}`,
      },
      output.quiet,
      context,
      client,
    );
    const result = await client.call('searches.result', { searchId });
    if (!output.quiet && destination?.isStandardOutput !== true) await context.out.write(formatSearchText(result));
    await destination?.save(result);
    const code = exitCodeOfSearch(result);
    if (output.requiresJudged !== true) return code;
    // In a breaking-point search, only the levels have criteria. Its other runs, and the runs of an analysis, have none.
    const isAnalysis = document.kind === 'characterize';
    const runIds = result.runs.flatMap(({ runId, purpose }) => (runId !== null && (isAnalysis || purpose === 'level') ? [runId] : []));
    return await codeIfJudged(code, runIds, context, client, !isAnalysis);
  } finally {
    await destination?.discard();
  }
}

/** Returns the exit code. For a finished search, it is `fine` with a conclusion and `inconclusive` without. */
export function exitCodeOfSearch({ search, conclusion }: SearchResult): ExitCode {
  if (search.state === 'stopped') return EXIT.stoppedByUser;
  if (search.state !== 'finished') return EXIT.failed;
  const isKnown = conclusion.kind === 'characterize' ? conclusion.server !== 'unknown' : conclusion.isKnown;
  return isKnown ? EXIT.fine : EXIT.inconclusive;
}

const MAX_LISTED_SEARCHES = 100;

/** Lists searches of one kind with their results, newest first. */
export function listSearches(kind: SearchResult['search']['kind'], none: string, context: CliContext): Promise<string> {
  return withClient(context, async (client) => {
    const { searches } = await client.call('searches.list', { limit: MAX_LISTED_SEARCHES });
    const searchesOfKind = searches.filter((search) => search.kind === kind);
    if (searchesOfKind.length === 0) return none;
    return textTable(
      searchesOfKind.map(({ id, startedAt, state, name, sentence }) => [
        id,
        startedAt.slice(0, 19).replace('T', ' '),
        state,
        name,
        sentence,
      ]),
    );
  });
}

/** Deletes a search. The search's runs stay in the history. */
export function deleteSearch(text: string, context: CliContext): Promise<string> {
  return withClient(context, async (client) => {
    const searchId = await findSearchId(client, text);
    await client.call('searches.remove', { searchId });
    return `The search ${searchId} is deleted. Its runs are still in the history: holdfast runs\n`;
  });
}
