import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timesUs } from '#core/testing/arbitraries.ts';
import { addInto, decodeHistogram, encodeHistogram, createHistogram, createSum, record } from './histogram.ts';
import { addToRows, rowOf, startOfRowUs } from './timeRows.ts';

it('rowOf: begins rows at the same digits in each power of ten', () => {
  expect([rowOf(1), rowOf(9), rowOf(10), rowOf(1_000_000), rowOf(3_600_000_000)]).toEqual([0, 5, 6, 36, 57]);
  expect([startOfRowUs(0), startOfRowUs(6), startOfRowUs(36)]).toEqual([1, 10, 1_000_000]);
});

it('addToRows: counts every time once, in the row of its bucket', () => {
  fc.assert(
    fc.property(fc.array(timesUs, { minLength: 1, maxLength: 20 }), (windows) => {
      const sum = createSum();
      const expected = new Map<number, number>();
      for (const times of windows) {
        const window = createHistogram();
        for (const timeUs of times) {
          record(window, timeUs);
          const row = rowOf(Math.max(1, window.lowestEquivalentValue(Math.max(1, timeUs))));
          expected.set(row, (expected.get(row) ?? 0) + 1);
        }
        addInto(sum, decodeHistogram(encodeHistogram(window)));
        addInto(sum, createHistogram());
      }
      const rows = new Map<number, number>();
      addToRows(rows, sum);
      expect([...rows].toSorted()).toEqual([...expected].toSorted());
    }),
  );
});
