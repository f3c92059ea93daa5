import { z } from 'zod';
import { nameSchema } from './text.ts';
import { httpUrlSchema } from './url.ts';

/** A number read periodically during the load: connections of a database, waiting jobs. */
export const watchSchema = z.strictObject({
  name: nameSchema,
  /** Address that returns a number, or JSON with the number. */
  url: httpUrlSchema,
  /** JSON path: `$.connections`. */
  path: z.string().min(1).max(500).default('$'),
  everySeconds: z.number().min(1).max(3_600).default(5),
  /** Upper limit, such as the maximum connections of a database. */
  limit: z.number().positive().optional(),
  /** The step whose successful responses each increase the number by one, such as stored rows. */
  counts: nameSchema.optional(),
});
export type Watched = z.output<typeof watchSchema>;
