import type { BellResult } from '../bells.ts';

/**
 * Returns a bell for which 120 users waited. Twelve are served in each tenth of the first second, except two, which fail in its last tenth.
 */
export function sampleBell(changes: Partial<BellResult> = {}): BellResult {
  return {
    bell: 'start',
    step: 'start the exam',
    atSecond: 60,
    expected: 120,
    waited: 120,
    late: 0,
    absent: 0,
    startP99Ms: 4,
    startMaxMs: 5,
    served: 118,
    failed: 2,
    unfinished: 0,
    reloaded: 7,
    servedWithin: [
      { seconds: 1, users: 118 },
      { seconds: 5, users: 118 },
      { seconds: 15, users: 118 },
    ],
    lastServedMs: 990,
    p50Ms: 500,
    p95Ms: 950,
    opening: Array.from({ length: 100 }, (_, tenth) => ({ served: tenth < 9 ? 12 : tenth === 9 ? 10 : 0, failed: tenth === 9 ? 2 : 0 })),
    ...changes,
  };
}
