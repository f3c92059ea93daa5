import { HoldfastError } from '#core/base/errors.ts';
import { listHiddenReferences, revealPlan } from '#core/plan/hiddenText.ts';
import { markStorable, hideSecrets } from '#core/plan/hideSecrets.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listResetCommands, SEARCH_PREFIX, type SearchDocument, type SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { chooseNextStep } from '#core/search/search.ts';
import { searchResultFrom, getSearchResult } from '#backend/store/groupResults.ts';
import { enterBrowserHost, enterHosts } from '../runs/generators/openGenerators.ts';
import { requireValidPlan } from '../runs/prepareRun.ts';
import { getTargetConnection } from '../targets/targetCalls.ts';
import { mayRunCommands } from '../runCommand.ts';
import { checkFeeds } from '../runs/readFiles.ts';
import { forgetRows } from '../runs/usedRows.ts';
import { RunGroups, type RunGroupService, type RunGroupWithCommandsParts } from './runGroupService.ts';
import { SearchSteps } from './searchSteps.ts';

const OWNER_GONE = 'The Holdfast that ran it ended before it did.';

export function createSearchService(parts: RunGroupWithCommandsParts): RunGroupService<'searches'> {
  const { store, secrets, results, redaction } = parts;
  /** Continues the search that waits for a reset. A process runs at most one search. */
  let continueSearch: (() => void) | null = null;
  const untilReset = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      continueSearch = () => {
        continueSearch = null;
        signal.removeEventListener('abort', proceed);
        resolve();
      };
      const proceed = continueSearch;
      signal.addEventListener('abort', proceed);
      if (signal.aborted) proceed();
    });
  const reuseRows = async (plan: Plan): Promise<void> => forgetRows(plan, (await checkFeeds(plan)).feeds, store.usedRows);
  const groups = new RunGroups<SearchDocument, SearchRun, SearchResult>(parts, {
    called: 'search',
    table: store.searches,
    ownerGone: OWNER_GONE,
    recovered: (run) => ({ ...run, state: 'aborted', phase: null, reason: OWNER_GONE }),
    prefix: SEARCH_PREFIX,
    code: 'SEARCH',
    idName: 'searchId',
    runningMessage: 'A search for a breaking point or an analysis of a server is running.',
    mayStart: (document) => {
      mayStartSearch(document);
      mayRunCommands(listResetCommands(document), parts.runsCommands, 'This search');
    },
    enterHosts: async (document) => {
      await enterHosts(document.on ?? [], parts.openHost);
      await enterBrowserHost(document.plan, parts.enterHost);
    },
    begin: (given) => {
      const document = markStorable({ ...given, plan: hideSecrets(given.plan, secrets.keep) });
      const { plan } = document;
      const readProbeWay = async () => {
        const values = await secrets.resolve([...clientCertificateReferences(plan.tls), ...listHiddenReferences(plan)]);
        return { plan: revealPlan(plan, values), connection: getTargetConnection(plan, values) };
      };
      const stepParts = { results, way: readProbeWay, clean: redaction.text, reuseRows, untilReset };
      return { name: plan.name, document, runs: [], createSteps: (work) => new SearchSteps(stepParts, work, document) };
    },
    result: (searchId) => getSearchResult(store, searchId),
    isEnded: ({ search }) => search.endedAt !== null,
  });

  return {
    calls: {
      'searches.start': async ({ document }) => ({ searchId: await groups.start(document) }),
      'searches.stop': ({ searchId }) => groups.stop(searchId),
      'searches.goOn': ({ searchId }) => {
        groups.requireGoing(searchId);
        continueSearch?.();
      },
      'searches.remove': ({ searchId }) => groups.remove(searchId),
      'searches.result': ({ searchId }) => groups.result(searchId),
      'searches.export': (input) => results.ask('searches.export', input),
      'searches.list': async ({ limit, offset }) => {
        const { rows, total } = await groups.list(limit, offset, (record) => {
          const { search, conclusion } = searchResultFrom(store, record);
          return { ...search, sentence: conclusion.sentence };
        });
        return { searches: rows, total };
      },
    },
    streams: { 'searches.watch': ({ searchId }, sink) => groups.watch(searchId, sink) },
    close: groups.close,
  };
}

/** Throws `INVALID_PLAN` before the first run if the search cannot start. */
function mayStartSearch(document: SearchDocument): void {
  const step = chooseNextStep(document, []);
  if (step.kind === 'run') requireValidPlan(step.plan);
  const { settings } = document;
  if (!('to' in settings) || settings.to === undefined || settings.from === undefined || settings.from <= settings.to) return;
  throw new HoldfastError({
    code: 'INVALID_PLAN',
    message: `The search starts at ${settings.from}, above its highest level ${settings.to}.`,
    hint: 'Lower the first level, or raise the highest one.',
  });
}
