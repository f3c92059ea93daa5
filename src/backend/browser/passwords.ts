import { Redactor } from '#core/base/redact.ts';
import { BEGINNING_MARK, passwordMark, readPasswordMark } from '#core/import/recording/passwordMark.ts';

/** A name and a password that a person entered. They live in memory only. */
export interface RecordedAccount {
  /** Of its {@link passwordMark} in the recording. */
  readonly number: number;
  /** As forms call the two; empty for a login by HTTP (basic authentication). */
  readonly userField: string;
  readonly passwordField: string;
  readonly userName: string;
  readonly password: string;
}

/** A shorter one, or one that is the user's name, occurs in pages by chance: it is taken out where it is the whole value of a field. */
const SHORTEST_ANYWHERE = 4;
const MOST_ACCOUNTS = 100;
const MOST_BEGINNINGS = 400;

interface Known extends RecordedAccount {
  userField: string;
  passwordField: string;
  /** null: replaced as a whole value only. */
  readonly everywhere: Redactor | null;
  /** Where its fields are found: in a form until that was sent, as a name that is sent later is no longer in it. A login by HTTP has none. */
  fields: 'sought' | 'known' | 'none';
}

/** Takes passwords out of all that is recorded. */
export class Passwords {
  private readonly known = new Map<string, Known>();
  private readonly beginnings = new Set<string>();
  private readonly onLearned: (password: string) => void;

  /** `onLearned` is told of each new password: what was recorded before has to be looked through again. */
  constructor(onLearned: (password: string) => void = () => {}) {
    this.onLearned = onLearned;
  }

  /** Of a form that a person fills in. */
  learn(account: Omit<RecordedAccount, 'number'>): void {
    const known = this.known.get(account.password);
    // The same account logs in by HTTP and by a form.
    if (known?.fields === 'none' && known.userName === account.userName)
      Object.assign(known, { fields: 'sought', userField: account.userField, passwordField: account.passwordField });
    else this.add(account, 'sought');
  }

  /** Of a login by HTTP. */
  learnHttp({ username, password }: { readonly username: string; readonly password: string }): void {
    this.add({ userName: username, password, userField: '', passwordField: '' }, 'none');
  }

  private add({ password, userName, userField, passwordField }: Omit<RecordedAccount, 'number'>, fields: Known['fields']): void {
    if (password === '' || this.known.has(password) || this.known.size >= MOST_ACCOUNTS) return;
    const number = this.known.size + 1;
    const isWeak = password.length < SHORTEST_ANYWHERE || password.toLowerCase() === userName.toLowerCase();
    const everywhere = isWeak ? null : new Redactor(passwordMark(number));
    const json = JSON.stringify(password).slice(1, -1);
    // Of each, the redactor knows further forms: JSON in JSON, or in an address.
    for (const form of [password, json, asciiJson(password), json.replaceAll('/', String.raw`\/`)]) everywhere?.add(form);
    this.known.set(password, { number, userField, userName, passwordField, password, everywhere, fields });
    this.beginnings.delete(password);
    this.onLearned(password);
  }

  /** Of what was typed before a field was complete. */
  learnBeginning(text: string): void {
    if (text.length >= SHORTEST_ANYWHERE && !this.known.has(text) && this.beginnings.size < MOST_BEGINNINGS) this.beginnings.add(text);
  }

  get accounts(): readonly RecordedAccount[] {
    return [...this.known.values()].map(({ everywhere: _redactor, fields: _fields, ...account }) => account);
  }

  /** A text of a response, a title, an address. */
  clean(text: string): string {
    return this.inOrder().reduce((clean, { everywhere }) => everywhere?.text(clean) ?? clean, text);
  }

  /** What a request sends, in its address or in its body. */
  cleanSent(text: string): string {
    let clean = this.clean(text);
    for (const { everywhere, password, userField, number } of this.inOrder())
      if (everywhere === null) clean = withoutWhole(clean, password, passwordMark(number), userField);
    for (const beginning of this.beginnings) clean = withoutWhole(clean, beginning, BEGINNING_MARK, '');
    return clean;
  }

  /** A header; of basic authentication the password is learned, and name and password go together. */
  cleanHeader(name: string, value: string): string {
    if (!/^(proxy-)?authorization$/i.test(name)) return this.cleanSent(value);
    const [, letters = ''] = /^\s*basic\s+(\S+)\s*$/i.exec(value) ?? [];
    if (letters === '' || readPasswordMark(letters) !== null) return this.cleanSent(value);
    const pair = Buffer.from(letters, 'base64').toString('utf8');
    const colon = pair.indexOf(':');
    const password = pair.slice(colon + 1);
    this.learnHttp({ password, username: pair.slice(0, Math.max(0, colon)) });
    const account = this.known.get(password);
    return account === undefined ? 'Basic' : `Basic ${passwordMark(account.number)}`;
  }

  /** The names of the fields as a request really sent them: a page may call them otherwise. */
  nameFields(sent: ReadonlyMap<string, string>): void {
    for (const account of this.known.values()) {
      if (account.fields !== 'sought') continue;
      const mark = passwordMark(account.number);
      if ([...sent.values()].includes(mark)) account.fields = 'known';
      for (const [name, value] of sent) {
        if (value === mark) account.passwordField = name;
        else if (value === account.userName && value !== '') account.userField = name;
      }
    }
  }

  /** The longest first: one may be part of another. */
  private inOrder(): Known[] {
    return [...this.known.values()].sort((one, other) => other.password.length - one.password.length);
  }
}

/** As many servers write JSON: nothing but ASCII. */
function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]|[<>&']/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces it where it is all that a field of a form, an address, a JSON document or a part holds; not in the field of the user's name. */
function withoutWhole(text: string, value: string, mark: string, userField: string): string {
  const percent = encodeURIComponent(value.toWellFormed());
  const forms = [...new Set([value, percent, percent.replaceAll('%20', '+')])].map(escaped).join('|');
  const json = [...new Set([JSON.stringify(value).slice(1, -1), asciiJson(value)])].map(escaped).join('|');
  const isOther = (name: string): boolean => userField === '' || name !== userField;
  return text
    .replaceAll(new RegExp(`(^|[?&])([^=&?#\\s]*)=(?:${forms})(?=&|#|$)`, 'g'), (all, before: string, name: string) =>
      isOther(name) ? `${before}${name}=${mark}` : all,
    )
    .replaceAll(new RegExp(`"([^"\\\\]*)"(\\s*:\\s*)"(?:${json})"`, 'g'), (all, name: string, between: string) =>
      isOther(name) ? `"${name}"${between}"${mark}"` : all,
    )
    .replaceAll(new RegExp(`(name="([^"]*)"\\r\\n\\r\\n)${escaped(value)}(?=\\r\\n)`, 'g'), (all, before: string, name: string) =>
      isOther(name) ? `${before}${mark}` : all,
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}
