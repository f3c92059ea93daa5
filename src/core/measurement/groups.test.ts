import { describe, expect, it } from 'vitest';
import { type Histogram, createHistogram, record } from '#core/statistics/histogram.ts';
import { timeGroups } from './groups.ts';

type Times = readonly (readonly [ms: number, count: number])[];

/** Returns a histogram with `count` times of each duration in milliseconds. */
function times(...at: Times): Histogram {
  const histogram = createHistogram();
  for (const [ms, count] of at) for (let each = 0; each < count; each += 1) record(histogram, ms * 1_000);
  return histogram;
}
const found = (...at: Times): number[][] => timeGroups(times(...at)).map(({ count, medianMs }) => [count, Math.round(medianMs)]);

describe('timeGroups', () => {
  it('returns no groups for fewer than a hundred times', () => {
    expect(timeGroups(undefined)).toEqual([]);
    expect(found([50, 99])).toEqual([]);
    expect(found([50, 100])).toEqual([[100, 50]]);
  });

  it('separates groups only if they differ by a factor of 2.5 and by 10 ms', () => {
    expect(found([20, 100], [51, 100])).toEqual([
      [100, 20],
      [100, 51],
    ]);
    expect(found([20, 100], [49, 100])).toEqual([[200, 20]]);
    expect(found([16, 100], [40, 100])).toHaveLength(2);
    expect(found([2, 100], [11, 100])).toEqual([[200, 2]]);
    expect(found([2, 100], [12, 100])).toEqual([
      [100, 2],
      [100, 12],
    ]);
  });

  it('requires five times on either side of a gap', () => {
    expect(found([20, 200], [900, 4])).toEqual([[204, 20]]);
    expect(found([20, 200], [900, 5])).toEqual([
      [200, 20],
      [5, 900],
    ]);
    expect(found([20, 4], [900, 200])).toEqual([[204, 900]]);
    expect(found([20, 5], [900, 200])).toEqual([
      [5, 20],
      [200, 900],
    ]);
  });

  it('assigns an outlier in a gap to the nearer group', () => {
    expect(found([20, 200], [300, 4], [900, 200])).toEqual([
      [200, 20],
      [204, 900],
    ]);
    expect(found([20, 200], [50, 4], [900, 200])).toEqual([
      [204, 20],
      [200, 900],
    ]);
    // A tenth of the times is a group, not outliers.
    expect(found([20, 200], [130, 20], [900, 200])).toEqual([
      [200, 20],
      [20, 130],
      [200, 900],
    ]);
  });

  it('finds a gap across outliers of up to 5 % of the smaller group, even without a single wide step', () => {
    expect(found([20, 200], [45, 3], [90, 60])).toEqual([
      [200, 20],
      [63, 90],
    ]);
    expect(found([20, 60], [45, 3], [90, 200])).toEqual([
      [60, 20],
      [203, 90],
    ]);
    expect([found([20, 200], [45, 4], [90, 60]), found([20, 60], [45, 4], [90, 200])]).toEqual([[[264, 20]], [[264, 90]]]);
  });

  it('returns at most four groups, at the widest gaps', () => {
    expect(found([10, 50], [30, 50], [900, 50], [4_000, 50], [50_000, 50])).toEqual([
      [100, 10],
      [50, 900],
      [50, 4_000],
      [50, 49_971],
    ]);
  });

  it('returns the share and the limits of each group', () => {
    const [short, long] = timeGroups(times([20, 90], [24, 200], [28, 10], [600, 100]));
    expect(short).toMatchObject({ count: 300, share: 0.75 });
    expect([short?.fromMs, short?.medianMs, short?.toMs].map((ms) => Math.round(ms ?? 0))).toEqual([20, 24, 28]);
    expect(long).toMatchObject({ count: 100, share: 0.25 });
  });

  it('returns one group for widely spread times without a gap', () => {
    expect(timeGroups(times(...Array.from({ length: 60 }, (_, at) => [20 * 1.1 ** at, 4] as const)))).toHaveLength(1);
  });
});
