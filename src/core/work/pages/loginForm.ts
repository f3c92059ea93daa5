import type { LoginFormPart } from '#core/plan/schema/journey.ts';
import { linkPlace } from '../journey/capturedTexts.ts';
import { formEncoded } from '../journey/escape.ts';
import { readTags, type TagReader, UNSEEN_TAGS } from './readTags.ts';

/** A login form of a page. */
export interface LoginForm {
  readonly action: URL;
  readonly method: 'GET' | 'POST';
  /** Fields that are sent unchanged: hidden fields, checked boxes and the button. */
  readonly fixed: readonly (readonly [name: string, value: string])[];
  readonly usernameField: string | null;
  readonly passwordField: string;
}

/** Maximum number of characters that are read: a login form is near the start of a page, so the rest of a long page is not read. */
const MAX_FORM_CHARACTERS = 1_000_000;
const MAX_FIELDS = 500;
const MAX_FORMS = 20;
const TEXT_TYPES = new Set(['text', 'email', 'tel', 'search', '']);
const USER_NAME_PATTERN = /user|login|mail|account|name|uid|member|nick/i;
const READ_TAGS = new Set(['base', 'form', 'input', 'button', ...UNSEEN_TAGS]);

/** Returns the first login form of a page, or null if there is none. */
export function findLoginForm(html: string, url: URL): LoginForm | null {
  const reader = new FormReader();
  readTags(html.slice(0, MAX_FORM_CHARACTERS), reader);
  const { forms, base } = reader.read();
  const from = base !== null && URL.canParse(base, url.href) ? new URL(base, url.href) : url;
  for (const { action, method, fields } of forms) {
    const [password, ...others] = fields.filter(({ type, name }) => type === 'password' && name !== '');
    // Two password fields indicate a registration or a change of password.
    if (password === undefined || others.length > 0 || !URL.canParse(action, from.href)) continue;
    return {
      action: action === '' ? url : new URL(action, from.href),
      method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
      fixed: listFixedFields(fields),
      usernameField: usernameAmong(fields, password)?.name ?? null,
      passwordField: password.name,
    };
  }
  return null;
}

/** Quick test before the page is parsed: a page without matching text has no password field. */
const PASSWORD_INPUT_PATTERN = /type\s*=\s*["']?password/i;

/** Returns whether a page asks for a password. A form with two password fields is a registration or a change of password. */
export function asksForPassword(html: string): boolean {
  if (!PASSWORD_INPUT_PATTERN.test(html)) return false;
  const reader = new PasswordReader();
  readTags(html.slice(0, MAX_FORM_CHARACTERS), reader);
  return reader.counts.includes(1);
}

/** Counts the password fields of each form; the first count is for fields outside of forms. */
class PasswordReader implements TagReader {
  readonly text = null;
  readonly counts = [0];
  private form = 0;
  private unseen = 0;

  wants(name: string): boolean {
    return READ_TAGS.has(name);
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(tag)) this.unseen += 1;
    else if (this.unseen > 0) return;
    else if (tag === 'form' && this.form === 0) this.form = this.counts.push(0) - 1;
    else if (tag === 'input' && fieldOf(tag, attributes).type === 'password') this.counts[this.form] = (this.counts[this.form] ?? 0) + 1;
  }

  close(tag: string): void {
    if (UNSEEN_TAGS.has(tag) && this.unseen > 0) this.unseen -= 1;
    if (tag === 'form' && this.unseen === 0) this.form = 0;
  }
}

/** Returns all fields of the form except those that the user enters. `cookie` returns the value of a cookie for the form, or null. */
export function listSentFields({ fixed }: LoginForm, cookie: (name: string) => string | null): [name: string, value: string][] {
  // Tornado compares the field with the cookie. Pages that fill in the field by a script have it empty or not at all.
  const token = cookie(TORNADO_TOKEN);
  const isFilledIn = token === null || fixed.some(([name, value]) => name === TORNADO_TOKEN && value !== '');
  if (isFilledIn) return fixed.map(([name, value]) => [name, value]);
  return [...fixed.flatMap(([name, value]): [string, string][] => (name === TORNADO_TOKEN ? [] : [[name, value]])), [TORNADO_TOKEN, token]];
}

