import { z } from 'zod';

/** Kind of location that a value comes from, as shown to people. */
const placeKindSchema = z.enum(['field', 'attribute', 'json', 'header', 'address', 'script', 'text', 'cookie']);
export type LocationKind = z.infer<typeof placeKindSchema>;

/** A value of a request that comes from an earlier response and differs in each session. */
export const foundValueSchema = z.strictObject({
  /** Name of the placeholder `{{name}}` in the plan. */
  name: z.string(),
  /** The step whose response contains the value. */
  from: z.string(),
  kind: placeKindSchema,
  /** Name of the value in the response. */
  called: z.string(),
  /** The first step that sends the value, and the name of its field there. */
  usedIn: z.string(),
  usedAs: z.string(),
});
export type FoundValue = z.infer<typeof foundValueSchema>;

/** Outcome of the last response to a step. */
const outcomeSchema = z.strictObject({ status: z.int(), title: z.string().nullable(), bytes: z.number() });
export type Outcome = z.infer<typeof outcomeSchema>;

/** Reason why a step differs from the recording. */
const departureSchema = z.union([
  z.strictObject({ kind: z.enum(['notReached', 'status', 'title', 'login', 'size', 'redirect', 'refused']) }),
  z.strictObject({ kind: z.literal('failure'), failure: z.string() }),
]);
export type Departure = z.infer<typeof departureSchema>;

/** A recorded step and the same step of a walk. */
export const comparedStepSchema = z.strictObject({
  step: z.string(),
  recorded: outcomeSchema.nullable(),
  tried: outcomeSchema.nullable(),
  isSame: z.boolean(),
  /** The server’s error text for a step that differs; null if there is none. */
  says: z.string().nullable(),
  /** The difference; null if there is none. */
  why: departureSchema.nullable(),
});
export type ComparedStep = z.infer<typeof comparedStepSchema>;

/** The step that walks as another account do not send, and the value that no response to that account shows. */
export const heldBackSchema = z.strictObject({ step: z.string(), called: z.string(), value: z.string() });
export type HeldBackValue = z.infer<typeof heldBackSchema>;
