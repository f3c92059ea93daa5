import type { Distribution } from '#core/result/distribution.ts';
import type { Spread } from '#core/presentation/document/spread.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { newDistribution } from '#core/result/buildDistribution.ts';
import type { Window } from '#core/measurement/window.ts';

/** So long may work go on before everything else has a turn. */
const MOST_MS = 12;

/** What an iterable gives, one after the other; between them whatever else the thread was asked has its turn, where they take long. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let since = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - since < MOST_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

/** How the times of a run are spread. An hour of histograms takes seconds to read, so everything else has its turn between slices of it. */
async function readDistribution(plan: Plan, slices: Iterable<readonly Window[]>): Promise<Distribution> {
  const distribution = newDistribution(plan);
  for await (const slice of inTurns(slices)) for (const window of slice) distribution.add(window);
  return distribution.end();
}

/** A report is made within seconds: of a run with more windows than this, reading them again would take as long as all the rest. */
const MOST_WINDOWS = 1_200;

export interface Distributions {
  /** How the times of a run are spread; of one that has ended it is read once. */
  of(runId: string): Promise<Distribution>;
  /** The same for a report, where it does not take too long. */
  ofReport(runId: string): Promise<Spread>;
  /** Reads that of a long run that has just ended, so that nobody waits for it later. Never throws. */
  prepare(runId: string): Promise<void>;
}

export function createDistributions(store: Store, log: Pick<Log, 'failure'>, mostWindows = MOST_WINDOWS): Distributions {
  /** Those that are being read: who asks meanwhile waits for the same. */
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
