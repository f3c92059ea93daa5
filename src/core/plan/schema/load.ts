import { z } from 'zod';

/** The load models of docs/method.md, as a plan says them. */

export const MAX_CONNECTIONS = 20_000;
export const MAX_USERS = 20_000;
export const MAX_REQUESTS = 1_000_000_000;
export const MAX_STAGE_SECONDS = 7 * 24 * 3_600;
export const MAX_ARRIVALS_PER_SECOND = 1_000_000;
/** Journeys that may be on their way at the same time when a plan does not say how many. */
export const DEFAULT_MAX_IN_FLIGHT = 10_000;

const stageNameSchema = z.string().trim().min(1).max(60);
const stageSeconds = z.number().positive().max(MAX_STAGE_SECONDS);
const shortSeconds = z.number().min(0).max(MAX_STAGE_SECONDS);
const rate = z.number().min(0).max(MAX_ARRIVALS_PER_SECOND);

const stageShape = {
  name: stageNameSchema.optional(),
  /** A stage that is not counted (warm-up, ramp-up, recovery) is shown but never judged. */
  counted: z.boolean().default(true),
};

/**
 * A stage of the closed model `connections`: each connection sends its next request when the last answer has arrived.
 * It ends after `requests` requests in all (shared among the connections) or after `seconds`.
 */
export const connectionsStageSchema = z.strictObject({
  ...stageShape,
  connections: z.int().min(1).max(MAX_CONNECTIONS),
  requests: z.int().min(1).max(MAX_REQUESTS).optional(),
  seconds: stageSeconds.optional(),
});

/**
 * A stage of the closed model `users`: a number of users walk through journeys, pausing after each answer. They start, or leave, one after the other over
 * `startUpSeconds`; what happens before their number is reached is not counted.
 */
export const usersStageSchema = z.strictObject({
  ...stageShape,
  users: z.int().min(1).max(MAX_USERS),
  startUpSeconds: shortSeconds.default(0),
  /** How long all of them run. */
  seconds: stageSeconds,
  /** What happens while they start is counted too: a rush of people who log in. */
  startUpCounts: z.boolean().optional(),
  /** The users of the stage before stay as they are: only further ones start, or those who are too many leave. Left out, they do unless the stage begins with a rest. */
  continues: z.boolean().optional(),
  /** Without any load before the first of them starts, for the server to come to rest after the stage before. */
  restSeconds: shortSeconds.default(0),
});

const arrivalsShape = {
  ...stageShape,
  /** Instead of the limit of the whole load. */
  maxInFlight: z.int().min(1).max(MAX_USERS).optional(),
};

/**
 * A stage of the open model `arrivals`: journeys begin at a rate, whether or not earlier ones are answered. What Artillery's
 * phases say is said so: `arrivalRate` is `constant`, with `rampTo` it is `ramp`, `arrivalCount` is `count`, `maxVusers` is `maxInFlight`.
 */
export const arrivalsStageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), ...arrivalsShape, perSecond: rate, seconds: stageSeconds }),
  /** From one rate to another on a straight line. */
  z.strictObject({ kind: z.literal('ramp'), ...arrivalsShape, fromPerSecond: rate, toPerSecond: rate, seconds: stageSeconds }),
  /** So many arrivals, evenly spread. */
  z.strictObject({ kind: z.literal('count'), ...arrivalsShape, arrivals: z.int().min(1).max(MAX_REQUESTS), seconds: stageSeconds }),
  /** No arrivals. */
  z.strictObject({
    kind: z.literal('pause'),
    name: stageNameSchema.optional(),
    counted: z.literal(false).default(false),
    seconds: stageSeconds,
  }),
  /** A staircase: `steps` levels of equal height, the first at `fromPerSecond`, the last at `toPerSecond`. */
  z.strictObject({
    kind: z.literal('steps'),
    ...arrivalsShape,
    fromPerSecond: rate,
    toPerSecond: rate,
    steps: z.int().min(2).max(1_000),
    secondsEach: stageSeconds,
  }),
  /** A base load, a peak, and the base load again; `rampSeconds` is the length of each flank. */
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

/** How long a user pauses between an answer and the next request. */
export const thinkTimeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), seconds: shortSeconds }),
  z.strictObject({ kind: z.literal('uniform'), fromSeconds: shortSeconds, toSeconds: shortSeconds }),
  z.strictObject({ kind: z.literal('exponential'), meanSeconds: stageSeconds }),
]);
export type ThinkTime = z.output<typeof thinkTimeSchema>;

/** `uniform`: evenly along the rate. `poisson`: as people arrive who know nothing of each other. */
export const SPACINGS = ['uniform', 'poisson'] as const;

/** How the stages are to be understood: all of them are of one model. */
export const loadSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('connections'), stages: z.array(connectionsStageSchema).min(1).max(200) }),
  z.strictObject({
    model: z.literal('users'),
    thinkTime: thinkTimeSchema.optional(),
    /** From the beginning of a journey of a user to that of the next, at least. */
    paceSeconds: stageSeconds.optional(),
    stages: z.array(usersStageSchema).min(1).max(200),
  }),
  z.strictObject({
    model: z.literal('arrivals'),
    spacing: z.enum(SPACINGS).default('uniform'),
    /** Journeys that may be on their way at the same time; arrivals beyond it are not started, because the target owes answers. */
    maxInFlight: z.int().min(1).max(MAX_USERS).default(DEFAULT_MAX_IN_FLIGHT),
    /** Between the steps of a journey. */
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
