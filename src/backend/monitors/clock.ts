import { hrtimeUs } from '#engine/hrtime.ts';

/** The clock that all readings are laid on: this machine's monotonic one, in milliseconds, by which the engine tells when a run began. */
export function nowMs(): number {
  return hrtimeUs() / 1_000;
}

/** An instant of `performance.now()` on that clock. */
export function fromPerformance(performanceMs: number): number {
  return performanceMs + nowMs() - performance.now();
}
