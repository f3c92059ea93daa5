import { escapePlaceholders } from '../placeholders.ts';
import { readPasswordMark } from './passwordMark.ts';
import { columnName } from '#core/plan/valueNames.ts';

/** An account that a person logged in with during the recording. The recording never contains its password. */
export interface RecordedAccount {
  readonly number: number;
  readonly userField: string;
  readonly userName: string;
}

/** Names of columns and variables for the first account. Further accounts get a number. */
const USER_NAME = 'username';
const PASSWORD_NAME = 'password';
const LOGIN_NAME = 'login';
/** Minimum length of a user name outside its own field. A shorter name may be an ordinary word or a part of one. */
const MIN_NAME_LENGTH = 4;
const MIN_NAME_LENGTH_WITHIN_TEXT = 5;
/** Name of the feed with the accounts, if they come from a file. */
export const ACCOUNT_FEED = 'account';

/** Names of the columns or variables that a plan uses for one account. */
export interface AccountNames {
  readonly number: number;
  readonly user: string;
  readonly password: string;
  /** Whether a request sends the password outside HTTP Basic authentication. */
  readonly asksPassword: boolean;
  /** Name of the Base64 value of `name:password`; null if no request uses HTTP Basic authentication. */
  readonly basic: string | null;
}

export function accountNames(number: number): { readonly user: string; readonly password: string; readonly basic: string } {
  const end = number <= 1 ? '' : `_${number}`;
  return { user: `${USER_NAME}${end}`, password: `${PASSWORD_NAME}${end}`, basic: `${LOGIN_NAME}${end}` };
}

/** Replaces the user names and passwords of a recording with placeholders. */
export class AccountValues {
  /** Numbers of the accounts whose password (`used`), user name (`named`) or HTTP Basic credentials (`basicUsed`) are sent. */
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

  /** Returns the plan text for a value of a request, or null. Outside its own field, a user name is replaced only after the login. */
  findPlaceholder(value: string, called: string): string | null {
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
      (one) => one.userName === value && (one.userField === called || (value.length >= MIN_NAME_LENGTH && this.isTheirs(one))),
    );
    if (account === undefined || value === '') return this.replaceName(value);
    this.named.add(account.number);
    return this.placeholder(accountNames(account.number).user);
  }

  /** Marks user names that occur in a request or a response before their login as ordinary words of the site. */
  markPassed(text: string): void {
    for (const account of this.accounts) if (!this.isLoggedIn(account) && text.includes(account.userName)) this.words.add(account.number);
  }

  private isLoggedIn({ number }: RecordedAccount): boolean {
    return this.named.has(number) || this.used.has(number) || this.basicUsed.has(number);
  }

  private isTheirs(account: RecordedAccount): boolean {
    return this.isLoggedIn(account) && !this.words.has(account.number);
  }

  /** Replaces a user name within one line, such as an address (`notes:ada`) or a search text (`Notes of ada`). */
  private replaceName(value: string): string | null {
    if (!/^[^\r\n]{1,200}$/.test(value)) return null;
    for (const account of this.accounts) {
      const { number, userName } = account;
      if (userName.length < MIN_NAME_LENGTH_WITHIN_TEXT || !this.isTheirs(account)) continue;
      const [before, after, ...more] = value.split(userName);
      if (before === undefined || after === undefined || more.length > 0 || /\w$/.test(before) || /^\w/.test(after)) continue;
      return `${escapePlaceholders(before)}${this.placeholder(accountNames(number).user)}${escapePlaceholders(after)}`;
    }
    return null;
  }

  /** Returns the names for each account that the plan uses. */
  names(): AccountNames[] {
    const numbers = [...new Set([...this.used, ...this.basicUsed, ...this.named])].toSorted((one, other) => one - other);
    return numbers.map((number) => {
      const { user, password, basic } = accountNames(number);
      return { number, user, password, asksPassword: this.used.has(number), basic: this.basicUsed.has(number) ? basic : null };
    });
  }

  private placeholder(what: string): string {
    return `{{${this.isFed ? columnName(ACCOUNT_FEED, what) : what}}}`;
  }
}
