import { setTimeout as sleep } from 'node:timers/promises';
import { problemOf } from '#core/errors.ts';
import type { StoredCount } from '#core/plan/storedSchema.ts';
import type { StoredReading } from '#core/report/storedEvent.ts';
import { readCount, type CountParts } from './readCount.ts';

/** A target may go on with what it was asked for after everybody has gone: it is watched until so many readings are alike, and no longer than that. */
const ALIKE = 3;
const EVERY_MS = 1_000;
const SETTLE_LIMIT_MS = 60_000;

/** A count with its reading before the load, and after it; `problem` says why there is none. */
export interface Counted extends StoredReading {
  readonly problem: string | null;
}

/** What the target counts, before the load of a run and after it. */
export class StoredCounts {
  private readonly counts: readonly { readonly count: StoredCount; readonly before: number }[];
  private readonly parts: CountParts;
  private readonly ending: AbortController;

  private constructor(counts: StoredCounts['counts'], parts: CountParts, ending: AbortController) {
    this.counts = counts;
    this.parts = parts;
    this.ending = ending;
  }

  /** Reads each of them once. Throws the first problem: what was not counted before cannot be made up for afterwards. */
  static async open(counts: readonly StoredCount[], parts: Omit<CountParts, 'signal'>): Promise<StoredCounts> {
    const ending = new AbortController();
    const all = { ...parts, signal: ending.signal };
    const opened = await Promise.all(counts.map(async (count) => ({ count, before: await readCount(count, all) })));
    return new StoredCounts(opened, all, ending);
  }

  /** Waits until nothing more is stored, and tells all of them. Never rejects. */
  settle(): Promise<Counted[]> {
    const untilMs = Date.now() + SETTLE_LIMIT_MS;
    return Promise.all(
      this.counts.map(async ({ count, before }) => {
        const { name, step } = count;
        try {
          return { name, step, before, after: await this.standing(count, untilMs), problem: null };
        } catch (thrown) {
          return { name, step, before, after: null, problem: problemOf(thrown).message };
        }
      }),
    );
  }

  /** Whoever waits for it goes on at once. */
  end(): void {
    this.ending.abort();
  }

  private async standing(count: StoredCount, untilMs: number): Promise<number> {
    let last = await readCount(count, this.parts);
    for (let alike = 1; alike < ALIKE && Date.now() < untilMs && !this.ending.signal.aborted;) {
      await sleep(EVERY_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      const now = await readCount(count, this.parts);
      alike = now === last ? alike + 1 : 1;
      last = now;
    }
    return last;
  }
}
