/** An account that a person logged in with while a journey was recorded. Its password travels apart and is never in a recording. */
export interface RecordedAccount {
  readonly number: number;
  readonly userField: string;
  readonly userName: string;
}

/** What stands in a recording for a password. */
const PASSWORD = /\{\{holdfast-password-(\d{1,3})\}\}/;
/** Names of columns and variables, for the first account; those of others are numbered. */
const USER = 'username';
const SECRET = 'password';
const BASIC = 'login';
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

/** The reference of a value that the plan does not hold. */
export function secretOf(name: string): string {
  return `env:HOLDFAST_${name.toUpperCase()}`;
}

/** Puts user names and passwords of a recording into words of a plan. */
export class AccountValues {
  /** Accounts whose password, whose login by HTTP Basic, and whose name is sent. */
  private readonly used = new Set<number>();
  private readonly named = new Set<number>();
  private readonly basicUsed = new Set<number>();
  private readonly accounts: readonly RecordedAccount[];
  private readonly isFed: boolean;

  constructor(accounts: readonly RecordedAccount[], isFed: boolean) {
    this.accounts = accounts;
    this.isFed = isFed;
  }

  /** What a plan writes for a value of a request; null for any other value. A short user name may be a word: it counts in its own field only. */
  placeholderFor(value: string, called: string): string | null {
    const password = PASSWORD.exec(value);
    if (password !== null) {
      const number = Number(password[1]);
      const basic = /^Basic\s/i.test(value) || /^authorization$/i.test(called);
      (basic ? this.basicUsed : this.used).add(number);
      const names = accountNames(number);
      const name = this.placeholder(basic ? names.basic : names.password);
      return basic ? `Basic ${name}` : value.replace(password[0], name);
    }
    const account = this.accounts.find(({ userField, userName }) => userName === value && (userField === called || value.length >= 4));
    if (account === undefined || value === '') return null;
    this.named.add(account.number);
    return this.placeholder(accountNames(account.number).user);
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
