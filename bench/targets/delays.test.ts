import { describe, expect, it } from 'vitest';
import { delaySampler, describeDelay, parseDelay, type Delay } from './delays.ts';

const drawDelays = (delay: Delay, count = 100_000): number[] => {
  const next = delaySampler(delay, 7);
  return Array.from({ length: count }, next);
};

describe('delays', () => {
  it('are parsed, and rejected if they are invalid', () => {
    expect(parseDelay('fixed:0')).toEqual({ kind: 'fixed', ms: 0 });
    expect(parseDelay('exponential:2.5')).toEqual({ kind: 'exponential', meanMs: 2.5 });
    expect(parseDelay('bimodal:10:100:0.05')).toEqual({ kind: 'bimodal', ms: 10, slowMs: 100, slowShare: 0.05 });
    for (const text of [
      '',
      'fixed',
      'fixed:',
      'fixed:-1',
      'fixed:1:2',
      'fixed:1e3',
      'fixed:99999',
      'exponential:0',
      'bimodal:1:2:3',
      'other:1',
    ]) {
      expect(parseDelay(text), text).toBeNull();
    }
  });

  it('have the distribution in their name', () => {
    expect(new Set(drawDelays({ kind: 'fixed', ms: 20 }))).toEqual(new Set([20]));
    const exponential = drawDelays({ kind: 'exponential', meanMs: 20 });
    expect(exponential.reduce((sum, each) => sum + each, 0) / exponential.length / 20).toBeCloseTo(1, 1);
    expect(exponential.filter((each) => each <= 20 * Math.LN2).length / exponential.length).toBeCloseTo(0.5, 1);
    const bimodal = drawDelays({ kind: 'bimodal', ms: 10, slowMs: 100, slowShare: 0.05 });
    expect(bimodal.filter((each) => each === 100).length / bimodal.length).toBeCloseTo(0.05, 2);
  });

  it('are the same for every generator', () => {
    expect(drawDelays({ kind: 'exponential', meanMs: 20 }, 100)).toEqual(drawDelays({ kind: 'exponential', meanMs: 20 }, 100));
  });

  it('are described in words', () => {
    expect(describeDelay({ kind: 'bimodal', ms: 10, slowMs: 100, slowShare: 0.05 })).toBe('10 ms, but 100 ms for 5 % of the requests');
  });
});
