import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a page takes here when nothing else is said, in milliseconds: the median of the report of BOI 2014, most of it spent
 * waiting for the database.
 */
export const DEFAULT_SERVICE_MS = 50;

/** Answers take from 0.8 to 1.2 times the mean. */
const SPREAD = 0.4;

/** Waits as long as a page of this mean time takes. Zero does not wait at all. */
export async function takeServiceTime(meanMs: number): Promise<void> {
  if (meanMs > 0) await sleep(meanMs * (1 - SPREAD / 2 + Math.random() * SPREAD));
}
