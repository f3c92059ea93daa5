import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';

/** Preview of the feeds of a plan and of the created data. */
export const populatePreviewSchema = z.strictObject({
  feeds: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      /** Number of rows that the load uses at once. */
      needed: z.int(),
      /** null if the file cannot be read. */
      rows: z.int().nullable(),
      /** Used rows of a feed with `order: once`, with the names of the first; `rows` excludes them. null for other feeds. */
      spent: z.strictObject({ count: z.int(), names: z.array(z.string()) }).nullable(),
      /** Whether its rows are accounts, with a column of user names. */
      areAccounts: z.boolean(),
    }),
  ),
  problems: z.array(z.strictObject({ message: z.string(), hint: z.string() })),
  /** null if the plan does not define how its data are created. */
  populate: z
    .strictObject({
      feed: z.string(),
      perSecond: z.number(),
      /** Whether the plan defines how created data are removed. */
      removes: z.boolean(),
      commands: z.array(z.string()),
      /** Number of rows of its feed. */
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

/** Returns a text such as “12 of 30 accounts are left. Spent: s01, s02 and 16 more.”; null for feeds whose rows are reusable. */
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
  /** Rows of the feed. */
  total: z.int(),
  /** Rows that were created (or removed) before and are skipped. */
  before: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Number of rows not tried. */
  left: z.int(),
  /** The first failures. */
  failures: z.array(rowFailureSchema),
  /** Why it ended early. */
  because: z.string().nullable(),
  /** Who stopped it; null if it was not stopped. */
  stoppedBy: z.enum(['user', 'holdfast']).nullable(),
  /** File that records the created rows. */
  record: z.string(),
  target: z.string(),
});
export type PopulateState = z.infer<typeof populateStateSchema>;

/** Maximum number of failures in the state; the record contains all. */
export const MAX_LISTED_FAILURES = 100;
