import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import type { RunEvent } from './schema.ts';

export const ACCOUNTS_REFUSED_EVENT = 'accountsRefused';

const accountsRefusedSchema = z.strictObject({
  step: z.string(),
  /** Number of accounts that were refused at this step. */
  count: z.int(),
  /** Number of accounts that the load used. */
  of: z.int(),
  names: z.array(z.string()),
});
/** Accounts from a list with `order: once` that the server refused, by name. */
export type AccountsRefused = z.infer<typeof accountsRefusedSchema>;

/** Maximum number of names in a sentence. */
const MAX_SHOWN_ACCOUNTS = 12;

export function formatAccountsRefused({ step, count, of, names }: AccountsRefused): string {
  const firstNames = names.slice(0, MAX_SHOWN_ACCOUNTS).join(', ');
  const more = count > MAX_SHOWN_ACCOUNTS ? ` and ${formatCount(count - MAX_SHOWN_ACCOUNTS)} more` : '';
  return `${formatCount(count)} of ${formatCount(of)} accounts ${count === 1 ? 'was' : 'were'} refused at “${step}”: ${firstNames}${more}.`;
}

export function listAccountsRefused(events: readonly RunEvent[]): AccountsRefused[] {
  return events.flatMap(({ kind, data }) => (kind === ACCOUNTS_REFUSED_EVENT ? (accountsRefusedSchema.safeParse(data).data ?? []) : []));
}
