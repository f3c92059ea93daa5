import type { ThinkTime } from '../plan/loadSchema.ts';

/** Seconds of a pause on average; 0 where nobody pauses. */
export function meanPauseSeconds(thinkTime: ThinkTime | undefined): number {
  if (thinkTime === undefined) return 0;
  switch (thinkTime.kind) {
    case 'fixed':
      return thinkTime.seconds;
    case 'uniform':
      return (thinkTime.fromSeconds + thinkTime.toSeconds) / 2;
    case 'exponential':
      return thinkTime.meanSeconds;
    default:
      return thinkTime satisfies never;
  }
}

/** Seconds between the first request of a journey and its last that go by in pauses, on average: one between each two steps. */
export function pausesOfJourney(thinkTime: ThinkTime | undefined, steps: number): number {
  return (steps - 1) * meanPauseSeconds(thinkTime);
}
