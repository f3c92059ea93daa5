import { MultiTextSearch } from '#core/base/manyTexts.ts';
import { secretForms } from '#core/base/redact.ts';
import { BEGINNING_MARK, passwordMark, readPasswordMark } from '#core/import/recording/passwordMark.ts';

/** A user name and password that the user entered. Kept in memory only. */
export interface RecordedAccount {
  /** The number in its {@link passwordMark}. */
  readonly number: number;
  /** Field names in forms; empty for basic authentication. */
  readonly userField: string;
  readonly passwordField: string;
  readonly userName: string;
  readonly password: string;
}

/**
 * Minimum length of passwords that are searched for in texts. Shorter passwords, and those equal to the user name, occur in pages by
 * chance, so they are removed only as the whole value of a field.
 */
const MIN_SEARCHED_LENGTH = 4;
const MAX_ACCOUNTS = 100;
const MAX_BEGINNINGS = 400;
/**
 * Maximum number of passwords that are accepted per site, because a page can report any number. The limit leaves room for the passwords of
 * other sites.
 */
const MAX_ACCOUNTS_OF_SITE = 20;
const MAX_CHARACTERS_OF_SITE = 4_000;
const MAX_CHARACTERS = 20_000;
/** Maximum number of texts whose cleaned form is cached. Texts such as addresses are cleaned repeatedly. */
const MAX_KEPT_TEXTS = 20_000;
const MAX_KEPT_TEXT_LETTERS = 2_048;

interface Known extends RecordedAccount {
  userField: string;
  passwordField: string;
  /** Whether the field names are still searched for in sent forms, are known, or do not exist (HTTP login). */
  fields: 'sought' | 'known' | 'none';
}

/**
 * Replacement of a whole value. The value is not replaced in the user name field of `account`; if `account` is null, it is replaced in
 * every field.
 */
interface WholeValue {
  readonly mark: string;
  readonly account: Known | null;
}

/**
 * Removes passwords from everything that is recorded. Each text is searched only once for all passwords together, because a page could
 * otherwise slow the search down with its choice of texts and passwords.
 */
export class Passwords {
  private readonly known = new Map<string, Known>();
  private readonly beginnings = new Set<string>();
  /** Passwords that are replaced wherever they occur, in every written form. */
  private readonly search = new MultiTextSearch();
  private readonly marks = new Map<string, string>();
  /** Passwords that are replaced only as a whole value: encoded as in forms and addresses, and as in JSON. */
  private readonly whole = { written: new Map<string, WholeValue>(), json: new Map<string, WholeValue>() };
  private readonly cleanTexts = new Map<string, string>();
  private characters = 0;
  private readonly sites = new Map<string, { accounts: number; characters: number }>();
  /** Increases with each new password. A text that was cleaned at an earlier version may still contain passwords learned since. */
  version = 0;
  private readonly onLearned: (password: string) => void;

  /** `onLearned` is called with each new password. */
  constructor(onLearned: (password: string) => void = () => {}) {
    this.onLearned = onLearned;
  }

  /** Learns the account of a form that the user fills in. */
  learn(account: Omit<RecordedAccount, 'number'>, site = ''): void {
    const known = this.known.get(account.password);
    // The user logged in with the same account by HTTP before, and now logs in by a form.
    if (known?.fields === 'none' && known.userName === account.userName) {
      Object.assign(known, { fields: 'sought', userField: account.userField, passwordField: account.passwordField });
      this.cleanTexts.clear();
    } else if (this.known.has(account.password) || this.isWithinLimits(site, account.password)) this.add(account, 'sought');
  }

  /** Learns the account of an HTTP login. */
  learnHttp({ username, password }: { readonly username: string; readonly password: string }): void {
    this.add({ userName: username, password, userField: '', passwordField: '' }, 'none');
  }

  private isWithinLimits(site: string, password: string): boolean {
    const counts = this.sites.get(site) ?? { accounts: 0, characters: 0 };
    counts.accounts += 1;
    counts.characters += password.length;
    if (this.sites.size < MAX_ACCOUNTS) this.sites.set(site, counts);
    return counts.accounts <= MAX_ACCOUNTS_OF_SITE && counts.characters <= MAX_CHARACTERS_OF_SITE;
  }

  private add({ password, userName, userField, passwordField }: Omit<RecordedAccount, 'number'>, fields: Known['fields']): void {
    if (password === '' || this.known.has(password) || this.known.size >= MAX_ACCOUNTS) return;
    if (this.characters + password.length > MAX_CHARACTERS) return;
    this.characters += password.length;
    const account: Known = { number: this.known.size + 1, userField, userName, passwordField, password, fields };
    const mark = passwordMark(account.number);
    this.known.set(password, account);
    this.beginnings.delete(password);
    if (password.length < MIN_SEARCHED_LENGTH || password.toLowerCase() === userName.toLowerCase())
      this.addWhole(password, { mark, account });
    else this.addEverywhere(password, mark);
    this.forgetCleaned();
    this.onLearned(password);
  }

