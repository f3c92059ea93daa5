import { describe, expect, it } from 'vitest';
import { uniformAt } from './uniformAt.ts';

const BINS = 64;
const DRAWS = 64_000;

/** Returns Σ (observed − expected)² / expected over the bins, which is about BINS − 1 ± √(2·BINS) for a uniform distribution. */
function chiSquare(values: Iterable<number>): number {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const value of values) bins[Math.floor(value * BINS)] = (bins[Math.floor(value * BINS)] ?? 0) + 1;
  const expected = DRAWS / BINS;
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('uniformAt', () => {
  it.each([0, 1, 2, 4_294_967_295])('is uniform over indexes for seed %i', (seed) => {
    const values = Array.from({ length: DRAWS }, (_, index) => uniformAt(seed, index));
    expect(chiSquare(values)).toBeLessThan(63 + 5 * Math.sqrt(126));
    expect(chiSquare(values)).toBeGreaterThan(63 - 5 * Math.sqrt(126));
  });

  it('is uniform over seeds', () => {
    expect(chiSquare(Array.from({ length: DRAWS }, (_, seed) => uniformAt(seed, 5)))).toBeLessThan(63 + 5 * Math.sqrt(126));
  });

  it('returns uncorrelated values for neighbouring indexes', () => {
    let sum = 0;
    for (let index = 0; index < DRAWS; index += 1) sum += (uniformAt(3, index) - 0.5) * (uniformAt(3, index + 1) - 0.5);
    // The product of two independent centred uniforms has variance 1/144.
    expect(Math.abs(sum / DRAWS)).toBeLessThan(5 / Math.sqrt(144 * DRAWS));
  });

  it('stays inside (0, 1), even for indexes beyond 32 bits', () => {
    for (let index = 0; index < 10_000; index += 1) {
      const value = uniformAt(9, index * 900_000_000_001);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1);
    }
    expect(uniformAt(9, 4_294_967_296)).not.toBe(uniformAt(9, 0));
  });

  it('returns fixed values on every machine', () => {
    // The numbers come from an independent program, whose finalizer maps 1 to 0x514e28b7, as published for MurmurHash3.
    expect(uniformAt(1, 0)).toBe(0.8346377992940346);
    expect(uniformAt(9, 4_294_967_301)).toBe(0.39800745673752863);
  });
});
