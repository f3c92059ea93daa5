import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';

/** Preview of the feeds of a plan and of the created data. */
export const populatePreviewSchema = z.strictObject({
  feeds: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      /** Number of rows that the load uses at the same time. */
      needed: z.int(),
      /** Number of rows in the file; null if it cannot be read. */
      rows: z.int().nullable(),
      /** Used rows of a feed with `order: once`, with the names of the first ones; `rows` does not include them. null for other feeds. */
      spent: z.strictObject({ count: z.int(), names: z.array(z.string()) }).nullable(),
      /** Whether the rows are accounts, with a column of user names. */
      areAccounts: z.boolean(),
    }),
  ),
  problems: z.array(z.strictObject({ message: z.string(), hint: z.string() })),
  /** How the data of the feed are created; null if the plan does not define this. */
  populate: z
    .strictObject({
      feed: z.string(),
      perSecond: z.number(),
      /** Whether the plan defines how created data are removed. */
      removes: z.boolean(),
      commands: z.array(z.string()),
      /** Number of rows in the feed. */
      total: z.int(),
      /** Number of rows created on the target. */
      made: z.int(),
      record: z.string(),
      target: z.string(),
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type PopulatePreview = z.infer<typeof populatePreviewSchema>;

/** Maximum number of names in a sentence. */
const MAX_SHOWN_ROWS = 8;

type List = Pick<PopulatePreview['feeds'][number], 'rows' | 'spent' | 'areAccounts'>;

/** Returns a text such as “12 of 30 accounts are left. Spent: s01, s02 and 16 more.”; null for feeds whose rows can be used again. */
export function formatRowsLeft({ rows, spent, areAccounts }: List): string | null {
  if (rows === null || spent === null) return null;
  const left = `${formatCount(rows)} of ${formatCount(rows + spent.count)} ${areAccounts ? 'accounts' : 'rows'} are left.`;
  if (spent.count === 0) return left;
  const more = spent.count > MAX_SHOWN_ROWS ? ` and ${formatCount(spent.count - MAX_SHOWN_ROWS)} more` : '';
  return `${left} Spent: ${spent.names.slice(0, MAX_SHOWN_ROWS).join(', ')}${more}.`;
}

const rowFailureSchema = z.strictObject({
  /** Row number in the feed, from 1. */
  row: z.int(),
  key: z.string(),
  reason: z.string(),
});

/** Progress and result of a populate. */
export const populateStateSchema = z.strictObject({
  id: z.string(),
  mode: z.enum(POPULATE_MODES),
  state: z.enum(['running', 'finished', 'stopped', 'failed']),
  /** Number of rows in the feed. */
  total: z.int(),
  /** Number of rows that are skipped because they were created (or removed) before. */
  before: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Number of rows that were not tried. */
  left: z.int(),
  /** The first failures, at most {@link MAX_LISTED_FAILURES}. */
  failures: z.array(rowFailureSchema),
  /** Why the populate ended early; null if it did not. */
  because: z.string().nullable(),
  /** Who stopped the populate; null if it was not stopped. */
  stoppedBy: z.enum(['user', 'holdfast']).nullable(),
  /** Path of the file that records the created rows. */
  record: z.string(),
  target: z.string(),
});
export type PopulateState = z.infer<typeof populateStateSchema>;

/** Maximum number of failures in the state. The record contains all of them. */
export const MAX_LISTED_FAILURES = 100;
