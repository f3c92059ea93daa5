import { z } from 'zod';
import { nameSchema, httpUrlSchema, sqlUrlSchema } from './url.ts';
import { valueNameSchema } from './journey.ts';
import { stepSchema } from './step.ts';

const commandShape = {
  /** A command line for the shell of this computer. */
  run: z.string().trim().min(1).max(2_000),
  timeoutSeconds: z.number().positive().max(3_600).default(60),
};

/** A command of a plan, or only its command line. It runs only if the user has agreed. */
export const commandSchema = z.union([commandShape.run.transform((run) => ({ run, timeoutSeconds: 60 })), z.strictObject(commandShape)]);
export type PlanCommand = z.output<typeof commandSchema>;

const sharedShape = {
  name: nameSchema,
  /** The step whose successful responses each store one item. */
  step: nameSchema,
  /**
   * A text of `step` that differs in each item, such as `{{order}}`. If it is given, the target lists these texts, and items are compared
   * individually.
   */
  marker: z.string().min(1).max(500).optional(),
  /**
   * The count is work from `step` that the target has not finished, such as photos to scale down or mails in a queue. It does not prove
   * that anything is stored.
   */
  counts: z.literal('unfinished').optional(),
};

/** Maximum number of items that are compared individually. Further items are not compared. */
export const MAX_COMPARED_ITEMS = 100_000;
/** Maximum length of a marker in characters. Longer markers are cut. */
export const MAX_MARKER_CHARACTERS = 200;

/** Returns a marker in the form in which it is compared. */
export function normalizeMarker(text: string): string {
  return text.trim().slice(0, MAX_MARKER_CHARACTERS);
}

/**
 * A number that the target counts, read before the load and again when nothing more is stored after it: rows of a table, files in a folder.
 * It has one of three sources.
 */
export const storedSchema = z.union([
  /** Address that returns a number, or JSON with the number at `path`. */
  z.strictObject({ ...sharedShape, url: httpUrlSchema, path: z.string().min(1).max(500).default('$') }),
  /** First value of the first row of a query to PostgreSQL or MySQL. `connection` is postgres://… or mysql://… */
  z.strictObject({ ...sharedShape, sql: z.string().trim().min(1).max(5_000), connection: sqlUrlSchema }),
  /** Command whose last line of output is a number. It runs only if the user has agreed. */
  z.strictObject({ ...sharedShape, command: commandSchema }),
]);
export type StoredCount = z.output<typeof storedSchema>;

/** Returns the command lines that a plan would run on this computer, to ask for consent. */
export function listCountCommands(stored: readonly StoredCount[] | undefined): string[] {
  return (stored ?? []).flatMap((count) => ('command' in count ? [count.command.run] : []));
}

/**
 * How the plan's data are created on its target: once per row of a feed, by a journey through the target's pages or by a command. For each
 * field, see docs/journeys.md.
 */
export const populateSchema = z.strictObject({
  /** Feed whose rows are created. */
  feed: valueNameSchema,
  /** Column that identifies a row. Default: `username`, or else the first column that is not secret. */
  key: z.string().min(1).max(200).optional(),
  /** Maximum number of rows started per second. */
  perSecond: z.number().positive().max(1_000).default(5),
  /** Maximum number of rows that are created at the same time. */
  atOnce: z.int().min(1).max(200).default(5),
  /** Journey for each row. Either this or `command`. */
  journey: z.array(stepSchema).min(1).max(50).optional(),
  /** Journey that removes a created row; `{{created.NAME}}` is what `journey` captured for it. */
  remove: z.array(stepSchema).min(1).max(50).optional(),
  /**
   * Command for each row. It gets the row's values in HOLDFAST_ROW_COLUMN, one variable per column (also under its common name: USERNAME,
   * PASSWORD …).
   */
  command: commandSchema.optional(),
  removeCommand: commandSchema.optional(),
});
export type Populate = z.output<typeof populateSchema>;

/** Name of the feed in `{{created.NAME}}`, for journeys that remove rows. */
export const CREATED_FEED = 'created';

export const POPULATE_MODES = ['create', 'remove'] as const;
export type PopulateMode = (typeof POPULATE_MODES)[number];
