import { z } from 'zod';

/** How the times of a run are spread, over all of it and second by second; `buildDistribution.ts` makes it. */
export const distributionSchema = z.strictObject({
  /** The times that shares of the answers of the counted stages (of all, where those had none) stayed within, from the fastest to the slowest one. */
  lines: z.array(
    z.strictObject({
      kind: z.enum(['response', 'service']),
      points: z.array(z.strictObject({ percentile: z.number(), ms: z.number() })),
    }),
  ),
  /** How many answers of all stages took how long, when. `edgesMs` are the ends of the rows, one more than there are rows. */
  heatmap: z.strictObject({
    columns: z.array(z.strictObject({ second: z.number(), width: z.number(), counts: z.array(z.int()) })),
    edgesMs: z.array(z.number()),
  }),
});
export type Distribution = z.infer<typeof distributionSchema>;
