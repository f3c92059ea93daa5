import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { syntheticReading } from '../testing/windows.ts';
import { FOLD_LEVELS, listDueFolds, reduceReadings, worstReading } from './folding.ts';

describe('listDueFolds', () => {
  it('covers every old second of a run exactly once at each level', () => {
    const lastSecond = 7 * 3_600;
    for (const { width, afterSeconds } of FOLD_LEVELS) {
      const ranges = Array.from({ length: lastSecond + 1 }, (_, second) => listDueFolds(second))
        .flat()
        .filter((range) => range.width === width);
      let covered = 0;
      for (const { from, to } of ranges) {
        expect(from).toBe(covered);
        expect(to - from).toBe(width);
        covered = to;
      }
      expect(covered).toBe(Math.floor((lastSecond - afterSeconds) / width) * width);
    }
  });
});

describe('worstReading', () => {
  it('is at least as bad as each reading, in any order', () => {
    const readings = fc
      .array(fc.nat(10_000), { minLength: 1, maxLength: 20 })
      .map((seconds) => seconds.map((second) => syntheticReading(second)));
    fc.assert(
      fc.property(readings, (list) => {
        const [first, ...others] = list;
        if (!first) return;
        const worst = worstReading(first, others);
        expect(worst.threadCpu).toBe(Math.max(...list.map(({ threadCpu }) => threadCpu ?? 0)));
        expect(worst.scheduleLagMs).toBeNull();
      }),
    );
  });

  it('returns every known value, and the causes of all readings', () => {
    const unknown = { ...syntheticReading(0, ['steal']), threadCpu: null };
    const known = { ...syntheticReading(1, ['noPort']), threadCpu: 0.5 };
    expect(worstReading(unknown, [known])).toMatchObject({ second: 0, threadCpu: 0.5, overloadedBy: ['steal', 'noPort'] });
  });
});

describe('reduceReadings', () => {
  it('keeps at most the requested number of readings, including the peak', () => {
    const readings = Array.from({ length: 1_001 }, (_, second) => ({ ...syntheticReading(second), steal: second === 777 ? 0.9 : 0 }));
    const reduced = reduceReadings(readings, 100);
    expect(reduced.length).toBeLessThanOrEqual(100);
    expect(Math.max(...reduced.map(({ steal }) => steal ?? 0))).toBe(0.9);
    expect(reduceReadings(readings, 5_000)).toEqual(readings);
  });
});
