import { describe, expect, it } from 'vitest';
import { levelAxis, thinOutTicks } from './levels.ts';

const makeAxis = (...numbers: number[]) => levelAxis({ categories: numbers.map(String), numbers });

describe('levelAxis', () => {
  it('positions numbers by value: 30 is twice as far from 10 as 20 is', () => {
    const axis = makeAxis(10, 20, 30);
    expect(axis.isLogarithmic).toBe(false);
    expect(axis.shareOf(2) - axis.shareOf(0)).toBeCloseTo(2 * (axis.shareOf(1) - axis.shareOf(0)), 10);
    expect(axis.ticks[0]).toEqual({ label: '0', share: 0 });
  });

  it('uses a logarithmic scale for levels that grow by a factor', () => {
    const axis = makeAxis(1, 2, 4, 64);
    expect(axis.isLogarithmic).toBe(true);
    expect(axis.shareOf(2) - axis.shareOf(1)).toBeCloseTo(axis.shareOf(1) - axis.shareOf(0), 10);
    expect(axis.ticks.map(({ label }) => label)).toEqual(['1', '2', '5', '10', '20', '50', '100']);
  });

  it('spaces names evenly', () => {
    const axis = levelAxis({ categories: ['a', 'b', 'c'], numbers: null });
    expect(axis.ticks).toEqual([
      { label: 'a', share: 0 },
      { label: 'b', share: 0.5 },
      { label: 'c', share: 1 },
    ]);
  });
});

it('thinOutTicks: leaves out overlapping labels', () => {
  const { ticks } = makeAxis(1, 2, 4, 64);
  expect(thinOutTicks(ticks, 60, 6, 8).map(({ label }) => label)).toEqual(['1', '5', '20']);
});
