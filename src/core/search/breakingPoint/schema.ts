import { z } from 'zod';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { recoveryReadingSchema } from './reading.ts';

/** How far something was seen: at all levels up to this one, and from which one on no more. */
const gaugeSchema = z.strictObject({ upTo: z.number().nullable(), from: z.number().nullable() });
export type Gauge = z.infer<typeof gaugeSchema>;

export const breakingPointAnswerSchema = z.strictObject({
  kind: z.literal('breakingPoint'),
  unit: z.enum(LEVEL_UNITS),
  /** The highest level that was borne and the lowest that was not: the breaking point lies between them. */
  held: z.number().nullable(),
  broke: z.number().nullable(),
  /** The middle of the two on a scale of ratios; null unless both are known. */
  estimate: z.number().nullable(),
  /** Where the breaking point lies with 95 % confidence; an end is null where the levels do not tell it. */
  range: z.strictObject({ low: z.number().nullable(), high: z.number().nullable() }).default({ low: null, high: null }),
  /** False while nothing was borne, or where a level did not tell. */
  isKnown: z.boolean(),
  /** The answer in one sentence. */
  sentence: z.string(),
  /** What it follows from, each in a sentence. */
  reasons: z.array(z.string()),
  withoutTimeout: gaugeSchema,
  withoutError: gaugeSchema,
  prediction: z
    .strictObject({
      level: z.number(),
      text: z.string(),
      serviceMs: z.number(),
      workers: z.number(),
      saturatedPerSecond: z.number(),
    })
    .nullable(),
  recovery: recoveryReadingSchema.nullable(),
});
export type BreakingPointAnswer = z.infer<typeof breakingPointAnswerSchema>;
