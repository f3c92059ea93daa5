import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { makeHistogram, timesUs, timeUs } from '#core/testing/arbitraries.ts';
import { MAX_VALUE_US, lowestUsOf } from './buckets.ts';
import { ByteWriter } from './bytes.ts';
import {
  addInto,
  countAbove,
  decodeHistogram,
  encodeHistogram,
  createHistogram,
  createTotalHistogram,
  percentileRank,
  emptyLike,
  forEachUsed,
  createSum,
  record,
  recordMany,
  valueAtRank,
  subtractHistograms,
  type Histogram,
} from './histogram.ts';
import { SparseHistogram } from './sparseHistogram.ts';
import { summarize } from './latency.ts';

const bytesOf = (histogram: Histogram): string => [...encodeHistogram(histogram)].join(' ');

function merged(...histograms: Histogram[]): Histogram {
  const sum = createHistogram();
  for (const histogram of histograms) addInto(sum, histogram);
  return sum;
}

describe('figures of a histogram', () => {
  it('include percentiles within 0.1 % of the sorted values, and the exact minimum, maximum and count', () => {
    fc.assert(
      fc.property(
        fc.array(timeUs, { minLength: 1, maxLength: 400 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (values, percentile) => {
          const histogram = makeHistogram(values);
          const sorted = [...values].sort((a, b) => a - b);
          const rank = percentileRank(percentile, sorted.length);
          const exact = sorted[rank - 1] ?? Number.NaN;
          const found = valueAtRank(histogram, rank);
          expect(found).toBeGreaterThanOrEqual(exact);
          expect(found).toBeLessThanOrEqual(exact * 1.001);
          expect([histogram.totalCount, histogram.minNonZeroValue, histogram.maxValue]).toEqual([sorted.length, sorted[0], sorted.at(-1)]);
        },
      ),
    );
  });

  it('count values above a limit, exact to within 0.1 % of the limit', () => {
    fc.assert(
      fc.property(timesUs, timeUs, (values, limit) => {
        const found = countAbove(makeHistogram(values), limit);
        expect(found).toBeLessThanOrEqual(values.filter((value) => value > limit).length);
        expect(found).toBeGreaterThanOrEqual(values.filter((value) => value > limit * 1.001).length);
      }),
    );
  });

  it('count values above a limit that is below, between and above all values', () => {
    const histogram = makeHistogram([100, 200, 300_000]);
    expect([50, 100, 150, 200, 299_000, 300_000, 1e12].map((limit) => countAbove(histogram, limit))).toEqual([3, 2, 2, 1, 1, 0, 0]);
    expect(countAbove(createHistogram(), 5)).toBe(0);
  });
});

describe('record', () => {
  it('clamps to 1 µs and 1 h, and rounds fractions', () => {
    const histogram = makeHistogram([-5, 0, 0.2, 1.6, MAX_VALUE_US + 1, Number.POSITIVE_INFINITY]);
    expect([histogram.minNonZeroValue, histogram.maxValue, histogram.totalCount]).toEqual([1, MAX_VALUE_US, 6]);
    expect(countAbove(histogram, 1)).toBe(3);
  });

  it('uses the same buckets as the HdrHistogram library', () => {
    fc.assert(
      fc.property(timeUs, (value) => {
        const [histogram, library] = [makeHistogram([value]), createHistogram()];
        library.recordValue(value);
        expect(bytesOf(histogram)).toBe(bytesOf(library));
      }),
    );
    for (let power = 0; power < 32; power += 1) {
      for (const value of [2 ** power - 1, 2 ** power, 2 ** power + 1].filter((near) => near >= 1 && near <= MAX_VALUE_US)) {
        expect(makeHistogram([value]).getCountAtIndex(createHistogram().countsArrayIndex(value))).toBe(1);
      }
    }
  });

  it('rejects NaN instead of counting it as fast', () => {
    expect(() => record(createHistogram(), Number.NaN)).toThrow(RangeError);
  });
});

describe('recordMany', () => {
  it('gives the same histogram as recording single times, rounded and clamped to the range from 1 µs to 1 h', () => {
    for (const [valueUs, single] of [
      [7.6, 8],
      [0, 1],
      [3_000_000.2, 3_000_000],
      [5e9, MAX_VALUE_US],
    ] as const) {
      const [many, one] = [createHistogram(), createHistogram()];
      recordMany(many, valueUs, 3);
      for (let time = 0; time < 3; time += 1) record(one, single);
      expect(bytesOf(many)).toBe(bytesOf(one));
    }
  });
});

describe('subtractHistograms', () => {
  const used = (histogram: Histogram) => {
    const found: [number, number][] = [];
    forEachUsed(histogram, (index, count) => found.push([lowestUsOf(index), count]));
    return found;
  };

  it('returns the times that are not in the parts, even beyond their range', () => {
    const whole = makeHistogram([10, 10, 10, 200, 2_000_000]);
    expect(used(subtractHistograms(whole, [makeHistogram([10]), makeHistogram([10, 200])]))).toEqual([
      [10, 1],
      [expect.closeTo(2_000_000, -4), 1],
    ]);
    expect(subtractHistograms(whole, [])).toBe(whole);
    expect(subtractHistograms(makeHistogram([5]), [makeHistogram([5])]).totalCount).toBe(0);
  });

  it('clamps the remaining times to 1 h', () => {
    expect(subtractHistograms(makeHistogram([5, MAX_VALUE_US]), [makeHistogram([5])]).maxValue).toBeLessThanOrEqual(MAX_VALUE_US);
  });
});

describe('addInto', () => {
  it('gives the same counts in any order and grouping', () => {
    fc.assert(
      fc.property(timesUs, timesUs, timesUs, (a, b, c) => {
        const [x, y, z] = [makeHistogram(a), makeHistogram(b), makeHistogram(c)];
        const whole = bytesOf(makeHistogram([...a, ...b, ...c]));
        expect(bytesOf(merged(x, merged(y, z)))).toBe(whole);
        expect(bytesOf(merged(merged(z, x), y))).toBe(whole);
      }),
    );
  });

  it('leaves its source unchanged', () => {
    const source = makeHistogram([5, 500_000_000]);
    const before = bytesOf(source);
    addInto(createHistogram(), source);
    expect(bytesOf(source)).toBe(before);
  });

  it('adds sums into a sparse sum, and recorded times into an array', () => {
    expect(emptyLike(createSum())).toBeInstanceOf(SparseHistogram);
    expect(emptyLike(createHistogram())).not.toBeInstanceOf(SparseHistogram);
    expect([emptyLike(makeHistogram([5])).totalCount, emptyLike(createSum()).totalCount]).toEqual([0, 0]);
  });

  it('keeps counts beyond 32 bits exact in a total', () => {
    const window = createHistogram();
    window.recordValueWithCount(1_234, 4_000_000_000);
    const total = createTotalHistogram();
    for (let index = 0; index < 3; index += 1) addInto(total, window);
    expect(total.totalCount).toBe(12_000_000_000);
    expect(countAbove(total, 1_000)).toBe(12_000_000_000);
  });
});

describe('encodeHistogram and decodeHistogram', () => {
  it('restore an identical histogram', () => {
    fc.assert(
      fc.property(timesUs, (values) => {
        const histogram = makeHistogram(values);
        const back = decodeHistogram(encodeHistogram(histogram));
        expect(bytesOf(back)).toBe(bytesOf(histogram));
        expect(summarize(back)).toEqual(summarize(histogram));
      }),
    );
  });

  it('reject bytes that the encoder cannot have written, without other errors', () => {
    const refused = (bytes: Uint8Array): boolean => {
      try {
        decodeHistogram(bytes);
        return false;
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(HoldfastError);
        return true;
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void refused(bytes)));
    const good = encodeHistogram(makeHistogram([10, 20, 3_000]));
    expect(refused(good.subarray(0, -1))).toBe(true);
    expect(refused(Uint8Array.from([...good, 0]))).toBe(true);
    expect(refused(new Uint8Array())).toBe(true);
    expect(refused(Uint8Array.from({ length: 30 }, () => 255))).toBe(true);
  });

  it('reject a wrong bucket count, minimum, maximum, gap or count', () => {
    const decoded = (...numbers: number[]): string | number => {
      const writer = new ByteWriter();
      for (const number of numbers) writer.unsigned(number);
      try {
        return decodeHistogram(writer.bytes()).totalCount;
      } catch (thrown) {
        return thrown instanceof HoldfastError ? thrown.code : 'fault';
      }
    };
    expect([...encodeHistogram(makeHistogram([10, 12, 12, 13]))]).toEqual([3, 10, 13, 1, 0, 1, 2, 1]);
    expect(decoded(3, 10, 13, 1, 0, 1, 2, 1)).toBe(4);
    expect(decoded(1, 1, 1, 5)).toBe(5);
    expect(decoded(1, MAX_VALUE_US, MAX_VALUE_US, 0xff_ff_ff_ff)).toBe(0xff_ff_ff_ff);
    for (const damaged of [
      [1, 0, 1, 5],
      [1, MAX_VALUE_US, MAX_VALUE_US + 1, 5],
      [1, 13, 10, 5],
      // There is one bucket, which holds the minimum but not the maximum.
      [1, 10, 13, 5],
      // In the first case, a gap leads beyond the maximum; in the second, the last bucket is below it.
      [2, 10, 13, 3, 1, 1],
      [2, 10, 13, 1, 1, 1],
      [2, 10, 13, 2, 1, 0],
      [1, 10, 10, 0x1_00_00_00_00],
    ])
      expect(decoded(...damaged), damaged.join(' ')).toBe('DATA_DAMAGED');
  });
});

describe('summarize', () => {
  it('uses the nearest rank without floating-point error', () => {
    expect(percentileRank(99.9, 1_000)).toBe(999);
    expect(percentileRank(95, 20)).toBe(19);
    expect(percentileRank(0, 20)).toBe(1);
    expect(percentileRank(100, 7)).toBe(7);
  });

  it('reports "never" for a percentile that falls on a request without a response', () => {
    const summary = summarize(makeHistogram(Array.from({ length: 95 }, () => 10_000)), 5);
    expect(summary).toMatchObject({ count: 100, min: 10, p50: 10, p95: 10, p98: 'never', max: 'never', mean: 'never', stddev: null });
    expect(summarize(undefined, 3)).toMatchObject({ count: 3, min: 'never', p50: 'never', stddev: null });
  });

  it('reports null for an empty histogram', () => {
    const { count, ...times } = summarize(createHistogram());
    expect(count).toBe(0);
    expect(new Set(Object.values(times))).toEqual(new Set([null]));
  });
});
