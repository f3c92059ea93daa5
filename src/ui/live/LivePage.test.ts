import { describe, expect, it } from 'vitest';
import { axisEnd } from './LivePage.tsx';

describe('axisEnd', () => {
  it('returns the planned end from the first second on', () => {
    expect([1, 61, 330].map((elapsed) => axisEnd(elapsed, 330))).toEqual([330, 330, 330]);
  });

  it('grows in steps if there is no planned end, or after the planned end', () => {
    expect([1, 61, 290].map((elapsed) => axisEnd(elapsed, null))).toEqual([60, 120, 300]);
    expect(axisEnd(340, 330)).toBe(600);
    expect(axisEnd(100_000, null)).toBe(172_800);
  });
});
