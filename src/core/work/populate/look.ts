import { z } from 'zod';

/** Whether a plan has the rows that it needs, and how far its data are made. */
export const populateLookSchema = z.strictObject({
  feeds: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      /** So many rows the load takes at the same time. */
      needed: z.int(),
      /** null when the file cannot be read. */
      rows: z.int().nullable(),
    }),
  ),
  problems: z.array(z.strictObject({ message: z.string(), hint: z.string() })),
  /** null when the plan does not say how its data are made. */
  populate: z
    .strictObject({
      feed: z.string(),
      perSecond: z.number(),
      /** Whether the plan says how what was made is removed. */
      removes: z.boolean(),
      commands: z.array(z.string()),
      /** Rows of its feed. */
      total: z.int(),
      /** Of them, those that were made on the target. */
      made: z.int(),
      record: z.string(),
      target: z.string(),
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type PopulateLook = z.infer<typeof populateLookSchema>;
