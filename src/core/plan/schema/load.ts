import { z } from 'zod';

/** Maximum number of connections of a stage. docs/method.md describes the load models. */

export const MAX_CONNECTIONS = 20_000;
export const MAX_USERS = 20_000;
export const MAX_REQUESTS = 1_000_000_000;
export const MAX_STAGE_SECONDS = 7 * 24 * 3_600;
export const MAX_ARRIVALS_PER_SECOND = 1_000_000;
/** Default maximum number of concurrent journeys. */
export const DEFAULT_MAX_IN_FLIGHT = 10_000;

const stageNameSchema = z.string().trim().min(1).max(60);
const stageSeconds = z.number().positive().max(MAX_STAGE_SECONDS);
const shortSeconds = z.number().min(0).max(MAX_STAGE_SECONDS);
const rate = z.number().min(0).max(MAX_ARRIVALS_PER_SECOND);

const stageShape = {
  name: stageNameSchema.optional(),
  /** Whether the stage is judged. If false, it (a warm-up, a ramp-up, a recovery) is only shown. */
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
 * A stage of the closed model `users`: users walk through journeys, with pauses after responses. They start or leave evenly over
 * `startUpSeconds`. Requests before the full number is reached do not count, unless `startUpCounts` is set.
 */
export const usersStageSchema = z.strictObject({
  ...stageShape,
  users: z.int().min(1).max(MAX_USERS),
  startUpSeconds: shortSeconds.default(0),
  /** Duration with all users, in seconds. */
  seconds: stageSeconds,
  /** Whether the start-up counts, as in a rush of people who log in. */
  startUpCounts: z.boolean().optional(),
  /** Whether users of the previous stage stay, and only the difference starts or leaves. Default: true without a rest before the stage. */
  continues: z.boolean().optional(),
  /** Idle time in seconds before the first user starts, in which the server can recover from the previous stage. */
  restSeconds: shortSeconds.default(0),
});

const arrivalsShape = {
  ...stageShape,
  /** Maximum number of concurrent journeys in this stage. Default: the maximum of the whole load. */
  maxInFlight: z.int().min(1).max(MAX_USERS).optional(),
};

/**
 * A stage of the open model `arrivals`: journeys start at a rate, independent of responses. Artillery's phases correspond as follows:
 * `arrivalRate` is `constant`, with `rampTo` it is `ramp`, `arrivalCount` is `count`, and `maxVusers` is `maxInFlight`.
 */
export const arrivalsStageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), ...arrivalsShape, perSecond: rate, seconds: stageSeconds }),
  /** A linear change from one rate to another. */
  z.strictObject({ kind: z.literal('ramp'), ...arrivalsShape, fromPerSecond: rate, toPerSecond: rate, seconds: stageSeconds }),
  /** A number of arrivals, spread evenly. */
  z.strictObject({ kind: z.literal('count'), ...arrivalsShape, arrivals: z.int().min(1).max(MAX_REQUESTS), seconds: stageSeconds }),
  /** A pause without arrivals. */
  z.strictObject({
    kind: z.literal('pause'),
    name: stageNameSchema.optional(),
    counted: z.literal(false).default(false),
    seconds: stageSeconds,
  }),
  /** A staircase: `steps` levels with equal increments from `fromPerSecond` to `toPerSecond`. */
  z.strictObject({
    kind: z.literal('steps'),
    ...arrivalsShape,
    fromPerSecond: rate,
    toPerSecond: rate,
    steps: z.int().min(2).max(1_000),
    secondsEach: stageSeconds,
  }),
  /** A spike: base load, peak, base load. `rampSeconds` is the duration of each flank. */
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

/** `uniform`: evenly spaced. `poisson`: random, as arrivals of independent people. */
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
    /** Maximum number of concurrent journeys. Further arrivals are dropped. */
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
