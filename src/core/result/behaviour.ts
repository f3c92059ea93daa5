import { z } from 'zod';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';

const ms = z.number();

/** Response times of the first successful responses of a step, compared with all later ones. */
const firstResponsesSchema = z.strictObject({
  step: z.string(),
  /** Response times in the order of the intended starts. */
  first: z.array(ms),
  firstMedian: ms.nullable(),
  restMedian: ms.nullable(),
  restP90: ms.nullable(),
  /** Number of the first responses that are slower than the 90th percentile of the rest. */
  slower: z.int(),
  /** Whether this number of slow responses is significant; null if unknown. */
  isSlowAtFirst: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type FirstResponses = z.infer<typeof firstResponsesSchema>;

/** A value with its 95 % confidence interval. */
const intervalSchema = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

/** The first responses of a stage by position in the queue. */
const queueSchema = z.strictObject({
  stage: z.string(),
  step: z.string(),
  /** Number of successful responses used for the fit. The next field is the number of requests sent. */
  responses: z.int(),
  sent: z.int(),
  /** Increase of the response time per request, in ms. */
  growthMs: intervalSchema.nullable(),
  /** Interval between successive responses in ms. While there is a queue, it is the service time divided by the number of workers. */
  intervalMs: intervalSchema.nullable(),
  /** Whether times grow with the position; null if unknown. */
  queues: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type Queue = z.infer<typeof queueSchema>;

/** Bursts of increasing size with pauses between them. */
const burstsSchema = z.strictObject({
  /** The largest burst before the first one with a failure; null if there is none. `smallestBad`: the first burst with a failure. */
  largestGood: z.int().nullable(),
  smallestBad: z.int().nullable(),
  /** Whether all responses of each burst arrived before the next burst, up to the first bad one. */
  drained: z.boolean(),
});
export type Bursts = z.infer<typeof burstsSchema>;

/** `spike`: up, and soon down again. `plateau`: constant for a while. `rise`: increasing for most of the time. */
export const HIGH_SHAPES = ['spike', 'plateau', 'rise'] as const;

export const recoverySchema = z.strictObject({
  /** Stage with the highest planned load. */
  stage: z.string(),
  /** Shape of the planned load while it was high; null in older results. */
  shape: z.enum(HIGH_SHAPES).nullable().default(null),
  /** Highest planned level. `unit`: its unit, which is null in older results. */
  level: z.number(),
  unit: z.enum(LEVEL_UNITS).nullable().default(null),
  endedAtSecond: z.number(),
  /** p90 of the slowest second in the calm time before the first high load, in ms. */
  beforeMs: ms.nullable(),
  worstMs: ms.nullable(),
  /** Seconds from the end of the high load until times and failures were as before; null if they never were, or if that is unknown. */
  seconds: z.number().nullable(),
  /** Duration of the observation in seconds. */
  watchedSeconds: z.number(),
  /** Resolution of `seconds`, in seconds. */
  resolutionSeconds: z.number(),
  reason: z.string().nullable(),
});
export type Recovery = z.infer<typeof recoverySchema>;

const capacitySchema = z.strictObject({
  /** Response time without load, in ms. */
  aloneMs: ms.nullable(),
  /** The highest planned rate. The next field is the maximum in flight. */
  highestPerSecond: z.number(),
  mostInFlight: z.int(),
  /** Throughput while requests were always waiting; null if no limit was reached. */
  saturatedPerSecond: z.number().nullable(),
  /** Number of workers by Little's law: throughput × service time. */
  workers: z.number().nullable(),
  /** The highest constant rate at which the server kept up. The next field is the lowest rate at which it did not. */
  keptUpPerSecond: z.number().nullable(),
  fellBehindPerSecond: z.number().nullable(),
  isLimited: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type Capacity = z.infer<typeof capacitySchema>;

/** A cluster of times, separated from the next one by an almost empty gap. */
const timeGroupSchema = z.strictObject({ count: z.int(), share: z.number(), fromMs: ms, medianMs: ms, toMs: ms });

const groupsSchema = z.strictObject({
  stage: z.string(),
  step: z.string(),
  /**
   * Groups of the service times of successful responses, in ascending order: one group if there is no gap, and none if there are too few
   * times.
   */
  responses: z.array(timeGroupSchema),
  /** Groups of the connection times. */
  connects: z.array(timeGroupSchema),
});
export type Groups = z.infer<typeof groupsSchema>;

/** Behaviour of a server, inferred from response times: waiting, queueing, and loading at first use. */
export const behaviourSchema = z.strictObject({
  firstResponses: z.array(firstResponsesSchema),
  queues: z.array(queueSchema),
  bursts: burstsSchema.nullable(),
  recoveries: z.array(recoverySchema),
  capacity: capacitySchema.nullable(),
  /** Stages and steps with several groups of times; null in older results. */
  groups: z.array(groupsSchema).nullable().default(null),
});
export type Behaviour = z.infer<typeof behaviourSchema>;
