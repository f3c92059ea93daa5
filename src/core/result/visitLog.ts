import { z } from 'zod';
import { visitSchema } from './visits.ts';

/** A `VisitLog` as it is stored and sealed. */
export const visitLogSchema = z.strictObject({
  browser: z.string(),
  from: z.string().nullable().default(null),
  visits: z.array(visitSchema).readonly(),
  stepsBack: z.array(z.strictObject({ second: z.number(), pauseSeconds: z.number().nullable() })).readonly(),
});
