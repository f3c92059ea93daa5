import { describe, expect, it } from 'vitest';
import { levelWords, offeredShare } from './levelWords.ts';
import { arrivalsResult, sampleResult } from './testing/result.ts';

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

describe('offeredShare', () => {
  it('is the share of the due arrivals that were started', () => {
    const [warmUp, full] = arrivalsResult().stages.map(offeredShare);
    expect(warmUp).toBe(1);
    expect(full).toBeCloseTo(0.96, 4);
  });

  it('is not known for other models and for what was not reached', () => {
    expect(sampleResult().stages.map(offeredShare)).toEqual([null, null]);
    const [stage] = arrivalsResult().stages;
    if (!stage) throw new Error('no stage');
    expect(offeredShare({ ...stage, startedAtSecond: null })).toBeNull();
  });
});
