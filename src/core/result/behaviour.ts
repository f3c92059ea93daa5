import { z } from 'zod';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';

const ms = z.number();

/** The first good answers of a step beside all later good ones. Response times. */
const firstAnswersSchema = z.strictObject({
  step: z.string(),
  /** In the order in which their requests were to start. */
  first: z.array(ms),
  firstMedian: ms.nullable(),
  restMedian: ms.nullable(),
  restP90: ms.nullable(),
  /** Of the first, those slower than 9 of 10 of the rest. */
  slower: z.int(),
  /** Whether so many could hardly be by chance; null where the data do not tell. */
  isSlowAtFirst: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type FirstAnswers = z.infer<typeof firstAnswersSchema>;

/** What 95 of 100 such samples would hold the true value in. */
const intervalSchema = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

/** The first answers of a stage by their place in the queue. */
const queueSchema = z.strictObject({
  stage: z.string(),
  step: z.string(),
  /** Good answers that the line goes through, of those that were sent. */
  answers: z.int(),
  sent: z.int(),
  /** How much longer each further request took, in ms. */
  growthMs: intervalSchema.nullable(),
  /** How much later each further answer came, in ms: the time of one request divided by how many are worked on at a time, while there is a queue. */
  intervalMs: intervalSchema.nullable(),
  /** Whether times grow with the place; null where the data do not tell. */
  queues: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type Queue = z.infer<typeof queueSchema>;

/** Bursts that become larger, with pauses between them. */
const burstsSchema = z.strictObject({
  /** The largest before the first that had a failure, and that one; null where there is none. */
  largestGood: z.int().nullable(),
  smallestBad: z.int().nullable(),
  /** Whether all answers of each burst had come when the next one began, as far as the first bad one. */
  drained: z.boolean(),
});
export type Bursts = z.infer<typeof burstsSchema>;

/** `spike`: up, and soon down again. `plateau`: held for a while. `rise`: up bit by bit, for longer than it is held. */
export const HIGH_SHAPES = ['spike', 'plateau', 'rise'] as const;

const recoverySchema = z.strictObject({
  /** In which the planned load was highest. */
  stage: z.string(),
  /** What the planned load did while it was high; null in results of a Holdfast that did not look. */
  shape: z.enum(HIGH_SHAPES).nullable().default(null),
  /** The highest planned level of it, and what it counts; null as `shape`. */
  level: z.number(),
  unit: z.enum(LEVEL_UNITS).nullable().default(null),
  endedAtSecond: z.number(),
  /** The slowest second of the calm before the load was high for the first time, by the time that 9 of 10 answers took. */
  beforeMs: ms.nullable(),
  worstMs: ms.nullable(),
  /** From when it was no longer high until times and failures were as before; null when they never were, or nobody knows. */
  seconds: z.number().nullable(),
  /** How long was looked for it. */
  watchedSeconds: z.number(),
  /** Resolution of `seconds`. */
  resolutionSeconds: z.number(),
  reason: z.string().nullable(),
});
export type Recovery = z.infer<typeof recoverySchema>;

const capacitySchema = z.strictObject({
  /** The time of an answer while hardly anything else is asked for. */
  aloneMs: ms.nullable(),
  /** The highest planned rate, and the most that were in flight. */
  highestPerSecond: z.number(),
  mostInFlight: z.int(),
  /** Good answers a second while there was always something to do; null where no limit was reached. */
  saturatedPerSecond: z.number().nullable(),
  /** Little's law: answers a second × time of one. */
  workers: z.number().nullable(),
  /** The highest constant rate that it kept up with, and the lowest that it did not. */
  keptUpPerSecond: z.number().nullable(),
  fellBehindPerSecond: z.number().nullable(),
  isLimited: z.boolean().nullable(),
  reason: z.string().nullable(),
});
export type Capacity = z.infer<typeof capacitySchema>;

/** Times that lie together, with next to nothing between them and the next group. */
const timeGroupSchema = z.strictObject({ count: z.int(), share: z.number(), fromMs: ms, medianMs: ms, toMs: ms });

const groupsSchema = z.strictObject({
  stage: z.string(),
  step: z.string(),
  /** Service times of good answers, from short to long; one group where they lie together, none where there are too few to tell. */
  answers: z.array(timeGroupSchema),
  /** The same of the time that opening a connection took. */
  connects: z.array(timeGroupSchema),
});
export type Groups = z.infer<typeof groupsSchema>;

/** How a server behaves, read off the times: what differs between servers that wait, that queue, and that load themselves when they are first asked. */
export const behaviourSchema = z.strictObject({
  firstAnswers: z.array(firstAnswersSchema),
  queues: z.array(queueSchema),
  bursts: burstsSchema.nullable(),
  recoveries: z.array(recoverySchema),
  capacity: capacitySchema.nullable(),
  /** Of stages and steps whose times fall into more than one group; null in results of a Holdfast that did not look. */
  groups: z.array(groupsSchema).nullable().default(null),
});
export type Behaviour = z.infer<typeof behaviourSchema>;
