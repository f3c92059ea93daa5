import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, inverseIncompleteBeta, minRequests, logGamma, shareBounds } from './bounds.ts';
import { findFailingSecond } from './latency.ts';

/** Returns the probability of at most `k` of `n` by summing the binomial distribution, which is slow and obviously right. */
function binomialUpTo(k: number, n: number, share: number): number {
  let sum = 0;
  let logChoices = 0;
  for (let i = 0; i <= k; i += 1) {
    if (i > 0) logChoices += Math.log((n - i + 1) / i);
    sum += Math.exp(logChoices + i * Math.log(share) + (n - i) * Math.log1p(-share));
  }
  return sum;
}

describe('beta function', () => {
  it('has the values of factorials and of Γ(½)', () => {
    expect(logGamma(6)).toBeCloseTo(Math.log(120), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    // Γ(¼) is 3.6256099082219081 (DLMF 5.4). Arguments below ½ use reflection.
    expect(logGamma(0.25)).toBeCloseTo(Math.log(3.625609908221908), 12);
    expect([incompleteBeta(2, 3, 0), incompleteBeta(2, 3, 1), incompleteBeta(2, 3, -1), incompleteBeta(2, 3, 2)]).toEqual([0, 1, 0, 1]);
  });

  it('equals the tail of the binomial distribution (Abramowitz & Stegun 26.5.24)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.double({ min: 0.001, max: 0.999, noNaN: true }), (n, draw, share) => {
        const k = draw % n;
        expect(1 - incompleteBeta(k + 1, n - k, share)).toBeCloseTo(binomialUpTo(k, n, share), 8);
      }),
    );
  });

  it('is inverted by inverseIncompleteBeta, even for 10⁹ requests', () => {
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

describe('shareBounds', () => {
  it('equal the published limits of Clopper and Pearson', () => {
    // Two-sided 95 % limits equal one-sided 97.5 % limits: 0.25–44.5 % for 1 of 10, 3.33–21.8 % for 5 of 50, and 0–16.8 % for 0 of 20.
    expect(shareBounds(1, 10, 0.975).low).toBeCloseTo(0.0025, 4);
    expect(shareBounds(1, 10, 0.975).high).toBeCloseTo(0.445, 3);
    expect(shareBounds(5, 50, 0.975).low).toBeCloseTo(0.0333, 4);
    expect(shareBounds(5, 50, 0.975).high).toBeCloseTo(0.2181, 4);
    expect(shareBounds(0, 20, 0.975)).toEqual({ low: 0, high: expect.closeTo(0.1684, 4) as number });
    expect(shareBounds(20, 20, 0.975).high).toBe(1);
  });

  it('have exact tails of 5 %', () => {
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

  it('are 0 to 1 if nothing was counted', () => {
    expect(shareBounds(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('minRequests', () => {
  it('is 59 for p95, 299 for p99, 2,995 for p99.9 and about 3/e for an error rate e', () => {
    expect([0.05, 0.01, 0.001].map(minRequests)).toEqual([59, 299, 2_995]);
    expect([0, -0.1].map(minRequests)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    // An allowance of 100 % passes with one request, and an allowance of 50 % needs five (0.5⁵ < 5 %).
    expect([1, 2, 0.5, 0.95].map(minRequests)).toEqual([1, 1, 5, 1]);
  });

  it('is the smallest number whose bound is within the allowance', () => {
    for (const allowance of [0.2, 0.05, 0.013, 0.001]) {
      const least = minRequests(allowance);
      expect(shareBounds(0, least).high).toBeLessThanOrEqual(allowance);
      expect(shareBounds(0, least - 1).high).toBeGreaterThan(allowance);
    }
  });
});

describe('findFailingSecond', () => {
  it('finds the turning point, not the first failure', () => {
    const amounts = [-5, 3, -5, -5, 8, 9, -1, 9, 8];
    expect(findFailingSecond(amounts.map((amount, second) => ({ second, amount })))).toBe(4);
    expect(
      findFailingSecond([
        { second: 3, amount: 2 },
        { second: 4, amount: 2 },
      ]),
    ).toBe(3);
    expect(findFailingSecond([])).toBe(null);
    // Seconds whose excess adds up to 0 do not change the result: the first one counts.
    expect(findFailingSecond([4, -4, 3].map((amount, second) => ({ second, amount })))).toBe(0);
    expect(findFailingSecond([3, -4, 3].map((amount, second) => ({ second, amount })))).toBe(2);
  });
});
