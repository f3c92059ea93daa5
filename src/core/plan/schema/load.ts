import { z } from 'zod';

/** Load models; see docs/method.md. */

export const MAX_CONNECTIONS = 20_000;
export const MAX_USERS = 20_000;
export const MAX_REQUESTS = 1_000_000_000;
export const MAX_STAGE_SECONDS = 7 * 24 * 3_600;
export const MAX_ARRIVALS_PER_SECOND = 1_000_000;
/** Default limit of concurrent journeys. */
export const DEFAULT_MAX_IN_FLIGHT = 10_000;

const stageNameSchema = z.string().trim().min(1).max(60);
const stageSeconds = z.number().positive().max(MAX_STAGE_SECONDS);
const shortSeconds = z.number().min(0).max(MAX_STAGE_SECONDS);
const rate = z.number().min(0).max(MAX_ARRIVALS_PER_SECOND);

const stageShape = {
  name: stageNameSchema.optional(),
  /** false: a stage (warm-up, ramp-up, recovery) that is shown but never judged. */
  counted: z.boolean().default(true),
};

/**
 * A stage of the closed model `connections`: each connection sends its next request after the last response.
 * Ends after `requests` requests (shared among the connections) or after `seconds`.
 */
export const connectionsStageSchema = z.strictObject({
  ...stageShape,
  connections: z.int().min(1).max(MAX_CONNECTIONS),
  requests: z.int().min(1).max(MAX_REQUESTS).optional(),
  seconds: stageSeconds.optional(),
});

/**
 * A stage of the closed model `users`: users walk through journeys with pauses after responses. They start or leave evenly over
 * `startUpSeconds`; requests before the full number is reached are not counted.
 */
export const usersStageSchema = z.strictObject({
  ...stageShape,
  users: z.int().min(1).max(MAX_USERS),
  startUpSeconds: shortSeconds.default(0),
  /** Duration with all users. */
  seconds: stageSeconds,
  /** Whether the start-up counts: a rush of people who log in. */
  startUpCounts: z.boolean().optional(),
  /** Whether users of the previous stage stay, and only the difference starts or leaves. Default: true unless the stage begins with a rest. */
  continues: z.boolean().optional(),
  /** Idle time before the first user starts, for the server to recover from the previous stage. */
  restSeconds: shortSeconds.default(0),
});

const arrivalsShape = {
  ...stageShape,
  /** Overrides the limit of the whole load. */
  maxInFlight: z.int().min(1).max(MAX_USERS).optional(),
};

/**
 * A stage of the open model `arrivals`: journeys start at a rate, independent of responses. Equivalents of Artillery's
 * phases: `arrivalRate` is `constant`, with `rampTo` it is `ramp`, `arrivalCount` is `count`, `maxVusers` is `maxInFlight`.
 */
export const arrivalsStageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), ...arrivalsShape, perSecond: rate, seconds: stageSeconds }),
  /** Linear change from one rate to another. */
  z.strictObject({ kind: z.literal('ramp'), ...arrivalsShape, fromPerSecond: rate, toPerSecond: rate, seconds: stageSeconds }),
  /** A number of arrivals, evenly spread. */
  z.strictObject({ kind: z.literal('count'), ...arrivalsShape, arrivals: z.int().min(1).max(MAX_REQUESTS), seconds: stageSeconds }),
  /** No arrivals. */
  z.strictObject({
    kind: z.literal('pause'),
    name: stageNameSchema.optional(),
    counted: z.literal(false).default(false),
    seconds: stageSeconds,
  }),
  /** `steps` levels with equal increments from `fromPerSecond` to `toPerSecond`. */
  z.strictObject({
    kind: z.literal('steps'),
    ...arrivalsShape,
    fromPerSecond: rate,
    toPerSecond: rate,
    steps: z.int().min(2).max(1_000),
    secondsEach: stageSeconds,
  }),
  /** Base load, peak, base load; `rampSeconds` is the duration of each flank. */
  z.strictObject({
    kind: z.literal('spike'),
    ...arrivalsShape,
    basePerSecond: rate,
    peakPerSecond: rate,
    secondsBefore: stageSeconds,
    rampSeconds: shortSeconds.default(0),
    peakSeconds: stageSeconds,
    secondsAfter: stageSeconds,
  }),
]);

/** Pause of a user between a response and the next request. */
export const thinkTimeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), seconds: shortSeconds }),
  z.strictObject({ kind: z.literal('uniform'), fromSeconds: shortSeconds, toSeconds: shortSeconds }),
  z.strictObject({ kind: z.literal('exponential'), meanSeconds: stageSeconds }),
]);
export type ThinkTime = z.output<typeof thinkTimeSchema>;

/** `uniform`: evenly spaced. `poisson`: random arrivals of independent people. */
export const SPACINGS = ['uniform', 'poisson'] as const;

/** The load model of all stages. */
export const loadSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('connections'), stages: z.array(connectionsStageSchema).min(1).max(200) }),
  z.strictObject({
    model: z.literal('users'),
    thinkTime: thinkTimeSchema.optional(),
    /** Minimum time between the starts of a user's journeys. */
    paceSeconds: stageSeconds.optional(),
    stages: z.array(usersStageSchema).min(1).max(200),
  }),
  z.strictObject({
    model: z.literal('arrivals'),
    spacing: z.enum(SPACINGS).default('uniform'),
    /** Limit of concurrent journeys; further arrivals are dropped. */
    maxInFlight: z.int().min(1).max(MAX_USERS).default(DEFAULT_MAX_IN_FLIGHT),
    /** Pause between the steps of a journey. */
    thinkTime: thinkTimeSchema.optional(),
    stages: z.array(arrivalsStageSchema).min(1).max(200),
  }),
]);
export type Load = z.output<typeof loadSchema>;
export type ConnectionsStage = z.output<typeof connectionsStageSchema>;
export type UsersStage = z.output<typeof usersStageSchema>;
export type ArrivalsStage = z.output<typeof arrivalsStageSchema>;
export type Stage = ConnectionsStage | UsersStage | ArrivalsStage;
export type UsersLoad = Extract<Load, { model: 'users' }>;
export type ArrivalsLoad = Extract<Load, { model: 'arrivals' }>;
