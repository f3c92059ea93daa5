import { describe, expect, it } from 'vitest';
import { uslIntervals } from './intervals.ts';
import { CURVE_KINDS, curvesTrue } from './testing/drawnCurves.ts';
import { uslRate } from './usl.ts';

/** Of 150 with 95 %, 134 or fewer hold the truth once in 300 times; `npm run bench -- coverage --only curves` makes 1,000. */
const SETS = 150;
const LEAST_TRUE = 0.9;

describe('the intervals of what a server can do', () => {
  it.each(CURVE_KINDS.map((kind) => [kind.name, kind] as const))('each hold the truth in 95 of 100: %s', (_, kind) => {
    const found = curvesTrue(kind, SETS, 1);
    expect(found.size).toBeGreaterThan(0);
    for (const [name, share] of found) expect(share, name).toBeGreaterThanOrEqual(LEAST_TRUE);
  });

  it('have no end where the curve may never fall', () => {
    const truth = { lambda: 100, sigma: 0.15, kappa: 1e-6 };
    const points = [1, 2, 4, 8, 16, 32, 64].map((at, index) => ({ at, perSecond: uslRate(truth, at) * (index % 2 === 0 ? 1.02 : 0.98) }));
    const { kappa, peakAt } = uslIntervals(points, truth);
    expect(kappa.low).toBe(0);
    expect(peakAt?.high).toBeNull();
  });

  it('are as narrow as the levels are near the curve', () => {
    const truth = { lambda: 100, sigma: 0.05, kappa: 0.001 };
    const points = [1, 2, 4, 8, 16, 32, 64].map((at) => ({ at, perSecond: uslRate(truth, at) }));
    const { sigma } = uslIntervals(points, truth);
    expect((sigma.high ?? 1) - sigma.low).toBeLessThan(1e-6);
  });
});
