import { getOwn } from '#core/base/ownMembers.ts';
import { bareName, csvField } from '#core/base/text.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { cookieOf, readValueName } from '#core/plan/valueNames.ts';
import { drawFor } from '../journey/generate.ts';

/** Names that columns have in account lists of other systems. They are compared without case, blanks and punctuation. */
const COLUMN_ALIASES = {
  username: ['username', 'user', 'userid', 'login', 'loginname', 'acname', 'account', 'accountname'],
  password: ['password', 'pass', 'passwd', 'pwd', 'acpassword'],
  email: ['email', 'emailaddress', 'mail', 'personalemail'],
  first_name: ['firstname', 'givenname', 'nome'],
  last_name: ['lastname', 'surname', 'familyname', 'cognome'],
} as const satisfies Record<string, readonly string[]>;

type AccountColumn = keyof typeof COLUMN_ALIASES;

/** Returns the common name of a column; null if it has none. */
export function commonName(column: string): AccountColumn | null {
  const looked = bareName(column);
  for (const [name, aliases] of Object.entries(COLUMN_ALIASES)) {
    const known: readonly string[] = aliases;
    if (known.includes(looked)) return name as AccountColumn;
  }
  return null;
}

/** Returns whether a list with these columns contains accounts. */
export function areAccounts(columns: readonly string[]): boolean {
  return columns.some((column) => commonName(column) === 'username');
}

/** Renames columns to the names that a plan asks for. A column is renamed only if no other column has the same meaning. */
export function renameToAsked(columns: readonly string[], askedNames: Iterable<string>): string[] {
  const names = [...columns];
  for (const wanted of askedNames) {
    if (names.includes(wanted)) continue;
    const meaning = commonName(wanted);
    const same = names.flatMap((name, index) => (meaning !== null && commonName(name) === meaning ? [index] : []));
    const [only] = same;
    if (same.length === 1 && only !== undefined) names[only] = wanted;
  }
  return names;
}

/** Returns whether the values of a column are secrets, which are never shown. */
export function isSecretColumn(column: string): boolean {
  return /pass(word|wd|code)?|pwd|secret|token|pin$|api[-_ ]?key/i.test(column);
}

/** Returns whether a text contains the password of an account, which means that sending the text logs a user in. */
export function hasPasswordOfAccount(text: string): boolean {
  return listPlaceholderNames(text).some((name) => {
    const { owner, member } = readValueName(name);
    return owner !== null && cookieOf(name) === null && isSecretColumn(member);
  });
}

/** Systems for which account lists can be written. */
export const ACCOUNT_FORMS = ['plain', 'cms', 'plone', 'ohmage'] as const;
export type AccountForm = (typeof ACCOUNT_FORMS)[number];

const COLUMNS_BY_FORM: Readonly<Record<AccountForm, readonly string[]>> = {
  plain: ['username', 'password'],
  cms: ['username', 'password', 'first_name', 'last_name'],
  plone: ['username', 'password', 'fullname', 'email'],
  ohmage: ['username', 'password', 'first_name', 'last_name', 'email_address'],
};

interface AccountsWanted {
  readonly count: number;
  readonly form: AccountForm;
  /** Prefix of user names. Numbers follow it, padded to the width of the last one. */
  readonly prefix: string;
  /** Number of the first account. */
  readonly from: number;
  /** Returns a number in [0, 1) for a letter of a password. It is reproducible with a seed, and otherwise unpredictable. */
  readonly draw: (account: number, letter: number) => number;
}

/** Characters of passwords: no look-alikes, and none that forms or CSV escape. */
const PASSWORD_CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 14;
/** Character classes that servers require. Each password has a character of each. */
const REQUIRED_CHARACTERS = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+'] as const;

/** Returns generated accounts as CSV with a header row. */
export function accountsCsv({ count, form, prefix, from, draw }: AccountsWanted): string {
  const columns = COLUMNS_BY_FORM[form];
  const width = String(from + count - 1).length;
  const lines = Array.from({ length: count }, (_, index) => {
    const number = String(from + index).padStart(width, '0');
    const username = `${prefix}${number}`;
    const values: Readonly<Record<string, string>> = {
      username,
      password: drawPassword((letter) => draw(index, letter)),
      first_name: 'Load',
      last_name: `Test ${number}`,
      fullname: `Load Test ${number}`,
      // The domain is reserved for examples (RFC 2606), so no mail is ever delivered.
      email: `${username}@example.org`,
      email_address: `${username}@example.org`,
    };
    return columns.map((column) => csvField(getOwn(values, column) ?? '')).join(',');
  });
  return [columns.join(','), ...lines].map((line) => `${line}\n`).join('');
}

/** Returns draws that depend only on a seed. */
export function createSeededDraw(seed: number): AccountsWanted['draw'] {
  return (account, letter) => drawFor('password', { seed, user: account, journey: 0, request: 0 }, letter);
}

function drawPassword(draw: (letter: number) => number): string {
  const pick = (from: string, letter: number): string => from.charAt(Math.floor(draw(letter) * from.length));
  const letters = Array.from({ length: PASSWORD_LENGTH }, (_, letter) => pick(PASSWORD_CHARACTERS, letter));
  for (const [place, kind] of REQUIRED_CHARACTERS.entries()) letters[place * 3 + 1] = pick(kind, PASSWORD_LENGTH + place);
  return letters.join('');
}
