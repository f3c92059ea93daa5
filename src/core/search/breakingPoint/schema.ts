import { z } from 'zod';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { MAX_STAGE_SECONDS } from '#core/plan/schema/load.ts';
import { commandSchema } from '#core/plan/schema/populate.ts';
import { recoveryReadingSchema } from './reading.ts';

/** Range of a symptom: absent at all levels up to `upTo`, present from `from` on. */
const gaugeSchema = z.strictObject({ upTo: z.number().nullable(), from: z.number().nullable() });
export type Gauge = z.infer<typeof gaugeSchema>;

/** Predicted limit from the times of the lightest level and the throughput of an overloaded one. */
const predictionSchema = z.strictObject({
  /** Predicted level, in the unit of the levels. */
  level: z.number(),
  /** The formula with its numbers. */
  text: z.string(),
  serviceMs: z.number(),
  /** Number of requests processed at a time, by Little's law; not rounded. */
  workers: z.number(),
  saturatedPerSecond: z.number(),
});
export type Prediction = z.infer<typeof predictionSchema>;

export const breakingPointConclusionSchema = z.strictObject({
  kind: z.literal('breakingPoint'),
  unit: z.enum(LEVEL_UNITS),
  /** The highest passed level. `breakingPoint`: the lowest failed level. The breaking point lies between the two. */
  sustained: z.number().nullable(),
  breakingPoint: z.number().nullable(),
  /** Geometric mean of both levels; null unless both are known. */
  estimate: z.number().nullable(),
  /** 95 % interval of the breaking point. An end is null if the levels do not determine it. */
  range: z.strictObject({ low: z.number().nullable(), high: z.number().nullable() }).default({ low: null, high: null }),
  /** False if no level passed, or if one was inconclusive. */
  isKnown: z.boolean(),
  /** The result in one sentence. */
  sentence: z.string(),
  /** Reasons for the result, each as a sentence. */
  reasons: z.array(z.string()),
  withoutTimeout: gaugeSchema,
  withoutError: gaugeSchema,
  prediction: predictionSchema.nullable(),
  recovery: recoveryReadingSchema.nullable(),
});
export type BreakingPointConclusion = z.infer<typeof breakingPointConclusionSchema>;

const level = z.number().positive().max(1_000_000);
const seconds = z.number().min(1).max(3_600);

/** Settings of a search. A level is a rate, a number of users, or a number of connections, like the plan's load. */
export const breakingPointSettingsSchema = z.strictObject({
  /** The first level. Default: a quarter of the highest level of the plan. */
  from: level.optional(),
  /** The highest level. If it passes, the search ends. */
  to: level.optional(),
  /** Factor by which the level grows until a level fails. */
  growth: z.number().min(1.1).max(10).default(2),
  /** The search ends when the lowest failed level is within this share of the highest passed one. */
  precision: z.number().min(0.01).max(0.5).default(0.05),
  /** Number of runs per level. The majority decides. */
  repeats: z.int().min(1).max(9).default(1),
  maxLevels: z.int().min(2).max(40).default(12),
  /** Counted time of a level in seconds. It is longer for slow responses and rare requests. */
  secondsEach: seconds.default(10),
  /** Time in seconds at the same level that precedes the counted time. A queue can build up in it. */
  warmUpSeconds: z.number().min(0).max(600).default(2),
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** Maximum time in seconds that the search waits until the number of connections to the target is back to what it was. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** Maximum total time in seconds, including pauses. No level starts that would exceed it. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).optional(),
  maxRequests: z.int().min(1).max(1_000_000_000).optional(),
  /**
   * Whether the recovery of the server is tested. This is done only for arrivals, because users who wait for responses leave no backlog.
   */
  recovery: z.boolean().default(true),
  /** Commands that reset the server before each level. Only the command line runs them. */
  before: z.array(commandSchema).max(10).default([]),
  /** Whether each level but the first waits until a person has reset the server. */
  waitsForReset: z.boolean().default(false),
  /** Duration in seconds of the overload at 1.5 times the limit. */
  overloadSeconds: seconds.default(10),
});
export type BreakingPointSettings = z.output<typeof breakingPointSettingsSchema>;
