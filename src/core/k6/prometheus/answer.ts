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
export interface PromHistogram {
  readonly at: number;
  readonly count: number;
  readonly buckets: readonly PromBucket[];
}

export interface PromBucket {
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
