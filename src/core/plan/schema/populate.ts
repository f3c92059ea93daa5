import { z } from 'zod';
import { valueNameSchema } from './journey.ts';
import { commandSchema } from './command.ts';
import { stepSchema } from './step.ts';

/**
 * How the data that a plan needs are made on its target: once for each row of a feed, by a journey through the target's own pages or by
 * a command. docs/journeys.md tells each field to its reader.
 */
export const populateSchema = z.strictObject({
  /** The feed whose rows are made. */
  feed: valueNameSchema,
  /** Its column by which a row is known again; left out, `username`, else the first that is no secret. */
  key: z.string().min(1).max(200).optional(),
  /** Rows begun in a second, at most. */
  perSecond: z.number().positive().max(1_000).default(5),
  /** Rows on their way at the same time, at most. */
  atOnce: z.int().min(1).max(200).default(5),
  /** Walked once for each row. Either this or `command`. */
  journey: z.array(stepSchema).min(1).max(50).optional(),
  /** Walked once for each row that was made, to take it away again; `{{created.NAME}}` is what `journey` captured for it. */
  remove: z.array(stepSchema).min(1).max(50).optional(),
  /** Run once for each row, which it finds in HOLDFAST_ROW_COLUMN, one variable for each column (also under its common name: USERNAME, PASSWORD …). */
  command: commandSchema.optional(),
  removeCommand: commandSchema.optional(),
});
export type Populate = z.output<typeof populateSchema>;

/** Where `{{created.NAME}}` comes from when rows are removed. */
export const CREATED_FEED = 'created';

export const POPULATE_MODES = ['create', 'remove'] as const;
export type PopulateMode = (typeof POPULATE_MODES)[number];
