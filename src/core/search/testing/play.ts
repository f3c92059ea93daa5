import { type Random, buildRunResult, simulate, type SimulatedServer } from '#core/testing/queueRun.ts';
import type { SearchDocument, SearchHead, SearchResult } from '../result.ts';
import type { SearchRun } from '../run.ts';
import { buildSearchResult, chooseNextStep, findReading } from '../search.ts';

const MAX_RUNS = 60;

/**
 * Plays a whole search against a simulated server in simulated time. `server` may depend on the second of the search, which allows servers
 * with memory.
 */
export function playSearch(
  document: SearchDocument,
  server: SimulatedServer | ((second: number) => SimulatedServer),
  random: Random,
): SearchResult & { readonly because: string | null } {
  const runs: SearchRun[] = [];
  const head: SearchHead = {
    id: 'q-1',
    name: document.plan.name,
    kind: document.kind,
    startedAt: '2026-01-01T00:00:00Z',
    endedAt: '2026-01-01T00:10:00Z',
    state: 'finished',
    endedBecause: null,
  };
  while (runs.length < MAX_RUNS) {
    const step = chooseNextStep(document, runs);
    if (step.kind === 'end') return { ...buildSearchResult(head, document, runs), because: step.because };
    const base = { position: runs.length, state: 'value' as const, phase: null, reason: null, runId: null };
    if (step.kind === 'idle') {
      const reading = {
        kind: 'idle' as const,
        closedAfterSeconds: 5,
        watchedSeconds: 5,
        statedSeconds: 5,
        statedRequests: null,
        problem: null,
      };
      runs.push({ ...base, purpose: 'idle', name: step.name, level: null, repeat: 1, reading, spentSeconds: 5, requests: 1 });
      continue;
    }
    const { plan, purpose, name, level, repeat } = step;
    const second = runs.reduce((sum, run) => sum + run.spentSeconds, 0);
    const result = buildRunResult(plan, simulate(plan, typeof server === 'function' ? server(second) : server, random));
    const reading = findReading(document, step, result);
    const spentSeconds = result.durationSeconds ?? 0;
    runs.push({ ...base, purpose, name, level, repeat, reading, spentSeconds, requests: result.outcomes.requests.sent });
  }
  throw new Error('The search does not end.');
}
