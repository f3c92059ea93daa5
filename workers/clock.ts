import { performance } from 'node:perf_hooks';

/** Microseconds on the machine's monotonic clock. */
export type Clock = () => number;

/**
 * The clock that all threads and processes of this machine share: `process.hrtime`, in microseconds. It is read through
 * `performance.now()`, which is the same clock behind a thread's own origin and costs a third of a call to `hrtime` and no
 * garbage; the origin is measured once here, between two readings that lie as close together as can be had.
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
