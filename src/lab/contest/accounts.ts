import type { Account } from '../lab.ts';

const PASSWORD_WORDS = ['anchor', 'beacon', 'compass', 'dockside', 'ensign', 'foghorn', 'gangway', 'halyard'];

/** The people of the practice contest, the same at each start. They are made up and open to everybody. */
export class People {
  readonly accounts: readonly Account[];
  private readonly passwords: Map<string, string>;
  private readonly registered = new Set<string>();

  /** `password`: one for all; null for one each. */
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

  /** How many have registered themselves. */
  get newcomers(): number {
    return this.registered.size;
  }

  /** False for a name that is taken. */
  register(username: string, password: string): boolean {
    if (this.passwords.has(username)) return false;
    this.passwords.set(username, password);
    this.registered.add(username);
    return true;
  }

  /** Takes those who registered themselves away; says how many. */
  forget(): number {
    const gone = [...this.registered];
    for (const one of gone) {
      this.registered.delete(one);
      this.passwords.delete(one);
    }
    return gone.length;
  }

  knows(username: string): boolean {
    return this.passwords.has(username);
  }
}
