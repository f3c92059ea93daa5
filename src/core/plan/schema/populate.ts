import { z } from 'zod';
import { nameSchema } from './text.ts';
import { httpUrlSchema, sqlUrlSchema } from './url.ts';
import { valueNameSchema } from './journey.ts';
import { stepSchema } from './step.ts';

const commandShape = {
  /** One line for the shell of this computer. */
  run: z.string().trim().min(1).max(2_000),
  timeoutSeconds: z.number().positive().max(3_600).default(60),
};

/** A command of a plan; it may be written as its line alone. Whoever runs one asks the person before. */
export const commandSchema = z.union([commandShape.run.transform((run) => ({ run, timeoutSeconds: 60 })), z.strictObject(commandShape)]);
export type PlanCommand = z.output<typeof commandSchema>;

const shared = {
  name: nameSchema,
  /** The step each good answer to which should make it one more. */
  step: nameSchema,
  /** A text of `step` that differs in each item, such as `{{order}}`. The target then lists these texts, and items are compared individually. */
  marker: z.string().min(1).max(500).optional(),
  /** The count is work from `step` that the target has not finished, such as photos to scale down or mails in a queue. It is no proof of storage. */
  counts: z.literal('unfinished').optional(),
};

/** Maximum number of items that are compared individually. Further items are not compared. */
export const MAX_COMPARED_ITEMS = 100_000;
/** Maximum length of a marker in characters. Longer markers are cut. */
export const MAX_MARKER_CHARACTERS = 200;

/** Returns a marker in the form in which it is compared. */
export function comparedMarker(text: string): string {
  return text.trim().slice(0, MAX_MARKER_CHARACTERS);
}

/**
 * A number that the target itself counts, read before the load and when nothing more is stored after it: rows of a table, files in a folder. Exactly one of
 * three ways to read it.
 */
export const storedSchema = z.union([
  /** Answers a number, or JSON that holds it at `path`. */
  z.strictObject({ ...shared, url: httpUrlSchema, path: z.string().min(1).max(500).default('$') }),
  /** The first value of the first row, asked of PostgreSQL or MySQL: `connection` is postgres://… or mysql://… */
  z.strictObject({ ...shared, sql: z.string().trim().min(1).max(5_000), connection: sqlUrlSchema }),
  /** The last line that it writes is a number. The person is asked before it is run. */
  z.strictObject({ ...shared, command: commandSchema }),
]);
export type StoredCount = z.output<typeof storedSchema>;

/** The lines that a plan would run on this computer, to be agreed to. */
export function storedCommands(stored: readonly StoredCount[] | undefined): string[] {
  return (stored ?? []).flatMap((count) => ('command' in count ? [count.command.run] : []));
}

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