const TORNADO_TOKEN = '_xsrf';

/** Returns a part of the form as text; null if it is missing or on another server than `url`. */
export function loginFormPart(
  form: LoginForm,
  part: LoginFormPart,
  { cookie, url }: { readonly cookie: (name: string) => string | null; readonly url: URL | null },
): string | null {
  switch (part) {
    case 'action':
      return linkPlace(form.action.href, url);
    case 'username':
      return form.usernameField;
    case 'password':
      return form.passwordField;
    case 'others':
      return listSentFields(form, cookie)
        .map((field) => field.map(formEncoded).join('='))
        .join('&');
    default:
      return part satisfies never;
  }
}

interface Field {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly value: string | null;
  readonly autocomplete: string;
  readonly isTicked: boolean;
}

interface ReadForm {
  readonly action: string;
  readonly method: string;
  readonly fields: Field[];
}

/** Reads the login forms of a page. Nested forms are ignored, as in browsers. */
class FormReader implements TagReader {
  readonly text = null;
  private readonly forms: ReadForm[] = [];
  private base: string | null = null;
  private form: ReadForm | null = null;
  private unseen = 0;

  wants(name: string): boolean {
    return READ_TAGS.has(name);
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(tag)) this.unseen += 1;
    else if (this.unseen > 0) return;
    else if (tag === 'base') this.base ??= attributes.get('href') ?? null;
    else if (tag === 'form') this.form ??= { action: attributes.get('action') ?? '', method: attributes.get('method') ?? '', fields: [] };
    else if (this.form !== null && this.form.fields.length < MAX_FIELDS) this.form.fields.push(fieldOf(tag, attributes));
  }

  close(tag: string): void {
    if (UNSEEN_TAGS.has(tag) && this.unseen > 0) this.unseen -= 1;
    if (tag === 'form' && this.unseen === 0) this.closeForm();
  }

  read(): { readonly forms: readonly ReadForm[]; readonly base: string | null } {
    this.closeForm();
    return { forms: this.forms, base: this.base };
  }

  private closeForm(): void {
    const { form, forms } = this;
    this.form = null;
    if (form !== null && forms.length < MAX_FORMS && form.fields.some(({ type }) => type === 'password')) forms.push(form);
  }
}

function fieldOf(tag: string, attributes: ReadonlyMap<string, string>): Field {
  return {
    tag,
    type: (attributes.get('type') ?? '').trim().toLowerCase(),
    name: attributes.get('name') ?? '',
    value: attributes.get('value') ?? null,
    autocomplete: attributes.get('autocomplete') ?? '',
    isTicked: attributes.has('checked'),
  };
}

function usernameAmong(fields: readonly Field[], password: Field): Field | undefined {
  const isText = ({ tag, type, name }: Field): boolean => tag === 'input' && TEXT_TYPES.has(type) && name !== '';
  const texts = fields.filter(isText);
  const before = fields.slice(0, fields.indexOf(password)).filter(isText);
  return (
    texts.find(({ autocomplete }) => /username|email/.test(autocomplete)) ??
    before.find(({ name }) => USER_NAME_PATTERN.test(name)) ??
    before.at(-1) ??
    texts[0]
  );
}

function listFixedFields(fields: readonly Field[]): [string, string][] {
  const fixed = fields.flatMap(({ tag, type, name, value, isTicked }): [string, string][] => {
    const ticked = (type === 'checkbox' || type === 'radio') && isTicked;
    const isFixed = tag === 'input' && name !== '' && (type === 'hidden' || ticked);
    return isFixed ? [[name, value ?? (ticked ? 'on' : '')]] : [];
  });
  const button = fields.find(({ tag, type }) => type === 'submit' || (tag === 'button' && type === ''));
  if (button !== undefined && button.name !== '') fixed.push([button.name, button.value ?? '']);
  return fixed;
}
