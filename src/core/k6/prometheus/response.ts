import { z } from 'zod';

/**
 * Response of Prometheus to an instant query for raw samples, `metric{…}[1h]`: https://prometheus.io/docs/prometheus/latest/querying/api/.
 * Numbers are texts. A histogram bucket is [boundary rule, lower end, upper end, count].
 */
const sampleSchema = z.tuple([z.number(), z.string()]);
const bucketSchema = z.tuple([z.number(), z.string(), z.string(), z.string()]);
const histogramSchema = z.tuple([z.number(), z.object({ count: z.string(), sum: z.string(), buckets: z.array(bucketSchema).default([]) })]);

export const prometheusResponseSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(sampleSchema).default([]),
        histograms: z.array(histogramSchema).default([]),
      }),
    ),
  }),
});

/** A series with all its samples. Times are Unix times in seconds. */
export interface PromSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly { readonly at: number; readonly value: number }[];
  readonly histograms: readonly PromHistogram[];
}

/** A native histogram at one time: cumulative counts in buckets of seconds. */
interface PromHistogram {
  readonly at: number;
  readonly count: number;
  readonly buckets: readonly PromBucket[];
}

interface PromBucket {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** Maximum count. No run has more requests or bytes. Larger numbers are invalid and would lose integer precision in sums. */
const MAX_COUNT = 1e12;
const MAX_BYTES = 1e15;

/** Returns the series of a response without stale markers. */
export function readSeries(response: z.infer<typeof prometheusResponseSchema>): PromSeries[] {
  return response.data.result.map(({ metric, values, histograms }) => ({
    labels: metric,
    samples: values.flatMap(([at, text]) => {
      const value = Number(text);
      return Math.abs(value) <= MAX_BYTES ? [{ at, value }] : [];
    }),
    histograms: histograms.flatMap(([at, { count, buckets }]) => {
      const total = Number(count);
      const read = buckets.map(([, lower, upper, of]) => ({ lower: Number(lower), upper: Number(upper), count: Number(of) }));
      const areCounts = [total, ...read.map((bucket) => bucket.count)].every((one) => one >= 0 && one <= MAX_COUNT);
      return areCounts ? [{ at, count: total, buckets: read }] : [];
    }),
  }));
}

/** Increase of a counter until a time. k6 counts from 0, so the first sample is an increase, too. */
export interface Increase {
  readonly at: number;
  readonly by: number;
}

export function listIncreases({ samples }: Pick<PromSeries, 'samples'>): Increase[] {
  let before = 0;
  return samples.flatMap(({ at, value }) => {
    // If a counter fell, it was reset.
    const by = value < before ? value : value - before;
    before = value;
    return by > 0 ? [{ at, by }] : [];
  });
}

/** Increase of the buckets of a histogram until a time. */
export interface HistogramIncrease {
  readonly at: number;
  readonly buckets: readonly PromBucket[];
}

export function listHistogramIncreases({ histograms }: Pick<PromSeries, 'histograms'>): HistogramIncrease[] {
  let before: PromHistogram | null = null;
  return histograms.map((histogram) => {
    const known = before === null || histogram.count < before.count ? [] : before.buckets;
    before = histogram;
    return { at: histogram.at, buckets: subtractBuckets(histogram.buckets, known) };
  });
}

/**
 * Subtracts earlier buckets. Buckets may have become wider since then, so an earlier one is subtracted from the bucket that contains its
 * middle.
 */
function subtractBuckets(buckets: readonly PromBucket[], earlier: readonly PromBucket[]): PromBucket[] {
  const left = buckets.map(({ count }) => count);
  for (const bucket of earlier) {
    const middle = middleOf(bucket);
    const index = buckets.findIndex(({ lower, upper }) => middle > lower && middle <= upper);
    if (index >= 0) left[index] = (left[index] ?? 0) - bucket.count;
  }
  return buckets.flatMap((bucket, index) => {
    const count = Math.round(left[index] ?? 0);
    return count > 0 ? [{ ...bucket, count }] : [];
  });
}

/** Returns the representative value of a bucket: its geometric mean, or 0 for the zero bucket. */
export function middleOf({ lower, upper }: Pick<PromBucket, 'lower' | 'upper'>): number {
  return lower <= 0 ? 0 : Math.sqrt(lower * upper);
}
