import { describe, expect, it } from 'vitest';
import { PAUSE, findThaw } from '../behaviours/registry.ts';
import { exactPercentileUs } from './runCheck.ts';

const MS = 1_000;

describe('findThaw', () => {
  it('delays what is due in the freeze, and nothing else', () => {
    expect([0, 999, 1_000, 1_999, 2_000, 5_999, 6_000, 6_500].map((dueMs) => findThaw(dueMs * MS, PAUSE) / MS)).toEqual([
      0, 999, 2_000, 2_000, 2_000, 5_999, 7_000, 7_000,
    ]);
  });

  it('delays 1,000 arrivals in 5 s as calculated by hand', () => {
    // Due 10 ms after arrival, 200 are held, every 5 ms from 990 ms on: the longest takes 1,010 ms, the eleventh longest 50 ms less.
    expect(exactPercentileUs(100)).toBe(1_010 * MS);
    expect(exactPercentileUs(99)).toBe(960 * MS);
    // 800 are not held; the shortest held one takes 15 ms.
    expect(exactPercentileUs(80)).toBe(10 * MS);
    expect(exactPercentileUs(80.1)).toBe(15 * MS);
  });
});
