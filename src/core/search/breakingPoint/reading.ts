import { z } from 'zod';
import { timeSchema } from '#core/statistics/latency.ts';
import { runFreezeSchema } from '../freeze.ts';

/** Outcome of a level; `unclear` if the measurement is inconclusive. */
export const LEVEL_OUTCOMES = ['passed', 'failed', 'unclear'] as const;
export type LevelOutcome = (typeof LEVEL_OUTCOMES)[number];

/**
 * Reason for the outcome. `queue`: the queue grew. `outstanding`: the number of outstanding responses reached its maximum. `safety`: a
 * limit of the plan ended the level. `wrongPlace`: the failures are no overload.
 */
export const LEVEL_REASONS = [
  'fine',
  'criterion',
  'errors',
  'queue',
  'outstanding',
  'safety',
  'wrongPlace',
  'generator',
  'nothing',
  'cutOff',
] as const;
export type LevelReason = (typeof LEVEL_REASONS)[number];

/** Result of a run at one level. */
export const levelReadingSchema = z.strictObject({
  kind: z.literal('level'),
  level: z.number(),
  outcome: z.enum(LEVEL_OUTCOMES),
  because: z.enum(LEVEL_REASONS),
  /** The reason as a sentence with the numbers. */
  text: z.string(),
  /** False if too few responses were counted to decide a criterion. In that case, the outcome follows the measured value. */
  isSure: z.boolean(),
  sent: z.int(),
  /** Successful responses per second during the level. */
  okPerSecond: z.number().nullable(),
  /** Mean service time of successful responses, in ms. */
  meanMs: z.number().nullable(),
  /** Response times of all responses. */
  p50: timeSchema,
  p95: timeSchema,
  failed: z.int(),
  /**
   * What a criterion counted that failed the level: `over` of `counted` responses, pages or people did not meet it. Omitted if no criterion
   * with a share failed it.
   */
  missed: z.strictObject({ over: z.int(), counted: z.int(), of: z.string() }).optional(),
  /** Number of requests that this computer, or a proxy (504), timed out. */
  timeouts: z.int(),
  /** Increase of the response time per second, in ms; null if unknown. */
  growthMsPerSecond: z.number().nullable(),
  /** 95 % interval of the queue's growth as a share of the arrivals; null if unknown. */
  growthShare: z.strictObject({ low: z.number(), high: z.number() }).nullable().default(null),
  /**
   * Duration in seconds. `wantedSeconds`: the duration that is needed to distinguish a growing queue from chance; null if it was long
   * enough.
   */
  seconds: z.number().default(0),
  wantedSeconds: z.number().nullable().default(null),
  /** The longest freeze, if the server had responded before it; otherwise null. */
  freeze: runFreezeSchema.nullable().default(null),
  overloadedSeconds: z.int(),
  /** Steps with refused requests; omitted if there are none. */
  refused: z.array(z.strictObject({ step: z.string(), refused: z.int(), complete: z.int() })).optional(),
  /** Whether a load generator shared a machine, and thus processor cores, with the target. */
  isShared: z.boolean().default(false),
});
export type LevelReading = z.infer<typeof levelReadingSchema>;

/** Result of a probe between two levels. */
export const probeReadingSchema = z.strictObject({
  kind: z.literal('probe'),
  sent: z.int(),
  failed: z.int(),
  /** Service times of all responses in ms; null if there were none, or if half of the requests had no response. */
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
});
export type ProbeReading = z.infer<typeof probeReadingSchema>;

/** How soon a server recovered after an overload. */
export const recoveryReadingSchema = z.strictObject({
  kind: z.literal('recovery'),
  /** Load before and after the overload. `overloadLevel`: load during it. */
  calmLevel: z.number(),
  overloadLevel: z.number(),
  overloadSeconds: z.number(),
  /**
   * Seconds until the server recovered, with a precision of half of `resolutionSeconds`; null if it did not recover, or if that is unknown.
   */
  seconds: z.number().nullable(),
  resolutionSeconds: z.number(),
  watchedSeconds: z.number(),
  beforeMs: z.number().nullable(),
  worstMs: z.number().nullable(),
  /** The reason why `seconds` is unknown; null if known. */
  reason: z.string().nullable(),
});
export type RecoveryReading = z.infer<typeof recoveryReadingSchema>;