  /** Learns the text of a password field that the user has not left yet. */
  learnPrefix(text: string): void {
    if (text.length < MIN_SEARCHED_LENGTH || this.known.has(text) || this.beginnings.has(text)) return;
    if (this.beginnings.size >= MAX_BEGINNINGS) return;
    this.beginnings.add(text);
    this.addWhole(text, { mark: BEGINNING_MARK, account: null });
    this.forgetCleaned();
  }

  private addEverywhere(password: string, mark: string): void {
    const json = JSON.stringify(password).slice(1, -1);
    // Each form may be encoded again, for example as JSON within JSON or as JSON within an address.
    for (const writtenText of [password, json, asciiJson(password), json.replaceAll('/', String.raw`\/`)])
      for (const form of secretForms(writtenText)) {
        if (form.length < MIN_SEARCHED_LENGTH || this.marks.has(form)) continue;
        this.marks.set(form, mark);
        this.search.add(form);
      }
  }

  private addWhole(value: string, whole: WholeValue): void {
    const { written, json } = this.whole;
    const isKnown = (value: WholeValue | undefined): boolean => value !== undefined && value.account !== null;
    const percent = encodeURIComponent(value.toWellFormed());
    for (const form of [value, percent, percent.replaceAll('%20', '+')]) if (!isKnown(written.get(form))) written.set(form, whole);
    for (const form of [JSON.stringify(value).slice(1, -1), asciiJson(value)]) if (!isKnown(json.get(form))) json.set(form, whole);
  }

  private forgetCleaned(): void {
    this.version += 1;
    this.cleanTexts.clear();
  }

  get accounts(): readonly RecordedAccount[] {
    return [...this.known.values()].map(({ fields: _fields, ...account }) => account);
  }

  /** Removes passwords from a response text, a title or an address. */
  clean(text: string): string {
    if (this.marks.size === 0) return text;
    let clean = '';
    let copied = 0;
    for (const { from, to, text: form } of this.search.find(text)) {
      clean += text.slice(copied, from) + (this.marks.get(form) ?? '');
      copied = to;
    }
    return clean + text.slice(copied);
  }

  /** Removes passwords from the address or the body of a request. */
  cleanSent(text: string): string {
    const cleanText = this.cleanTexts.get(text);
    if (cleanText !== undefined) return cleanText;
    const clean = this.withoutWhole(this.clean(text));
    if (text.length <= MAX_KEPT_TEXT_LETTERS) {
      if (this.cleanTexts.size >= MAX_KEPT_TEXTS) this.cleanTexts.clear();
      this.cleanTexts.set(text, clean);
    }
    return clean;
  }

  /** Removes passwords from a header. Also learns the password of basic authentication. */
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

  /** Learns the names of the login fields from a sent form, because they may differ from those in the page. */
  nameFields(sent: ReadonlyMap<string, string>): void {
    for (const account of this.known.values()) {
      if (account.fields !== 'sought') continue;
      const mark = passwordMark(account.number);
      if ([...sent.values()].includes(mark)) account.fields = 'known';
      for (const [name, value] of sent) {
        if (value === mark) account.passwordField = name;
        else if (value === account.userName && value !== '') account.userField = name;
        else continue;
        this.cleanTexts.clear();
      }
    }
  }

  /**
   * Replaces a password that is the whole value of a form field, an address parameter, a JSON member or a multipart part. A value in the
   * user name field is not replaced.
   */
  private withoutWhole(text: string): string {
    const { written, json } = this.whole;
    if (written.size === 0) return text;
    const markFor = (whole: WholeValue | undefined, name: string): string | null => {
      const userField = whole?.account?.userField ?? '';
      return whole === undefined || (userField !== '' && name === userField) ? null : whole.mark;
    };
    return text
      .replaceAll(/(^|[?&])([^=&?#\s]*)=([^&#]*)/g, (all, before: string, name: string, value: string) => {
        const mark = markFor(written.get(value), name);
        if (mark !== null) return `${before}${name}=${mark}`;
        // The value is an address with its own parameters.
        const inner = /^(.*\?[^=?\s]*=)([^?]*)$/s.exec(value);
        const innerMark =
          inner === null ? null : markFor(written.get(inner[2] ?? ''), (inner[1] ?? '').slice((inner[1] ?? '').lastIndexOf('?') + 1, -1));
        return innerMark === null ? all : `${before}${name}=${inner?.[1]}${innerMark}`;
      })
      .replaceAll(/"([^"\\]*)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g, (all, name: string, between: string, value: string) => {
        const mark = markFor(json.get(value), name);
        return mark === null ? all : `"${name}"${between}"${mark}"`;
      })
      .replaceAll(/(name="([^"]*)"\r\n\r\n)([^\r\n]*)(?=\r\n)/g, (all, before: string, name: string, value: string) => {
        const mark = markFor(written.get(value), name);
        return mark === null ? all : `${before}${mark}`;
      });
  }
}

/** Escapes text as JSON with ASCII characters only, as many servers do. */
function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]|[<>&']/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
