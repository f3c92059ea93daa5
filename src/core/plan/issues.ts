import { z } from 'zod';

/** One problem of a plan. `path` is written as a person would find it: `targets[0].url`. */
export const issueSchema = z.strictObject({
  level: z.enum(['error', 'warning']),
  /** Stable name of the kind of problem, e.g. `STAGE_NEEDS_ONE_END`. */
  code: z.string(),
  path: z.string(),
  message: z.string(),
  hint: z.string(),
});
export type Issue = z.infer<typeof issueSchema>;
