import { z } from 'zod';

/** SQL statements by which each step in the life of a run or a store is recognized. */
export const STATEMENTS = {
  start: /^\s*INSERT INTO runs\b/,
  append: /^\s*INSERT INTO windows\b/,
  fold: /^\s*DELETE FROM windows\b/,
  end: /^\s*UPDATE runs SET state = @state, ended_at\b/,
  result: /^\s*UPDATE run_details SET result\b/,
  copy: /^\s*VACUUM INTO\b/,
  migration: /^\s*(CREATE|ALTER)\b/,
} as const;
export type Step = keyof typeof STATEMENTS;

/**
 * The process is killed `before` the statement, `within` the statement's transaction, or `after` the commit. `nth` counts statements from
 * 1; for a worker, it is the number of ms after the worker's start.
 */
export const killPointSchema = z.strictObject({
  step: z.enum(['start', 'append', 'fold', 'end', 'result', 'copy', 'migration', 'worker']),
  moment: z.enum(['before', 'within', 'after']),
  nth: z.int().positive(),
});
export type KillPoint = z.infer<typeof killPointSchema>;

/** Returns the argument of `node --import` that kills the program at this point. */
export const killerFor = (point: KillPoint): string =>
  new URL(`killAt.ts?${encodeURIComponent(JSON.stringify(point))}`, import.meta.url).href;
