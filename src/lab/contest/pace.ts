import { setTimeout as sleep } from 'node:timers/promises';

/** Default service time of a page in ms: the median in the report of BOI 2014, mostly waiting for the database. */
export const DEFAULT_SERVICE_MS = 50;

/** Service times range from 0.8 to 1.2 times the mean. */
const SPREAD = 0.4;

/** Waits for a random service time with this mean. Zero does not wait. */
export async function takeServiceTime(meanMs: number): Promise<void> {
  if (meanMs > 0) await sleep(meanMs * (1 - SPREAD / 2 + Math.random() * SPREAD));
}
