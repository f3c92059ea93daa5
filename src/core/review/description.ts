import { z } from 'zod';
import { issueSchema } from '#core/plan/issues.ts';
import { loadStretchSchema } from '#core/work/load/profile.ts';

/** A plan in words and numbers. null: cannot be told before the run. */
export const descriptionSchema = z.strictObject({
  sentences: z.array(z.string()),
  /** Those of the sentences that tell of the steps, one by one: depth for whoever asks. */
  aboutSteps: z.array(z.string()),
  durationSeconds: z.number().nullable(),
  requests: z.number().nullable(),
  /** Requests per second, where the plan says it (an open model); null for a closed one. */
  arrivalsPerSecond: z.number().nullable(),
  objectives: z.array(z.string()),
  profile: z.array(loadStretchSchema),
  warnings: z.array(issueSchema),
});
export type Description = z.infer<typeof descriptionSchema>;
