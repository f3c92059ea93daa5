import { z } from 'zod';
import { nameSchema } from './text.ts';

const count = z.number().positive().max(1_000_000_000);
const seconds = z
  .number()
  .positive()
  .max(366 * 24 * 3_600);

/** What the real thing will ask for. A result says how much more was measured than this, never more than was measured. */
export const demandSchema = z.strictObject({
  /** Good answers a second, at its busiest. */
  requestsPerSecond: z.number().positive().max(10_000_000).optional(),
  /** Who asks for that, so that head-room can be told in them: 750 participants. */
  people: z.strictObject({ count, name: nameSchema }).optional(),
  /** Results that a step polls for: what is handed in over the whole time, and how much of it in the rush at its end. */
  results: z
    .strictObject({
      step: nameSchema,
      count,
      overSeconds: seconds,
      rush: z.strictObject({ count, overSeconds: seconds }).optional(),
    })
    .optional(),
});
export type Demand = z.output<typeof demandSchema>;
