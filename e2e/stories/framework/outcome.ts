import { z } from 'zod';

const figureSchema = z.strictObject({
  name: z.string(),
  unit: z.string(),
  predicted: z.number().nullable(),
  measured: z.number().nullable(),
  logged: z.number().nullable(),
  within: z.number(),
  agreeWithin: z.number().optional(),
  /** Why the figure is wrong, or null. */
  wrong: z.string().nullable(),
});
export type JudgedFigure = z.infer<typeof figureSchema>;

/** How a story ended. */
export const endingSchema = z.discriminatedUnion('kind', [
  /** The machine lacks something that the story needs. */
  z.strictObject({ kind: z.literal('skipped'), why: z.string() }),
  z.strictObject({
    kind: z.literal('reported'),
    passed: z.boolean(),
    parameters: z.unknown(),
    figures: z.array(figureSchema),
    /** Number of seconds in which this machine was overloaded according to the app. */
    overloadedSeconds: z.int(),
    /** Number of attempts. A story is repeated if it failed while this machine was overloaded. */
    times: z.int().min(1),
  }),
  /** The story could not be played until its end. */
  z.strictObject({ kind: z.literal('broken'), parameters: z.unknown(), why: z.string() }),
]);
export type Ending = z.infer<typeof endingSchema>;

export const outcomeSchema = z.strictObject({ id: z.string(), seconds: z.number(), ending: endingSchema });
export type Outcome = z.infer<typeof outcomeSchema>;
