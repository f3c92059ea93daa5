import type { Account } from '../lab.ts';

const PASSWORD_WORDS = ['anchor', 'beacon', 'compass', 'dockside', 'ensign', 'foghorn', 'gangway', 'halyard'];

/** The people of the practice contest, the same at each start. They are made up and open to everybody. */
export class People {
  readonly accounts: readonly Account[];
  private readonly passwords: ReadonlyMap<string, string>;

  constructor(count: number) {
    this.accounts = Array.from({ length: count }, (_, index) => ({
      username: `contestant${index + 1}`,
      password: `${PASSWORD_WORDS[index % PASSWORD_WORDS.length]}-${(index + 1) * 11}`,
    }));
    this.passwords = new Map(this.accounts.map(({ username, password }) => [username, password]));
  }

  hasAccount(username: string, password: string): boolean {
    return this.passwords.get(username) === password;
  }

  knows(username: string): boolean {
    return this.passwords.has(username);
  }
}
