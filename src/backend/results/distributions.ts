import { type Distribution, newDistribution } from '#core/result/distribution.ts';
import type { Spread } from '#core/presentation/document/spread.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';

/** Maximum time in ms that the work blocks the event loop. */
const MAX_BLOCKED_MS = 12;

/** Yields the values of an iterable, and lets other tasks of the thread run when they take long. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let since = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - since < MAX_BLOCKED_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

/** Reads the time distribution of a run. An hour of histograms takes seconds to read, so other tasks run between slices. */
async function readDistribution(plan: Plan, slices: Iterable<readonly Window[]>): Promise<Distribution> {
  const distribution = newDistribution(plan);
  for await (const slice of inTurns(slices)) for (const window of slice) distribution.add(window);
  return distribution.end();
}

/** Maximum number of windows that a report reads. A report must be ready within seconds. */
const MAX_REPORT_WINDOWS = 1_200;

export interface Distributions {
  /** Returns the time distribution of a run. That of an ended run is read only once. */
  of(runId: string): Promise<Distribution>;
  /** Like `of`, for a report: returns 'tooLong' if reading would take too long. */
  ofReport(runId: string): Promise<Spread>;
  /** Reads the distribution of a long run that has just ended, before anyone needs it. Never throws. */
  prepare(runId: string): Promise<void>;
}

export function createDistributions(store: Store, log: Pick<Log, 'failure'>, mostWindows = MAX_REPORT_WINDOWS): Distributions {
  /** Reads in progress, shared by simultaneous requests. */
  const pending = new Map<string, Promise<Distribution>>();

  async function read(runId: string): Promise<Distribution> {
    const { key, ended_at: endedAt } = store.find(runId);
    const made = await readDistribution(store.details(key).plan, store.windowSlices(key));
    if (endedAt === null) return made;
    try {
      store.saveDistribution(key, made);
    } catch (thrown) {
      log.failure('how the times of a run are spread could not be stored; it is read again when it is asked for', thrown);
    }
    return made;
  }

  const stored = (runId: string): Distribution | null => {
    const { key, ended_at: endedAt } = store.find(runId);
    return endedAt === null ? null : store.distribution(key);
  };

  async function of(runId: string): Promise<Distribution> {
    const found = stored(runId);
    if (found !== null) return found;
    const reading = pending.get(runId) ?? read(runId).finally(() => pending.delete(runId));
    pending.set(runId, reading);
    return reading;
  }

  return {
    of,
    async ofReport(runId) {
      const isLong = store.countWindows(store.find(runId).key) > mostWindows;
      return isLong && !pending.has(runId) ? (stored(runId) ?? 'tooLong') : of(runId);
    },
    async prepare(runId) {
      try {
        if (store.countWindows(store.find(runId).key) > mostWindows) await of(runId);
      } catch (thrown) {
        log.failure('how the times of a run are spread could not be read', thrown);
      }
    },
  };
}
