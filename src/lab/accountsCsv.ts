import type { LabAccount } from '#core/base/lab/listing.ts';

/** The people of a practice server as a list for tests. */
export function accountsCsv(accounts: readonly LabAccount[]): string {
  return `username,password\n${accounts.map(({ username, password }) => `${username},${password}\n`).join('')}`;
}
