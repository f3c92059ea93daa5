import { performance } from 'node:perf_hooks';

/** Reads the machine's monotonic clock, in microseconds. */
export type Clock = () => number;

/**
 * Returns the clock shared by all threads and processes of this machine: `process.hrtime`, in microseconds. It reads `performance.now()`, the same clock with
 * an origin per thread, which costs a third of `hrtime` and no garbage. The origin is measured once, between the two closest readings of 32 attempts.
 */
export function sharedClock(): Clock {
  let offsetUs = 0;
  let narrowestUs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 32; attempt += 1) {
    const beforeUs = performance.now() * 1_000;
    const [seconds, nanoseconds] = process.hrtime();
    const afterUs = performance.now() * 1_000;
    if (afterUs - beforeUs >= narrowestUs) continue;
    narrowestUs = afterUs - beforeUs;
    offsetUs = seconds * 1_000_000 + nanoseconds / 1_000 - (beforeUs + afterUs) / 2;
  }
  return () => performance.now() * 1_000 + offsetUs;
}
