import { describe, expect, it } from 'vitest';
import { uslIntervals, uslRate } from './usl.ts';
import { CURVE_KINDS, correctCurveShares } from './testing/drawnCurves.ts';

/**
 * Number of drawn sets. If intervals cover the true value with 95 % confidence, at most 134 of 150 do so once in 300 cases. `npm run bench
 * -- coverage --only curves` draws 1,000.
 */
const SET_COUNT = 150;
const MIN_CORRECT_SHARE = 0.9;

describe('uslIntervals', () => {
  it.each(CURVE_KINDS.map((kind) => [kind.name, kind] as const))('cover the true value in 95 % of cases: %s', (_, kind) => {
    const found = correctCurveShares(kind, SET_COUNT, 1);
    expect(found.size).toBeGreaterThan(0);
    for (const [name, share] of found) expect(share, name).toBeGreaterThanOrEqual(MIN_CORRECT_SHARE);
  });

  it('are unbounded if the curve may never fall', () => {
    const truth = { lambda: 100, sigma: 0.15, kappa: 1e-6 };
    const points = [1, 2, 4, 8, 16, 32, 64].map((at, index) => ({ at, perSecond: uslRate(truth, at) * (index % 2 === 0 ? 1.02 : 0.98) }));
    const { kappa, peakAt } = uslIntervals(points, truth);
    expect(kappa.low).toBe(0);
    expect(peakAt?.high).toBeNull();
  });

  it('are practically zero-width if all points lie on the curve', () => {
    const truth = { lambda: 100, sigma: 0.05, kappa: 0.001 };
    const points = [1, 2, 4, 8, 16, 32, 64].map((at) => ({ at, perSecond: uslRate(truth, at) }));
    const { sigma } = uslIntervals(points, truth);
    expect((sigma.high ?? 1) - sigma.low).toBeLessThan(1e-6);
  });
});
