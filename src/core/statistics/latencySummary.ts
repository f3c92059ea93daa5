import { z } from 'zod';
import type { TimeMs } from '#core/base/units.ts';

export const timeSchema = z.union([z.number(), z.literal('never'), z.null()]) satisfies z.ZodType<TimeMs>;

export const latencySummarySchema = z.strictObject({
  count: z.int().min(0),
  min: timeSchema,
  mean: timeSchema,
  stddev: timeSchema,
  p50: timeSchema,
  p66: timeSchema,
  p75: timeSchema,
  p80: timeSchema,
  p90: timeSchema,
  p95: timeSchema,
  p98: timeSchema,
  p99: timeSchema,
  p99_9: timeSchema,
  max: timeSchema,
});
export type LatencySummary = z.infer<typeof latencySummarySchema>;

/** Times with a table column, in the order of the columns. */
export const TABLE_TIMES = ['min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99_9', 'max'] as const;
