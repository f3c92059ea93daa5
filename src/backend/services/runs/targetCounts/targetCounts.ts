import { setTimeout as sleep } from 'node:timers/promises';
import { problemOf } from '#core/base/errors.ts';
import type { StoredCount } from '#core/plan/schema/populate.ts';
import type { StoredReading } from '#core/result/readings.ts';
import { type CountParts, readCount } from './readCount.ts';

/**
 * A target may go on with what it was asked for after everybody has gone, for about as long as its slowest answers took: its count is watched until so many readings
 * in such a time are alike, and no longer than that.
 */
const ALIKE = 3;
const EVERY_MS = 1_000;
const LONGEST_STILL_MS = 60_000;
const SETTLE_LIMIT_MS = 60_000;

/** A count with its reading before the load, and after it; `problem` says why there is none. */
export interface Counted extends StoredReading {
  readonly problem: string | null;
}

/** What the target counts, before the load of a run and after it. */
export class TargetCounts {
  private readonly counts: readonly { readonly count: StoredCount; readonly before: number }[];
  private readonly parts: CountParts;
  private readonly ending: AbortController;

  private constructor(counts: TargetCounts['counts'], parts: CountParts, ending: AbortController) {
    this.counts = counts;
    this.parts = parts;
    this.ending = ending;
  }

  /** Reads each of them once. Throws the first problem: what was not counted before cannot be made up for afterwards. */
  static async open(counts: readonly StoredCount[], parts: Omit<CountParts, 'signal'>): Promise<TargetCounts> {
    const ending = new AbortController();
    const all = { ...parts, signal: ending.signal };
    const opened = await Promise.all(counts.map(async (count) => ({ count, before: await readCount(count, all) })));
    return new TargetCounts(opened, all, ending);
  }

  /** Waits until nothing more is stored, and tells all of them; `slowestMs`: how long an answer of the load took, or was waited for. Never rejects. */
  settle(slowestMs: number): Promise<Counted[]> {
    const stillMs = Math.min(slowestMs, LONGEST_STILL_MS);
    const untilMs = Date.now() + SETTLE_LIMIT_MS + stillMs;
    return Promise.all(
      this.counts.map(async ({ count, before }) => {
        const { name, step } = count;
        try {
          return { name, step, before, ...(await this.standing(count, stillMs, untilMs)), problem: null };
        } catch (thrown) {
          return { name, step, before, after: null, stands: false, problem: problemOf(thrown).message };
        }
      }),
    );
  }

  /** Whoever waits for it goes on at once. */
  end(): void {
    this.ending.abort();
  }

  private async standing(count: StoredCount, stillMs: number, untilMs: number): Promise<{ after: number; stands: boolean }> {
    let after = await readCount(count, this.parts);
    let [alike, sinceMs] = [1, Date.now()];
    const stands = (): boolean => alike >= ALIKE && Date.now() - sinceMs >= stillMs;
    while (!stands() && Date.now() < untilMs && !this.ending.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      const now = await readCount(count, this.parts);
      if (now !== after) [alike, sinceMs] = [0, Date.now()];
      alike += 1;
      after = now;
    }
    return { after, stands: stands() };
  }
}
