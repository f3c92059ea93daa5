import { commonName, isSecretColumn } from '#core/work/accounts/accounts.ts';
import { bodyLeaves } from '#core/import/recording/leaves.ts';
import { listAt, textAt } from '#core/import/reading.ts';
import { Passwords, type RecordedAccount } from '#backend/browser/passwords.ts';
import { cleanValue } from '#backend/browser/recordedEntry.ts';

/** Depth limit of the search through a HAR; the HAR format has fewer levels. */
const MAX_DEPTH = 20;

/**
 * Removes passwords from another program's HAR and returns the accounts that logged in. An account is a form or JSON body with a name field
 * and a password field.
 */
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
 * Takes the user name from the last field before the password with a matching name, else from any such field: a button may be called
 * “login”. Returns null if a request sends two different passwords: it changes a password.
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

/** Removes passwords from all texts; a pair of `name` and `value` is treated as a form field or a header. */
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
