import { z } from 'zod';
import { nameSchema } from './text.ts';
import { httpUrlSchema } from './url.ts';

/** A number that is read off beside the load, again and again: connections of a database, jobs that wait. */
export const watchSchema = z.strictObject({
  name: nameSchema,
  /** Answers a number, or JSON that holds it. */
  url: httpUrlSchema,
  /** Where it stands in the JSON: `$.connections`. */
  path: z.string().min(1).max(500).default('$'),
  everySeconds: z.number().min(1).max(3_600).default(5),
  /** What must not be reached, such as the most connections that a database allows. */
  limit: z.number().positive().optional(),
  /** The step each good answer to which makes it grow by one, as rows that the target stores do. */
  counts: nameSchema.optional(),
});
export type Watched = z.output<typeof watchSchema>;
