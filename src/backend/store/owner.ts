import { z } from 'zod';
import type { ProcessIdentity } from '#engine/processIdentity.ts';

/** The columns that say which process a row belongs to while it is being written. */
export const OWNER_COLUMNS = {
  owner_pid: z.int(),
  owner_start: z.string(),
  owner_boot: z.string(),
  owner_namespace: z.string(),
};
type Owned = z.output<z.ZodObject<typeof OWNER_COLUMNS>>;

export function ownerOf(record: Owned): ProcessIdentity {
  return {
    pid: record.owner_pid,
    startTime: record.owner_start,
    bootId: record.owner_boot,
    pidNamespace: record.owner_namespace,
  };
}
