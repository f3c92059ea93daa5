import { z } from 'zod';

/** Distribution of the times in a run, over all and by second; built by `buildDistribution.ts`. */
export const distributionSchema = z.strictObject({
  /** Percentile lines of the counted stages (of all stages if those had no response), from the fastest to the slowest response. */
  lines: z.array(
    z.strictObject({
      kind: z.enum(['response', 'service']),
      points: z.array(z.strictObject({ percentile: z.number(), ms: z.number() })),
    }),
  ),
  /** Number of responses of all stages by time and duration. `edgesMs`: limits of the rows, one more than rows. */
  heatmap: z.strictObject({
    columns: z.array(z.strictObject({ second: z.number(), width: z.number(), counts: z.array(z.int()) })),
    edgesMs: z.array(z.number()),
  }),
});
export type Distribution = z.infer<typeof distributionSchema>;
