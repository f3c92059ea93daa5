import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clockOffset } from './clockOffset.ts';

it('is never further from the truth than it says, wherever the delay lies', () => {
  const delays = fc.double({ min: 0, max: 1_000, noNaN: true });
  const trips = fc.array(fc.record({ there: delays, back: delays }), { minLength: 1, maxLength: 20 });
  const truths = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(trips, truths, (all, aheadMs) => {
      const readings = all.map(({ there, back }, number) => {
        const askedMs = number * 10_000;
        return { askedMs, answeredMs: askedMs + there + back, thereMs: askedMs + there + aheadMs };
      });
      const offset = clockOffset(readings);
      if (offset === null) throw new Error('not known');
      expect(Math.abs(offset.aheadMs - aheadMs)).toBeLessThanOrEqual(offset.errorMs + 1e-6);
      expect(offset.roundTripMs).toBeCloseTo(Math.min(...all.map(({ there, back }) => there + back)), 6);
    }),
  );
});

it('is not known when nothing was read', () => {
  expect(clockOffset([])).toBeNull();
});
