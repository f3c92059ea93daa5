import type { Account } from '../lab.ts';

const LEARNERS = 1_000;

/** The made-up learners of the school site, the same at each start. */
export const ACCOUNTS: readonly Account[] = Array.from({ length: LEARNERS }, (_, index) => ({
  username: `learner${String(index + 1).padStart(4, '0')}`,
  password: `chalk-${1_000 + ((index * 7_919) % 9_000)}`,
}));

const passwords = new Map(ACCOUNTS.map(({ username, password }) => [username, password]));

export function hasAccount(username: string, password: string): boolean {
  return passwords.get(username) === password;
}

export function isKnownUser(username: string): boolean {
  return passwords.has(username);
}
