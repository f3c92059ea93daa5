import { setTimeout as sleep } from 'node:timers/promises';
import { problemOf } from '#core/base/errors.ts';
import { MAX_COMPARED_ITEMS, type StoredCount } from '#core/plan/schema/populate.ts';
import type { StoredReading } from '#core/result/readings.ts';
import { type CountParts, readCount, readList } from './readCount.ts';

/**
 * A target may continue with its work after the load, for about as long as its slowest responses took. Its count is read until this number
 * of readings in such a time are equal, within a limit.
 */
const STABLE_READINGS = 3;
const READING_INTERVAL_MS = 1_000;
const MAX_STABLE_MS = 60_000;
const MAX_SETTLE_MS = 60_000;

/** A count with its readings before and after the load; `problem` says why one is missing. */
export interface Counted extends StoredReading {
  readonly problem: string | null;
}

/** The counts of the target before and after the load of a run. */
export class TargetCounts {
  private readonly counts: readonly { readonly count: StoredCount; readonly before: number }[];
  private readonly parts: CountParts;
  private readonly ending: AbortController;
  private readonly expected: readonly Expected[];

  private constructor(counts: TargetCounts['counts'], parts: CountParts, ending: AbortController) {
    this.counts = counts;
    this.parts = parts;
    this.ending = ending;
    this.expected = counts.map(noneExpected);
  }

  /** Reads each count once. Throws the first problem, because a missing count before the load cannot be read later. */
  static async open(counts: readonly StoredCount[], parts: Omit<CountParts, 'signal'>): Promise<TargetCounts> {
    const ending = new AbortController();
    const all = { ...parts, signal: ending.signal };
    const opened = await Promise.all(counts.map(async (count) => ({ count, before: await readCount(count, all) })));
    return new TargetCounts(opened, all, ending);
  }

  /** Adds markers of items that the target acknowledged. `count`: index in the counts of the plan. */
  expect(count: number, markers: readonly string[]): void {
    const expected = this.expected[count];
    if (expected === undefined) return;
    for (const marker of markers.slice(0, MAX_COMPARED_ITEMS - expected.total)) {
      expected.byMarker.set(marker, (expected.byMarker.get(marker) ?? 0) + 1);
      expected.total += 1;
    }
  }

  /** Waits until the counts are stable and returns them. `slowestMs`: time of the load's slowest response. Never rejects. */
  settle(slowestMs: number): Promise<Counted[]> {
    const stillMs = Math.min(slowestMs, MAX_STABLE_MS);
    const untilMs = Date.now() + MAX_SETTLE_MS + stillMs;
    return Promise.all(
      this.counts.map(async ({ count, before }, index) => {
        const { name, step } = count;
        try {
          if (count.counts === 'unfinished') return { index, name, step, before, ...(await this.finishing(count, before)), problem: null };
          const after = await this.standing(count, stillMs, untilMs);
          return { index, name, step, before, ...after, ...(await this.compared(count, index)), problem: null };
        } catch (thrown) {
          return { index, name, step, before, after: null, stands: false, problem: problemOf(thrown).message };
        }
      }),
    );
  }

  /** Ends the wait at once. */
  end(): void {
    this.ending.abort();
  }

  private async compared(count: StoredCount, index: number): Promise<Pick<StoredReading, 'items'>> {
    if (count.marker === undefined) return {};
    const { byMarker, total } = this.expected[index] ?? noneExpected();
    const listed = new Map<string, number>();
    for (const text of await readList(count, this.parts)) if (byMarker.has(text)) listed.set(text, (listed.get(text) ?? 0) + 1);
    let [missing, repeated] = [0, 0];
    for (const [marker, times] of byMarker) {
      const found = listed.get(marker) ?? 0;
      missing += Math.max(0, times - found);
      if (found > times) repeated += 1;
    }
    return { items: { compared: total, missing, repeated } };
  }

  /** Reads the amount of unfinished work until it is as low as before the load, for a limited time. */
  private async finishing(count: StoredCount, before: number): Promise<Pick<StoredReading, 'after' | 'stands' | 'unfinished'>> {
    const sinceMs = Date.now();
    const atEnd = await readCount(count, this.parts);
    let after = atEnd;
    while (after > before && Date.now() - sinceMs < MAX_SETTLE_MS && !this.ending.signal.aborted) {
      await sleep(READING_INTERVAL_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      after = await readCount(count, this.parts);
    }
    const seconds = Math.round((Date.now() - sinceMs) / 1_000);
    return { after, stands: after <= before, unfinished: { atEnd, seconds } };
  }

  private async standing(count: StoredCount, stillMs: number, untilMs: number): Promise<{ after: number; stands: boolean }> {
    let after = await readCount(count, this.parts);
    let [alike, sinceMs] = [1, Date.now()];
    const stands = (): boolean => alike >= STABLE_READINGS && Date.now() - sinceMs >= stillMs;
    while (!stands() && Date.now() < untilMs && !this.ending.signal.aborted) {
      await sleep(READING_INTERVAL_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      const now = await readCount(count, this.parts);
      if (now !== after) [alike, sinceMs] = [0, Date.now()];
      alike += 1;
      after = now;
    }
    return { after, stands: stands() };
  }
}

/** Markers of acknowledged items, with the number of items for each: 1 if the marker of the plan is unique. */
interface Expected {
  readonly byMarker: Map<string, number>;
  total: number;
}

function noneExpected(): Expected {
  return { byMarker: new Map(), total: 0 };
}
