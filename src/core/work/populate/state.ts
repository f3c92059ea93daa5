import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import { POPULATE_MODES } from '#core/plan/schema/populate.ts';

/** Whether a plan has the rows that it needs, and how far its data are made. */
export const populatePreviewSchema = z.strictObject({
  feeds: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string(),
      /** So many rows the load takes at the same time. */
      needed: z.int(),
      /** null when the file cannot be read. */
      rows: z.int().nullable(),
      /** Rows that are used up, of a list with `order: once`, and names of the first of them; `rows` is without them. null for other lists. */
      spent: z.strictObject({ count: z.int(), names: z.array(z.string()) }).nullable(),
      /** Whether its rows are accounts: one column has user names. */
      areAccounts: z.boolean(),
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
export type PopulatePreview = z.infer<typeof populatePreviewSchema>;

/** Names in one sentence. */
const MAX_SHOWN = 8;

type List = Pick<PopulatePreview['feeds'][number], 'rows' | 'spent' | 'areAccounts'>;

/** “12 of 30 accounts are left. Spent: s01, s02 and 16 more.” null for a list whose rows may be used again. */
export function rowsLeftWords({ rows, spent, areAccounts }: List): string | null {
  if (rows === null || spent === null) return null;
  const left = `${formatCount(rows)} of ${formatCount(rows + spent.count)} ${areAccounts ? 'accounts' : 'rows'} are left.`;
  if (spent.count === 0) return left;
  const more = spent.count > MAX_SHOWN ? ` and ${formatCount(spent.count - MAX_SHOWN)} more` : '';
  return `${left} Spent: ${spent.names.slice(0, MAX_SHOWN).join(', ')}${more}.`;
}

const rowFailureSchema = z.strictObject({
  /** From 1, as rows of the feed. */
  row: z.int(),
  key: z.string(),
  reason: z.string(),
});

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
