import { z } from 'zod';
import { commandSchema } from './command.ts';
import { nameSchema } from './text.ts';
import { httpUrlSchema, sqlUrlSchema } from './url.ts';

const shared = {
  name: nameSchema,
  /** The step each good answer to which should make it one more. */
  step: nameSchema,
};

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
