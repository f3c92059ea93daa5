import { z } from 'zod';

/**
 * What Prometheus answers to an instant query for a range of raw samples, `metric{…}[1h]`: https://prometheus.io/docs/prometheus/latest/querying/api/.
 * Numbers are texts there. A bucket of a histogram is [which of its ends belong to it, lower end, upper end, count].
 */
const sampleSchema = z.tuple([z.number(), z.string()]);
const bucketSchema = z.tuple([z.number(), z.string(), z.string(), z.string()]);
const histogramSchema = z.tuple([z.number(), z.object({ count: z.string(), sum: z.string(), buckets: z.array(bucketSchema).default([]) })]);

export const prometheusAnswerSchema = z.object({
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

/** One series with everything that was written of it. Times in seconds since 1970. */
export interface PromSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly { readonly at: number; readonly value: number }[];
  readonly histograms: readonly PromHistogram[];
}

/** A native histogram as it stood at an instant: counts since the beginning, in buckets of seconds. */
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

/** No run makes as many requests, or moves as many bytes: larger numbers are nobody's, and added up they would be no whole numbers any more. */
const MOST_COUNTED = 1e12;
const MOST_BYTES = 1e15;

/** The series of an answer; what marks a series as ended is left out. */
export function seriesOf(answer: z.infer<typeof prometheusAnswerSchema>): PromSeries[] {
  return answer.data.result.map(({ metric, values, histograms }) => ({
    labels: metric,
    samples: values.flatMap(([at, text]) => {
      const value = Number(text);
      return Math.abs(value) <= MOST_BYTES ? [{ at, value }] : [];
    }),
    histograms: histograms.flatMap(([at, { count, buckets }]) => {
      const total = Number(count);
      const read = buckets.map(([, lower, upper, of]) => ({ lower: Number(lower), upper: Number(upper), count: Number(of) }));
      const areCounts = [total, ...read.map((bucket) => bucket.count)].every((one) => one >= 0 && one <= MOST_COUNTED);
      return areCounts ? [{ at, count: total, buckets: read }] : [];
    }),
  }));
}

/** By how much a counter grew, and until when. k6 counts from 0, so the first sample is an increase too. */
export interface Increase {
  readonly at: number;
  readonly by: number;
}

export function increasesOf({ samples }: Pick<PromSeries, 'samples'>): Increase[] {
  let before = 0;
  return samples.flatMap(({ at, value }) => {
    // A counter that falls has begun anew.
    const by = value < before ? value : value - before;
    before = value;
    return by > 0 ? [{ at, by }] : [];
  });
}

/** What came into the buckets of a histogram, and until when. */
export interface HistogramIncrease {
  readonly at: number;
  readonly buckets: readonly PromBucket[];
}

export function histogramIncreasesOf({ histograms }: Pick<PromSeries, 'histograms'>): HistogramIncrease[] {
  let before: PromHistogram | null = null;
  return histograms.map((histogram) => {
    const known = before === null || histogram.count < before.count ? [] : before.buckets;
    before = histogram;
    return { at: histogram.at, buckets: without(histogram.buckets, known) };
  });
}

/** Buckets may have become wider since: what was counted then is in the one that its middle lies in. */
function without(buckets: readonly PromBucket[], earlier: readonly PromBucket[]): PromBucket[] {
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

/** What stands for the values of a bucket: its geometric middle, which is as far from both ends; 0 of the bucket of zeros. */
export function middleOf({ lower, upper }: Pick<PromBucket, 'lower' | 'upper'>): number {
  return lower <= 0 ? 0 : Math.sqrt(lower * upper);
}
