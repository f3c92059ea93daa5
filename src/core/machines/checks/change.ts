import { z } from 'zod';
import { settingChangeSchema } from './finding.ts';

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
  return `${setting} of ${host ?? 'this computer'} was changed from ${from} to ${to} by Holdfast before this run.`;
}
