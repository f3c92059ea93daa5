import type { Account } from '../lab.ts';

const PASSWORD_WORDS = ['anchor', 'beacon', 'compass', 'dockside', 'ensign', 'foghorn', 'gangway', 'halyard'];

/** The people of the practice contest. They are made up and open to everybody. */
export const ACCOUNTS: readonly Account[] = PASSWORD_WORDS.map((word, index) => ({
  username: `contestant${index + 1}`,
  password: `${word}-${(index + 1) * 11}`,
}));

export function hasAccount(username: string, password: string): boolean {
  return ACCOUNTS.some((account) => account.username === username && account.password === password);
}

export function isKnownUser(username: string): boolean {
  return ACCOUNTS.some((account) => account.username === username);
}
