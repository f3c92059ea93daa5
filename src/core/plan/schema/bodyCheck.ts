import { z } from 'zod';

const not = z.boolean().default(false);

/** Required content of a response body. `not` inverts a check. Sizes are in bytes before decompression. */
export const bodyCheckSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('contains'), text: z.string().min(1).max(10_000), not }),
  /** `pattern` is the source of a JavaScript regular expression. */
  z.strictObject({ kind: z.literal('matches'), pattern: z.string().min(1).max(1_000), flags: z.string().max(6).default(''), not }),
  /** Without `equals`: the path must exist. */
  z.strictObject({
    kind: z.literal('json'),
    path: z.string().min(1).max(500),
    equals: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]).optional(),
    not,
  }),
  /**
   * An HTML page whose title and heading show no error and which, by default, asks for no login. `mayBeOther`: other content is
   * also valid. `withoutErrors`: the page shows no error message either.
   */
  z.strictObject({
    kind: z.literal('page'),
    mayHaveLogin: z.boolean().default(false),
    mayBeOther: z.boolean().optional(),
    withoutErrors: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('size'), minBytes: z.int().min(0).optional(), maxBytes: z.int().min(0).optional() }),
]);
export type BodyCheck = z.output<typeof bodyCheckSchema>;
