import { z } from 'zod';

const not = z.boolean().default(false);

/** What the body of a good answer must hold. `not` turns a check round. Sizes are bytes as they came, before unpacking. */
export const bodyCheckSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('contains'), text: z.string().min(1).max(10_000), not }),
  /** `pattern` is the source of a JavaScript regular expression. */
  z.strictObject({ kind: z.literal('matches'), pattern: z.string().min(1).max(1_000), flags: z.string().max(6).default(''), not }),
  /** Without `equals`, that there is something at the path. */
  z.strictObject({
    kind: z.literal('json'),
    path: z.string().min(1).max(500),
    equals: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]).optional(),
    not,
  }),
  /**
   * An HTML page that is no error page by its title or heading and, unless it may, asks for no login. `mayBeOther`: whatever is no HTML is right too.
   * `withoutErrors`: it shows no error message either.
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
