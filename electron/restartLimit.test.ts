import fc from 'fast-check';
import { expect, it } from 'vitest';
import { restartLimit } from './restartLimit.ts';

it('allows three starts in a minute and again when the first is a minute old', () => {
  const may = restartLimit(3, 60_000);
  expect([0, 10, 20].map(may)).toEqual([true, true, true]);
  expect(may(59_999)).toBe(false);
  expect(may(60_000)).toBe(true);
  expect(may(60_001)).toBe(false);
  expect(may(60_010)).toBe(true);
});

it('never allows more than the limit within any window', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (pauses, most) => {
      const may = restartLimit(most, 10_000);
      let now = 0;
      const starts: number[] = [];
      for (const pause of pauses) {
        now += pause;
        if (may(now)) starts.push(now);
      }
      for (const start of starts)
        expect(starts.filter((other) => other >= start && other < start + 10_000).length).toBeLessThanOrEqual(most);
    }),
  );
});
