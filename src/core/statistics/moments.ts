import { forEachUsed, type Histogram } from './histogram.ts';

/**
 * Mean and standard deviation (of the whole, not of a sample) in microseconds; each recorded time counts as the middle of its
 * bucket. The same figures as HdrHistogram's own, which walks every value by an iterator, three times for both: that took
 * milliseconds of every refresh of a live view. Both are 0 for an empty histogram.
 */
export function momentsUs(histogram: Histogram): { readonly mean: number; readonly stddev: number } {
  const count = histogram.totalCount;
  if (count === 0) return { mean: 0, stddev: 0 };
  let sum = 0;
  forEachUsed(histogram, (index, times) => {
    sum += times * histogram.medianEquivalentValue(histogram.valueFromIndex(index));
  });
  const mean = sum / count;
  let squares = 0;
  forEachUsed(histogram, (index, times) => {
    squares += times * (histogram.medianEquivalentValue(histogram.valueFromIndex(index)) - mean) ** 2;
  });
  return { mean, stddev: Math.sqrt(squares / count) };
}
