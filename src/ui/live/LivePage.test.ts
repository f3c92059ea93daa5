import { describe, expect, it } from 'vitest';
import { axisEnd } from './LivePage.tsx';

describe('axisEnd', () => {
  it('grows in steps up to the planned end', () => {
    expect([1, 61, 290].map((elapsed) => axisEnd(elapsed, 330))).toEqual([60, 120, 300]);
    expect(axisEnd(301, 330)).toBe(330);
  });

  it('holds what goes beyond the plan', () => {
    expect(axisEnd(340, 330)).toBe(600);
    expect(axisEnd(100_000, null)).toBe(172_800);
  });
});
