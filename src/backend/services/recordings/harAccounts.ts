import { commonName, isSecretColumn } from '#core/work/accounts/accounts.ts';
import { bodyLeaves } from '#core/import/recording/leaves.ts';
import { listAt, textAt } from '#core/import/reading.ts';
import { Passwords, type RecordedAccount } from '#backend/browser/passwords.ts';
import { cleanValue } from '#backend/browser/recordedEntry.ts';

/** Levels of a HAR below which nothing is read: those of the format are fewer. */
const MAX_DEPTH = 20;

/** A recording of another program without its passwords, and who logged in there: the fields of a form, or of JSON, that hold a name and a password. */
export function withoutPasswords(har: unknown): { readonly har: unknown; readonly accounts: readonly RecordedAccount[] } {
  const passwords = new Passwords();
  for (const entry of listAt(har, 'log', 'entries')) {
    const account = accountIn(sentFields(entry));
    if (account !== null) passwords.learn(account);
    for (const header of listAt(entry, 'request', 'headers'))
      passwords.cleanHeader(textAt(header, 'name') ?? '', textAt(header, 'value') ?? '');
  }
  return passwords.accounts.length === 0 ? { har, accounts: [] } : { har: cleaned(har, passwords, 0), accounts: passwords.accounts };
}

type Fields = readonly (readonly [string, string])[];

function sentFields(entry: unknown): Fields {
  if ((textAt(entry, 'request', 'method') ?? 'GET') === 'GET') return [];
  const params = listAt(entry, 'request', 'postData', 'params').flatMap((part): Fields => {
    const [name, value] = [textAt(part, 'name'), textAt(part, 'value')];
    return name === null || value === null ? [] : [[name, value]];
  });
  const [text, type] = ['text', 'mimeType'].map((member) => textAt(entry, 'request', 'postData', member) ?? '');
  return params.length > 0 ? params : bodyLeaves(text ?? '', type ?? '').map(({ name, value }) => [name, value]);
}

/**
 * The name is in the last field before the password that is called like one, else in any such field: a button may be called “login”. Two different passwords change
 * one, and log nobody in.
 */
function accountIn(fields: Fields): Omit<RecordedAccount, 'number'> | null {
  const index = fields.findIndex(([name, value]) => isSecretColumn(name) && !/token/i.test(name) && value !== '');
  const [passwordField, password] = fields[index] ?? [];
  if (passwordField === undefined || password === undefined) return null;
  if (fields.some(([name, value]) => isPassword(name) && value !== '' && value !== password)) return null;
  const isName = ([name, value]: Fields[number]): boolean =>
    value !== '' && !isPassword(name) && (commonName(name) !== null || /user|login|mail|account|name/i.test(name));
  const [userField, userName] = fields.slice(0, index).findLast(isName) ?? fields.find(isName) ?? fields[index - 1] ?? [];
  return userField === undefined || userName === undefined || userName === '' ? null : { userField, userName, passwordField, password };
}

function isPassword(name: string): boolean {
  return commonName(name) === 'password' || /pass(word|wd)/i.test(name);
}

/** All texts without passwords; a pair of `name` and `value` is looked at as the field of a form or as a header. */
function cleaned(value: unknown, passwords: Passwords, depth: number): unknown {
  if (typeof value === 'string') return passwords.cleanSent(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => cleaned(one, passwords, depth + 1));
  const [name, text] = [textAt(value, 'name'), textAt(value, 'value')];
  const pairs = Object.entries(value).map(([member, inner]): [string, unknown] => {
    if (member !== 'value' || name === null || text === null) return [member, cleaned(inner, passwords, depth + 1)];
    return [member, /authorization/i.test(name) ? passwords.cleanHeader(name, text) : cleanValue(name, text, passwords)];
  });
  return Object.fromEntries(pairs);
}
