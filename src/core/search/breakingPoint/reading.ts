import { z } from 'zod';
import { timeSchema } from '#core/statistics/latencySummary.ts';
import { runFreezeSchema } from '../freeze.ts';

/** What became of a level: `unclear` where the measurement does not tell. */
export const LEVEL_OUTCOMES = ['held', 'broke', 'unclear'] as const;
export type LevelOutcome = (typeof LEVEL_OUTCOMES)[number];

/** Why. `queue`: it grew. `owed`: as many answers were owed as may be. `safety`: a limit of the plan cut it off. `wrongPlace`: not overload at all. */
export const LEVEL_REASONS = [
  'fine',
  'objective',
  'errors',
  'queue',
  'owed',
  'safety',
  'wrongPlace',
  'generator',
  'nothing',
  'cutOff',
] as const;
export type LevelReason = (typeof LEVEL_REASONS)[number];

/** What a run at one level has shown. */
export const levelReadingSchema = z.strictObject({
  kind: z.literal('level'),
  level: z.number(),
  outcome: z.enum(LEVEL_OUTCOMES),
  because: z.enum(LEVEL_REASONS),
  /** In a sentence with the numbers in it. */
  text: z.string(),
  /** False where so few answers were counted that an objective was neither proven nor missed; then it is as the measured value says. */
  isSure: z.boolean(),
  sent: z.int(),
  /** Good answers a second while the level was on. */
  okPerSecond: z.number().nullable(),
  /** Good answers by themselves (service time), in ms. */
  meanMs: z.number().nullable(),
  /** Response times of all answers. */
  p50: timeSchema,
  p95: timeSchema,
  failed: z.int(),
  /** Requests that were given up, by this computer or by a proxy on the way (504). */
  timeouts: z.int(),
  /** How much longer answers took with each second of the level, in ms; null where it does not tell. */
  growthMsPerSecond: z.number().nullable(),
  /** By what share of what came a queue grew, with 95 % confidence; null where it does not tell. */
  growthShare: z.strictObject({ low: z.number(), high: z.number() }).nullable().default(null),
  /** How long it was watched, and how long it would have had to be to tell a queue that grows from chance; null where it is told. */
  seconds: z.number().default(0),
  wantedSeconds: z.number().nullable().default(null),
  /** The longest time that it stood still, had it answered before; null where it did not. */
  freeze: runFreezeSchema.nullable().default(null),
  /** Seconds in which this computer did not keep up. */
  sickSeconds: z.int(),
  /** Steps with requests that the server refused; left out where it refused none. */
  refused: z.array(z.strictObject({ step: z.string(), refused: z.int(), complete: z.int() })).optional(),
  /** Whether the load was made on the machine of the target, whose cores it took. */
  isShared: z.boolean().default(false),
});
export type LevelReading = z.infer<typeof levelReadingSchema>;

/** What one visitor alone was answered between two levels. */
export const probeReadingSchema = z.strictObject({
  kind: z.literal('probe'),
  sent: z.int(),
  failed: z.int(),
  /** Service times of all answers; null where there was none, or half of them never came. */
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
});
export type ProbeReading = z.infer<typeof probeReadingSchema>;

/** How soon a server was itself again after it had been given too much. */
export const recoveryReadingSchema = z.strictObject({
  kind: z.literal('recovery'),
  /** What it got before and after, and in between. */
  calmLevel: z.number(),
  overloadLevel: z.number(),
  overloadSeconds: z.number(),
  /** Within half of `resolutionSeconds`; null when it was not, or nobody knows. */
  seconds: z.number().nullable(),
  resolutionSeconds: z.number(),
  watchedSeconds: z.number(),
  beforeMs: z.number().nullable(),
  worstMs: z.number().nullable(),
  /** Why nobody knows; null where it is known. */
  reason: z.string().nullable(),
});
export type RecoveryReading = z.infer<typeof recoveryReadingSchema>;
