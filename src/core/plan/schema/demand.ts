import { z } from 'zod';
import { nameSchema } from './url.ts';

const count = z.number().positive().max(1_000_000_000);
const seconds = z
  .number()
  .positive()
  .max(366 * 24 * 3_600);

/** Expected real demand. A result reports by how much it was exceeded, at most up to the measured load. */
export const demandSchema = z.strictObject({
  /** Successful responses per second at peak. */
  requestsPerSecond: z.number().positive().max(10_000_000).optional(),
  /** People who cause the demand, which are the unit of the headroom: 750 participants. */
  people: z.strictObject({ count, name: nameSchema }).optional(),
  /** Number of results for which a step polls: submissions in total, and in the final rush. */
  results: z
    .strictObject({ step: nameSchema, count, overSeconds: seconds, rush: z.strictObject({ count, overSeconds: seconds }).optional() })
    .optional(),
});
export type Demand = z.output<typeof demandSchema>;
