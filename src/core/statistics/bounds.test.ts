import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, inverseIncompleteBeta, logGamma } from './beta.ts';
import { leastRequests, shareBounds } from './bounds.ts';
import { missedFrom } from './missedFrom.ts';

/** Probability of at most `k` of `n` by adding up the binomial distribution: slow, and right by construction. */
function binomialUpTo(k: number, n: number, share: number): number {
  let sum = 0;
  let logChoices = 0;
  for (let i = 0; i <= k; i += 1) {
    if (i > 0) logChoices += Math.log((n - i + 1) / i);
    sum += Math.exp(logChoices + i * Math.log(share) + (n - i) * Math.log1p(-share));
  }
  return sum;
}

describe('the beta function', () => {
  it('knows factorials and the half', () => {
    expect(logGamma(6)).toBeCloseTo(Math.log(120), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    // Γ(¼) = 3.6256099082219081 (DLMF 5.4), below the half by reflection.
    expect(logGamma(0.25)).toBeCloseTo(Math.log(3.625609908221908), 12);
    expect([incompleteBeta(2, 3, 0), incompleteBeta(2, 3, 1), incompleteBeta(2, 3, -1), incompleteBeta(2, 3, 2)]).toEqual([0, 1, 0, 1]);
  });

  it('is the tail of the binomial distribution (Abramowitz & Stegun 26.5.24)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.double({ min: 0.001, max: 0.999, noNaN: true }), (n, draw, share) => {
        const k = draw % n;
        expect(1 - incompleteBeta(k + 1, n - k, share)).toBeCloseTo(binomialUpTo(k, n, share), 8);
      }),
    );
  });

  it('is turned round by its inverse, also for a thousand million requests', () => {
    for (const [a, b] of [
      [1, 1],
      [3.5, 200.25],
      [12_001, 1_000_000],
      [1e6, 1e9],
    ] as const) {
      for (const probability of [0.05, 0.5, 0.95]) {
        expect(incompleteBeta(a, b, inverseIncompleteBeta(a, b, probability))).toBeCloseTo(probability, 5);
      }
    }
  });
});

describe('the bounds of a share', () => {
  it('are the published ones of Clopper and Pearson', () => {
    // Two-sided 95 % limits are one-sided 97.5 % ones: 1 of 10 → 0.25–44.5 %, 5 of 50 → 3.33–21.8 %, 0 of 20 → 0–16.8 %.
    expect(shareBounds(1, 10, 0.975).low).toBeCloseTo(0.0025, 4);
    expect(shareBounds(1, 10, 0.975).high).toBeCloseTo(0.445, 3);
    expect(shareBounds(5, 50, 0.975).low).toBeCloseTo(0.0333, 4);
    expect(shareBounds(5, 50, 0.975).high).toBeCloseTo(0.2181, 4);
    expect(shareBounds(0, 20, 0.975)).toEqual({ low: 0, high: expect.closeTo(0.1684, 4) as number });
    expect(shareBounds(20, 20, 0.975).high).toBe(1);
  });

  it('lie where the exact tails are 5 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), fc.nat(), (n, draw) => {
        const k = 1 + (draw % (n - 1));
        const { low, high } = shareBounds(k, n);
        expect(binomialUpTo(k, n, high)).toBeCloseTo(0.05, 6);
        expect(1 - binomialUpTo(k - 1, n, low)).toBeCloseTo(0.05, 6);
        expect(low).toBeLessThan(k / n);
        expect(high).toBeGreaterThan(k / n);
      }),
    );
  });

  it('say that a share can be anything where nothing was counted', () => {
    expect(shareBounds(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('the least number of requests', () => {
  it('is 59 for p95, 299 for p99, 2,995 for p99.9 and about 3/e for an error limit', () => {
    expect([0.05, 0.01, 0.001].map(leastRequests)).toEqual([59, 299, 2_995]);
    expect([0, -0.1].map(leastRequests)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    // Whatever may be over the limit all the time holds with the first request; one in two takes five to be surprised by (0.5⁵ < 5 %).
    expect([1, 2, 0.5, 0.95].map(leastRequests)).toEqual([1, 1, 5, 1]);
  });

  it('is where the bound of none first fits', () => {
    for (const allowance of [0.2, 0.05, 0.013, 0.001]) {
      const least = leastRequests(allowance);
      expect(shareBounds(0, least).high).toBeLessThanOrEqual(allowance);
      expect(shareBounds(0, least - 1).high).toBeGreaterThan(allowance);
    }
  });
});

describe('the second from which a limit was missed', () => {
  it('is the turning point, not the first odd second', () => {
    const amounts = [-5, 3, -5, -5, 8, 9, -1, 9, 8];
    expect(missedFrom(amounts.map((amount, second) => ({ second, amount })))).toBe(4);
    expect(
      missedFrom([
        { second: 3, amount: 2 },
        { second: 4, amount: 2 },
      ]),
    ).toBe(3);
    expect(missedFrom([])).toBe(null);
    // Seconds that miss as much as they are allowed leave the sum as it is: the first of them.
    expect(missedFrom([4, -4, 3].map((amount, second) => ({ second, amount })))).toBe(0);
    expect(missedFrom([3, -4, 3].map((amount, second) => ({ second, amount })))).toBe(2);
  });
});
