import { z } from 'zod';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';

const rowFailureSchema = z.strictObject({
  /** From 1, as rows of the feed. */
  row: z.int(),
  key: z.string(),
  reason: z.string(),
});
export type RowFailure = z.infer<typeof rowFailureSchema>;

/** How far a populate is, and what became of it. */
export const populateStateSchema = z.strictObject({
  id: z.string(),
  mode: z.enum(POPULATE_MODES),
  state: z.enum(['running', 'finished', 'stopped', 'failed']),
  /** Rows of the feed. */
  total: z.int(),
  /** Rows that had been made (or removed) before it began: they are left alone. */
  before: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Rows that were not tried. */
  left: z.int(),
  /** The first of them. */
  failures: z.array(rowFailureSchema),
  /** Why it ended early. */
  because: z.string().nullable(),
  /** Who stopped it; null where nobody did. */
  stoppedBy: z.enum(['user', 'holdfast']).nullable(),
  /** The file that says which rows were made. */
  record: z.string(),
  target: z.string(),
});
export type PopulateState = z.infer<typeof populateStateSchema>;

/** Failures that are told one by one; the record has all. */
export const MOST_FAILURES_TOLD = 100;
