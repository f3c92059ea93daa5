import { z } from 'zod';

/** What a machine is for a load: it sends it, it is asked, or it stands in between (a proxy, a database behind the target). */
export const ROLES = ['generator', 'target', 'hop'] as const;
export type Role = (typeof ROLES)[number];

/** A setting of the kernel that Holdfast can change itself, once a person agrees: what `sysctl` calls it, and its values. */
export const settingChangeSchema = z.strictObject({ setting: z.string(), from: z.string(), to: z.string() });
export type SettingChange = z.infer<typeof settingChangeSchema>;

const remedySchema = z.strictObject({
  text: z.string(),
  /** Can be copied; null when there is no command for it. */
  command: z.string().nullable(),
  /** Takes the command back. */
  undo: z.string().nullable(),
  risk: z.string(),
  /** What the command changes, where Holdfast could do it itself. */
  change: settingChangeSchema.optional(),
});
export type Remedy = z.infer<typeof remedySchema>;

/** One line of the check of a machine before a run: "level · what · why it matters for this plan · fix". */
export const checkFindingSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['ok', 'info', 'warning', 'problem', 'unknown']),
  /** What was read, in words: "28,232 ephemeral ports". */
  title: z.string(),
  evidence: z.string(),
  /** Why it matters for this plan. */
  matters: z.string(),
  /** What to do; null when there is nothing to do. */
  remedy: remedySchema.nullable(),
  /** The story behind it, and what is often believed wrongly. */
  explain: z.string().optional(),
  /** The second of the load at which it would stop it, where that can be reckoned. */
  stallsAtSecond: z.number().optional(),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

/** A setting that Holdfast has changed on a machine, after a person agreed. */
export const hostChangeSchema = z.strictObject({
  id: z.int(),
  /** Name of the host; null: this computer. */
  host: z.string().nullable(),
  /** Id of the check that advised it. */
  check: z.string(),
  ...settingChangeSchema.shape,
  appliedAt: z.iso.datetime(),
});
export type HostChange = z.infer<typeof hostChangeSchema>;

/** "net.ipv4.tcp_tw_reuse of web1 was changed from 0 to 1 by Holdfast." */
export function changeWords({ host, setting, from, to }: HostChange): string {
  return `Holdfast changed ${setting} on ${host ?? 'this computer'} from ${from} to ${to} before this run.`;
}
