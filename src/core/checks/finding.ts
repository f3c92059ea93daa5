import { z } from 'zod';

/** One line of the check of a machine before a run: "level · what · why it matters for this plan · fix". */
export const checkFindingSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['ok', 'info', 'warning', 'problem', 'unknown']),
  /** What was read, in words: "28,232 ephemeral ports". */
  title: z.string(),
  evidence: z.string(),
  /** Why it matters for this plan. */
  matters: z.string(),
  /** What to do; `command` can be copied, `undo` takes it back. null when there is nothing to do. */
  remedy: z.strictObject({ text: z.string(), command: z.string().nullable(), undo: z.string().nullable(), risk: z.string() }).nullable(),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;
