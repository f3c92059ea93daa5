import { literal } from '../placeholders.ts';
import { readPasswordMark } from './passwordMark.ts';

/** An account that a person logged in with while a journey was recorded. Its password travels apart and is never in a recording. */
export interface RecordedAccount {
  readonly number: number;
  readonly userField: string;
  readonly userName: string;
}

/** Names of columns and variables, for the first account; those of others are numbered. */
const USER = 'username';
const SECRET = 'password';
const BASIC = 'login';
/** A shorter name is a word, or a part of one, by chance. */
const SHORTEST_ELSEWHERE = 4;
const SHORTEST_WITHIN = 5;
/** The feed that holds the accounts, where they come from a file. */
export const ACCOUNT_FEED = 'account';

/** How a plan calls what belongs to an account: columns of a feed, or variables. */
export interface AccountNames {
  readonly number: number;
  readonly user: string;
  readonly password: string;
  /** Whether a form or the like sends the password. */
  readonly asksPassword: boolean;
  /** `name:password` as HTTP Basic has it, in Base64; null where no request logs in so. */
  readonly basic: string | null;
}

export function accountNames(number: number): { readonly user: string; readonly password: string; readonly basic: string } {
  const end = number <= 1 ? '' : `_${number}`;
  return { user: `${USER}${end}`, password: `${SECRET}${end}`, basic: `${BASIC}${end}` };
}

/** Puts user names and passwords of a recording into words of a plan. */
export class AccountValues {
  /** Accounts whose password, whose login by HTTP Basic, and whose name is sent. */
  private readonly used = new Set<number>();
  private readonly named = new Set<number>();
  private readonly basicUsed = new Set<number>();
  private readonly words = new Set<number>();
  private readonly accounts: readonly RecordedAccount[];
  private readonly isFed: boolean;

  constructor(accounts: readonly RecordedAccount[], isFed: boolean) {
    this.accounts = accounts;
    this.isFed = isFed;
  }

  /** What a plan writes for a value of a request; null for any other value. A user name counts outside its own field only from the login on. */
  placeholderFor(value: string, called: string): string | null {
    const password = readPasswordMark(value);
    if (password !== null) {
      const number = password.account;
      const basic = /^Basic\s/i.test(value) || /^authorization$/i.test(called);
      (basic ? this.basicUsed : this.used).add(number);
      const names = accountNames(number);
      const name = this.placeholder(basic ? names.basic : names.password);
      return basic ? `Basic ${name}` : value.replace(password.mark, name);
    }
    const account = this.accounts.find(
      (one) => one.userName === value && (one.userField === called || (value.length >= SHORTEST_ELSEWHERE && this.isTheirs(one))),
    );
    if (account === undefined || value === '') return this.withName(value);
    this.named.add(account.number);
    return this.placeholder(accountNames(account.number).user);
  }

  /** What was sent and answered: a name that is in it before anybody logged in so is a word of the site. */
  passed(text: string): void {
    for (const account of this.accounts) if (!this.isLoggedIn(account) && text.includes(account.userName)) this.words.add(account.number);
  }

  private isLoggedIn({ number }: RecordedAccount): boolean {
    return this.named.has(number) || this.used.has(number) || this.basicUsed.has(number);
  }

  private isTheirs(account: RecordedAccount): boolean {
    return this.isLoggedIn(account) && !this.words.has(account.number);
  }

  /** A line of which the user name is a part, such as the address of their own page (`notes:ada`) or what they look for (`Notes of ada`). */
  private withName(value: string): string | null {
    if (!/^[^\r\n]{1,200}$/.test(value)) return null;
    for (const account of this.accounts) {
      const { number, userName } = account;
      if (userName.length < SHORTEST_WITHIN || !this.isTheirs(account)) continue;
      const [before, after, ...more] = value.split(userName);
      if (before === undefined || after === undefined || more.length > 0 || /\w$/.test(before) || /^\w/.test(after)) continue;
      return `${literal(before)}${this.placeholder(accountNames(number).user)}${literal(after)}`;
    }
    return null;
  }

  /** The names of the accounts that a plan uses. */
  names(): AccountNames[] {
    const numbers = [...new Set([...this.used, ...this.basicUsed, ...this.named])].toSorted((one, other) => one - other);
    return numbers.map((number) => {
      const { user, password, basic } = accountNames(number);
      return { number, user, password, asksPassword: this.used.has(number), basic: this.basicUsed.has(number) ? basic : null };
    });
  }

  private placeholder(what: string): string {
    return `{{${this.isFed ? `${ACCOUNT_FEED}.` : ''}${what}}}`;
  }
}
