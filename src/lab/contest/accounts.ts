import type { Account } from '../lab.ts';

const PASSWORD_WORDS = ['anchor', 'beacon', 'compass', 'dockside', 'ensign', 'foghorn', 'gangway', 'halyard'];

/** The contestants of the practice contest. They are the same at each start, and their passwords are public. */
export class People {
  readonly accounts: readonly Account[];
  private readonly passwords: Map<string, string>;
  private readonly registered = new Set<string>();

  /** `password` is the common password; null if each contestant has their own. */
  constructor(count: number, password: string | null = null) {
    this.accounts = Array.from({ length: count }, (_, index) => ({
      username: `contestant${index + 1}`,
      password: password ?? `${PASSWORD_WORDS[index % PASSWORD_WORDS.length]}-${(index + 1) * 11}`,
    }));
    this.passwords = new Map(this.accounts.map(({ username, password }) => [username, password]));
  }

  hasAccount(username: string, password: string): boolean {
    return this.passwords.get(username) === password;
  }

  /** Number of contestants who have registered themselves. */
  get newcomers(): number {
    return this.registered.size;
  }

  /** Registers a contestant. Returns false if the name is taken. */
  register(username: string, password: string): boolean {
    if (this.passwords.has(username)) return false;
    this.passwords.set(username, password);
    this.registered.add(username);
    return true;
  }

  /** Removes the contestants who registered themselves, and returns their number. */
  forgetRegistered(): number {
    const gone = [...this.registered];
    for (const one of gone) {
      this.registered.delete(one);
      this.passwords.delete(one);
    }
    return gone.length;
  }

  isKnown(username: string): boolean {
    return this.passwords.has(username);
  }
}
