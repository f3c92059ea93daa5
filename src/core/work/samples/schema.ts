import { z } from 'zod';

/** One request with what came of it, for people to look at. Secrets are masked; texts are cut to a size that can be kept. */
const messageSchema = z.strictObject({
  /** First line and headers. */
  head: z.string(),
  /** Decoded as far as it is text. */
  body: z.string(),
  /** Of the whole body as it went over the line. */
  bodyBytes: z.int(),
  /** The body was longer than what is shown of it. */
  isCut: z.boolean(),
});

export const sampleSchema = z.strictObject({
  /** Name of the request, as figures are told of it. */
  request: z.string(),
  /** null when the answer was good; else why not, as errors are counted: `status 500`, `ECONNRESET@body`, `TEXT_MISSING “Welcome”@check`. */
  failure: z.string().nullable(),
  sent: messageSchema.nullable(),
  received: messageSchema.nullable(),
  /** Service time; null when no complete answer came. */
  serviceMs: z.number().nullable(),
  /** What was taken out of the answer: names and values. */
  captured: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** Whose journey it belongs to: the number of the user or the arrival. Left out where nobody walks. */
  user: z.int().optional(),
});
export type Sample = z.infer<typeof sampleSchema>;
export type SampleMessage = NonNullable<Sample['sent']>;

/**
 * Which requests of a load are kept: the first few failures of each kind, all of a journey that is tried once, or all of journeys of
 * which each must be known, however many: those are kept short.
 */
export const SAMPLING = ['failures', 'everything', 'journeys'] as const;
export type Sampling = (typeof SAMPLING)[number];
