import { describe, expect, it } from 'vitest';
import type { Between } from './intervals.ts';
import { scalingOf } from './scaling.ts';
import { measuredLevels } from './testing/levels.ts';
import { uslPeak, uslRate, type Usl } from './usl.ts';

const COUNTS = [1, 2, 4, 8, 16, 24, 32, 48, 64];
const SERVERS: readonly Usl[] = [
  { lambda: 100, sigma: 0.05, kappa: 0.001 },
  { lambda: 40, sigma: 0.02, kappa: 0.0005 },
  { lambda: 100, sigma: 0.1, kappa: 0.004 },
];
const RUNS = 60;

describe('the intervals of a scalability curve', () => {
  it.each(SERVERS.map((usl) => [`σ ${usl.sigma}, κ ${usl.kappa}`, usl] as const))('hold the truth in 95 of 100: %s', (_, truth) => {
    const held: boolean[] = [];
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const scaling = scalingOf(measuredLevels((at) => uslRate(truth, at), COUNTS, 0.02, 2, seed));
      if (scaling.kind !== 'curve') continue;
      const { lambda, sigma, kappa, peakAt } = scaling.intervals;
      held.push(holds(lambda, truth.lambda), holds(sigma, truth.sigma), holds(kappa, truth.kappa));
      if (peakAt !== null) held.push(holds(peakAt, uslPeak(truth)));
    }
    expect(held.length).toBeGreaterThan(3 * RUNS - 10);
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(0.95);
  });
});

function holds({ low, high }: Between, value: number | null): boolean {
  return value !== null && value >= low && (high === null || value <= high);
}
