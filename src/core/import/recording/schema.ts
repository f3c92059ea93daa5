import { z } from 'zod';

/** What kind of place of a response a value came from, for people. */
const placeKindSchema = z.enum(['field', 'attribute', 'json', 'header', 'address', 'script', 'text', 'cookie']);
export type PlaceKind = z.infer<typeof placeKindSchema>;

/** A value of a request that came from an earlier response: it is another one in each session. */
export const foundValueSchema = z.strictObject({
  /** As `{{name}}` in the plan. */
  name: z.string(),
  /** The step whose response it is taken of. */
  from: z.string(),
  kind: placeKindSchema,
  /** What it is called there. */
  called: z.string(),
  /** The first step that sends it, and as what. */
  usedIn: z.string(),
  usedAs: z.string(),
});
export type FoundValue = z.infer<typeof foundValueSchema>;

/** What came back of a step at its end. */
const outcomeSchema = z.strictObject({ status: z.int(), title: z.string().nullable(), bytes: z.number() });
export type Outcome = z.infer<typeof outcomeSchema>;

/** Why a step does not do what it did. */
const departureSchema = z.union([
  z.strictObject({ kind: z.enum(['notReached', 'status', 'title', 'login', 'size', 'redirect', 'refused']) }),
  z.strictObject({ kind: z.literal('failure'), failure: z.string() }),
]);
export type Departure = z.infer<typeof departureSchema>;

/** A step as it was recorded, and as Holdfast walked it by itself. */
export const comparedStepSchema = z.strictObject({
  step: z.string(),
  recorded: outcomeSchema.nullable(),
  tried: outcomeSchema.nullable(),
  isSame: z.boolean(),
  /** Of a step that is not the same, the reason in the words of the server; null where it gives none. */
  says: z.string().nullable(),
  /** null where it is the same. */
  why: departureSchema.nullable(),
});
export type ComparedStep = z.infer<typeof comparedStepSchema>;

/** A step that a walk as another account does not send, and the value that no response to that account shows. */
export const heldBackSchema = z.strictObject({ step: z.string(), called: z.string(), value: z.string() });
export type HeldBack = z.infer<typeof heldBackSchema>;
