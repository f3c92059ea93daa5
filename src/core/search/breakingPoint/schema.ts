import { z } from 'zod';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { MAX_STAGE_SECONDS } from '#core/plan/schema/load.ts';
import { recoveryReadingSchema } from './reading.ts';

/** How far something was seen: at all levels up to this one, and from which one on no more. */
const gaugeSchema = z.strictObject({ upTo: z.number().nullable(), from: z.number().nullable() });
export type Gauge = z.infer<typeof gaugeSchema>;

/** What queueing theory says of the limit, from the times of the lightest level and the rate of an overloaded one. */
const predictionSchema = z.strictObject({
  /** In the unit of the levels. */
  level: z.number(),
  /** The formula with its numbers. */
  text: z.string(),
  serviceMs: z.number(),
  /** Requests worked on at a time, by Little's law; not rounded. */
  workers: z.number(),
  saturatedPerSecond: z.number(),
});
export type Prediction = z.infer<typeof predictionSchema>;

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
  prediction: predictionSchema.nullable(),
  recovery: recoveryReadingSchema.nullable(),
});
export type BreakingPointAnswer = z.infer<typeof breakingPointAnswerSchema>;

const level = z.number().positive().max(1_000_000);
const seconds = z.number().min(1).max(3_600);

/** How a breaking point is looked for. A level is a rate, a number of users or of connections, whatever the load of the plan is made of. */
export const breakingPointSettingsSchema = z.strictObject({
  /** The first level; left out, a quarter of the highest of the plan. */
  from: level.optional(),
  /** No level beyond this one: when it is borne, nothing more is to be known. */
  to: level.optional(),
  /** By how much the level grows until one is not borne. */
  growth: z.number().min(1.1).max(10).default(2),
  /** The search ends when the lowest level that was not borne is within this share of the highest that was. */
  precision: z.number().min(0.01).max(0.5).default(0.05),
  /** How often each level is run. What most of its runs say is what it is. */
  repeats: z.int().min(1).max(9).default(1),
  maxLevels: z.int().min(2).max(40).default(12),
  /** Counted time of a level. It is longer where answers take long or requests are rare. */
  secondsEach: seconds.default(10),
  /** At the same level before that, not counted: a queue shows itself only when there has been time for one. */
  warmUpSeconds: z.number().min(0).max(600).default(2),
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** How long connections to the target may take to become as few as before the search. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** In all, pauses included. No level is begun that would go beyond. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).optional(),
  maxRequests: z.int().min(1).max(1_000_000_000).optional(),
  /** Whether it is looked how soon the server is itself again. Only of loads at a rate: users who wait for answers leave nothing behind. */
  recovery: z.boolean().default(true),
  /** How long it gets half more than it bears. */
  overloadSeconds: seconds.default(10),
});
export type BreakingPointSettings = z.output<typeof breakingPointSettingsSchema>;
