import { describe, expect, it } from 'vitest';
import { levelWords } from './levelWords.ts';

describe('levelWords', () => {
  it.each([
    ['connections', 50, 50, 50, '50 at once'],
    ['users', 1_500, 1_500, 1_500, '1,500 users'],
    ['arrivalsPerSecond', 50, 50, 50, '50/s'],
    ['arrivalsPerSecond', 10, 50, 50, '10 → 50/s'],
    ['arrivalsPerSecond', 5, 5, 100, '5 → 100 → 5/s'],
    ['arrivalsPerSecond', 0, 0, 0, '0/s'],
  ] as const)('says %s from %d to %d, at most %d', (unit, from, to, highest, text) => {
    expect(levelWords({ unit, from, to, highest })).toBe(text);
  });
});
