import type { Distribution } from '#core/report/distribution.ts';
import type { Spread } from '#core/report/document/spread.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import { readDistribution } from './readDistribution.ts';

/** A report is made within seconds: of a run with more windows than this, reading them again would take as long as all the rest. */
const MOST_WINDOWS = 1_200;

export interface Distributions {
  /** How the times of a run are spread; of one that has ended it is read once. */
  of(runId: string): Promise<Distribution>;
  /** The same for a report, where it does not take too long. */
  ofReport(runId: string): Promise<Spread>;
  /** Reads that of a long run that has just ended, so that nobody waits for it later. */
  prepare(runId: string): Promise<void>;
  close(): void;
}

export function createDistributions(store: Store, log: Log, mostWindows = MOST_WINDOWS): Distributions {
  let closed = false;
  const isLong = (key: number): boolean => store.countWindows(key) > mostWindows;

  async function of(runId: string): Promise<Distribution> {
    const { key, ended_at: endedAt } = store.find(runId);
    const stored = endedAt === null ? null : store.distribution(key);
    if (stored !== null) return stored;
    const made = await readDistribution(store.details(key).plan, store.windowSlices(key));
    if (endedAt === null) return made;
    try {
      store.saveDistribution(key, made);
    } catch (thrown) {
      log.failure('how the times of a run are spread could not be stored; it is read again when it is asked for', thrown);
    }
    return made;
  }

  return {
    of,
    async ofReport(runId) {
      const { key } = store.find(runId);
      return store.distribution(key) === null && isLong(key) ? 'tooLong' : of(runId);
    },
    async prepare(runId) {
      try {
        if (!closed && isLong(store.find(runId).key)) await of(runId);
      } catch (thrown) {
        // The store may have been closed meanwhile.
        if (!closed) log.failure('how the times of a run are spread could not be read', thrown);
      }
    },
    close() {
      closed = true;
    },
  };
}
