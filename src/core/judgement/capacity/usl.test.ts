import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitUsl, uslPeak, uslRate } from './usl.ts';

const COUNTS = [1, 2, 4, 8, 16, 32, 64];

describe('fitUsl and uslPeak', () => {
  it('recover the parameters of a curve without noise', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 5_000, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        (lambda, sigma, kappa) => {
          const truth = { lambda, sigma, kappa };
          const found = fitUsl(COUNTS.map((at) => ({ at, perSecond: uslRate(truth, at) })));
          expect(found?.lambda).toBeCloseTo(lambda, 4);
          expect(found?.sigma).toBeCloseTo(sigma, 6);
          expect(found?.kappa).toBeCloseTo(kappa, 7);
        },
      ),
    );
  });

  it('never return negative parameters', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 1_000, noNaN: true }), { minLength: 7, maxLength: 7 }), (rates) => {
        const found = fitUsl(COUNTS.map((at, index) => ({ at, perSecond: rates[index] ?? 1 })));
        expect(found === null || (found.lambda > 0 && found.sigma >= 0 && found.kappa >= 0)).toBe(true);
      }),
    );
  });

  it('find the peak at √((1 − σ) / κ), and none without κ', () => {
    expect(uslPeak({ lambda: 90, sigma: 0.0277, kappa: 0.000_104 })).toBeCloseTo(96.7, 1);
    expect(uslPeak({ lambda: 90, sigma: 0.1, kappa: 0 })).toBeNull();
    expect(uslPeak({ lambda: 90, sigma: 0, kappa: 4 })).toBe(1);
    const usl = { lambda: 95, sigma: 0.02, kappa: 0.0005 };
    const peak = uslPeak(usl) ?? 0;
    expect(uslRate(usl, peak)).toBeGreaterThan(Math.max(uslRate(usl, peak * 0.9), uslRate(usl, peak * 1.1)));
  });

  it('need three different levels', () => {
    expect(fitUsl([1, 2, 2, 2].map((at) => ({ at, perSecond: 10 * at })))).toBeNull();
  });
});
