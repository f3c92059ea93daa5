import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTo, profileShape, ticksTo } from './LoadPreview.tsx';

const part = (fromSecond: number, toSecond: number | null, level: number) => ({
  stage: 's',
  counted: true,
  fromSecond,
  toSecond,
  level,
  toLevel: level,
  unit: 'connections' as const,
});

describe('profileShape', () => {
  it('keeps the times in the plan', () => {
    const shape = profileShape([part(0, 30, 10), part(30, 330, 200)]);
    expect(shape).toMatchObject({ endSecond: 330, highest: 200, isTimed: true });
    expect(shape.parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 30],
      [30, 330],
    ]);
  });

  it('gives a part that ends after a number of requests a default width, and marks that part as open', () => {
    const shape = profileShape([part(0, 10, 5), part(10, null, 50)]);
    expect(shape.isTimed).toBe(false);
    expect(shape.parts[1]).toMatchObject({ from: 10, to: 20, isOpen: true });
  });

  it('returns the span of each stage, and includes the ends of ramps in the maximum', () => {
    const shape = profileShape([{ ...part(0, 10, 0), toLevel: 80 }, part(10, 30, 20), { ...part(30, 40, 5), stage: 'after' }]);
    expect(shape.highest).toBe(80);
    expect(shape.stages).toEqual([
      { name: 's', from: 0, to: 30 },
      { name: 'after', from: 30, to: 40 },
    ]);
  });

  it('returns an empty shape for an empty profile', () => {
    expect(profileShape([])).toEqual({ parts: [], stages: [], unit: 'connections', endSecond: 0, highest: 0, isTimed: true });
  });
});

describe('axisTo', () => {
  it.each([
    [50, [0, 20, 40, 60]],
    [60, [0, 20, 40, 60]],
    [1, [0, 1]],
  ])('covers %d', (highest, ticks) => {
    expect(axisTo(highest, 4)).toEqual(ticks);
  });
});

describe('ticksTo', () => {
  it('returns at most the requested number of even steps, and ends less than one step below the highest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 2, max: 10 }), (highest, most) => {
        const ticks = ticksTo(highest, most);
        const step = ticks[1] ?? Infinity;
        expect(ticks[0]).toBe(0);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const [index, tick] of ticks.entries()) expect(tick).toBe(index * (index === 0 ? 0 : step));
        expect(highest - (ticks.at(-1) ?? 0)).toBeLessThan(step);
      }),
    );
  });
});
