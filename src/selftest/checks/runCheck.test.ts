import { describe, expect, it } from 'vitest';
import { PAUSE, findThaw } from '../behaviours/registry.ts';
import { exactPercentileUs } from './runCheck.ts';

const MS = 1_000;

describe('findThaw', () => {
  it('delays only what is due during the freeze', () => {
    expect([0, 999, 1_000, 1_999, 2_000, 5_999, 6_000, 6_500].map((dueMs) => findThaw(dueMs * MS, PAUSE) / MS)).toEqual([
      0, 999, 2_000, 2_000, 2_000, 5_999, 7_000, 7_000,
    ]);
  });

  it('delays 1,000 arrivals in 5 s as calculated by hand', () => {
    // Responses are due 10 ms after arrival, so 200 are held, one every 5 ms from 990 ms on. The longest takes 1,010 ms, and the eleventh
    // longest takes 50 ms less.
    expect(exactPercentileUs(100)).toBe(1_010 * MS);
    expect(exactPercentileUs(99)).toBe(960 * MS);
    // 800 responses are not held. The shortest one that is held takes 15 ms.
    expect(exactPercentileUs(80)).toBe(10 * MS);
    expect(exactPercentileUs(80.1)).toBe(15 * MS);
  });
});
