import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agreeToEverything } from '#backend/testing/agreeing.ts';
import { startBackend } from '#backend/index.ts';
import { backendFiles, entriesFor } from '#cli/entries.ts';
import type { Aspect, Comparison } from '#core/comparison/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SearchDocument, SearchResult } from '#core/search/result.ts';

/**
 * The app as its screens and its command line use it: runs, searches and comparisons go through the contract, and their results are stored.
 */
export interface App {
  /** Runs a plan to its end. */
  run(plan: Plan): Promise<RunResult>;
  /** Runs a search to its end. */
  search(document: SearchDocument): Promise<SearchResult>;
  compare(sides: readonly { readonly name: string; readonly runIds: readonly string[] }[], asked: Aspect): Promise<Comparison>;
  close(): Promise<void>;
}

/**
 * Opens the app in this process with an empty store. When the signal aborts, the current work is stopped, and the promise of that work
 * rejects.
 */
export async function openApp(signal: AbortSignal): Promise<App> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-conclusions-'));
  const backend = await startBackend({
    dataDirectory,
    ...backendFiles(entriesFor(new URL('../../src/cli/main.ts', import.meta.url).href)),
    version: 'bench',
  });
  const client = agreeToEverything(backend.client());

  /** Resolves when a stream has ended. If the signal aborts, `stop` ends the run or the search whose stream it is. */
  async function waitForStream(open: (onEnd: (problem: Error | null) => void) => void, stop: () => Promise<unknown>): Promise<void> {
    const onAbort = (): void => void stop().catch(() => {});
    signal.addEventListener('abort', onAbort);
    try {
      await new Promise<void>((resolve, reject) => open((problem) => (problem === null ? resolve() : reject(problem))));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    signal.throwIfAborted();
  }

  return {
    async run(plan) {
      const { runId } = await client.call('runs.start', { plan });
      await waitForStream(
        (onEnd) => client.open('runs.watch', { runId }, { onItem: () => {}, onEnd: (problem) => onEnd(problem ?? null) }),
        () => client.call('runs.stop', { runId }),
      );
      return client.call('runs.result', { runId });
    },
    async search(document) {
      const { searchId } = await client.call('searches.start', { document });
      await waitForStream(
        (onEnd) => client.open('searches.watch', { searchId }, { onItem: () => {}, onEnd: (problem) => onEnd(problem ?? null) }),
        () => client.call('searches.stop', { searchId }),
      );
      return client.call('searches.result', { searchId });
    },
    compare: (sides, asked) =>
      client.call('comparisons.make', { sides: sides.map(({ name, runIds }) => ({ name, runIds: [...runIds] })), asked }),
    async close() {
      client.close();
      await backend.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
