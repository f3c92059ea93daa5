import { z } from 'zod';

/**
 * The role of a machine in a test: it sends the load, responds to it, or lies between the two (a proxy, or a database behind the target).
 */
export const ROLES = ['generator', 'target', 'hop'] as const;
export type Role = (typeof ROLES)[number];

/** A kernel setting that Holdfast can change with the user's consent: its `sysctl` name and both values. */
export const settingChangeSchema = z.strictObject({ setting: z.string(), from: z.string(), to: z.string() });
export type SettingChange = z.infer<typeof settingChangeSchema>;

const remedySchema = z.strictObject({
  text: z.string(),
  /** Shell command to copy; null if there is none. */
  command: z.string().nullable(),
  /** Command that undoes `command`. */
  undo: z.string().nullable(),
  risk: z.string(),
  /** Present if Holdfast can make the change itself. */
  change: settingChangeSchema.optional(),
});
export type Remedy = z.infer<typeof remedySchema>;

/** One finding of the check of a machine before a run. */
export const checkFindingSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['ok', 'info', 'warning', 'problem', 'unknown']),
  /** The reading in words: "28,232 ephemeral ports". */
  title: z.string(),
  evidence: z.string(),
  matters: z.string(),
  /** What to do about the finding; null if nothing is to be done. */
  remedy: remedySchema.nullable(),
  /** Background of the check, and common misconceptions. */
  explain: z.string().optional(),
  /** Second of the load at which this finding would stall it, if that can be calculated. */
  stallsAtSecond: z.number().optional(),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

/** A setting that Holdfast changed on a machine with the user's consent. */
export const hostChangeSchema = z.strictObject({
  id: z.int(),
  /** Name of the host; null for this computer. */
  host: z.string().nullable(),
  /** Id of the check that recommended the change. */
  check: z.string(),
  ...settingChangeSchema.shape,
  appliedAt: z.iso.datetime(),
});
export type HostChange = z.infer<typeof hostChangeSchema>;

/** Returns a sentence such as "Holdfast changed net.ipv4.tcp_tw_reuse on web1 from 0 to 1 before this run." */
export function changeWords({ host, setting, from, to }: HostChange): string {
  return `Holdfast changed ${setting} on ${host ?? 'this computer'} from ${from} to ${to} before this run.`;
}
