import { describe, expect, it } from 'vitest';
import { heatScale } from './ChartTable.tsx';

describe('heatScale', () => {
  it('shades values above the median by their order of magnitude, up to the maximum', () => {
    const heat = heatScale([20, 20, 20, 200, 2_000, null]);
    expect([20, 2_000, null].map(heat)).toEqual([undefined, 1, undefined]);
    expect(heat(200)).toBeCloseTo(0.5, 1);
  });

  it('shades few seconds with errors among many seconds without errors', () => {
    expect([0, 9].map(heatScale([0, 0, 0, 9]))).toEqual([undefined, 1]);
  });

  it('does not shade a column without outliers', () => {
    expect([100, 103].map(heatScale([100, 103, 101]))).toEqual([undefined, undefined]);
    expect(heatScale([])(5)).toBeUndefined();
  });
});
