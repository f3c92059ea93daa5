import { readTags, type TagReader, UNSEEN_TAGS } from '#core/work/pages/readTags.ts';

/** A login form as the page has it. */
export interface LoginForm {
  readonly action: URL;
  readonly method: 'GET' | 'POST';
  /** Everything that is sent along unchanged: hidden fields, ticked boxes, the button. */
  readonly fixed: readonly (readonly [name: string, value: string])[];
  readonly usernameField: string | null;
  readonly passwordField: string;
}

/** A login form stands near the top: longer pages are not read to their end for it. */
export const FORM_WITHIN_BYTES = 1_000_000;
/** More fields of a form, and more forms with a password, are left out. */
const MOST_FIELDS = 500;
const MOST_FORMS = 20;
const TEXT_TYPES = new Set(['text', 'email', 'tel', 'search', '']);
const NAME_LIKE = /user|login|mail|account|name|uid|member|nick/i;
const READ = new Set(['base', 'form', 'input', 'button', ...UNSEEN_TAGS]);

/** The first form of the page that has a password field; null when there is none. */
export function findLoginForm(page: Buffer, url: URL): LoginForm | null {
  const reader = new FormReader();
  readTags(page.toString('utf8', 0, FORM_WITHIN_BYTES), reader);
  const { forms, base } = reader.read();
  const from = base !== null && URL.canParse(base, url.href) ? new URL(base, url) : url;
  for (const { action, method, fields } of forms) {
    const [password, ...others] = fields.filter(({ type, name }) => type === 'password' && name !== '');
    // Two password fields are a registration or a change of password.
    if (password === undefined || others.length > 0 || !URL.canParse(action, from.href)) continue;
    return {
      action: action === '' ? url : new URL(action, from),
      method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
      fixed: fixedFields(fields),
      usernameField: usernameAmong(fields, password)?.name ?? null,
      passwordField: password.name,
    };
  }
  return null;
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

/** Keeps the forms of a page that ask for a password. A form within a form is none, as for browsers. */
class FormReader implements TagReader {
  readonly text = null;
  private readonly forms: ReadForm[] = [];
  private base: string | null = null;
  private form: ReadForm | null = null;
  private unseen = 0;

  wants(name: string): boolean {
    return READ.has(name);
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(tag)) this.unseen += 1;
    else if (this.unseen > 0) return;
    else if (tag === 'base') this.base ??= attributes.get('href') ?? null;
    else if (tag === 'form') this.form ??= { action: attributes.get('action') ?? '', method: attributes.get('method') ?? '', fields: [] };
    else if (this.form !== null && this.form.fields.length < MOST_FIELDS) this.form.fields.push(fieldOf(tag, attributes));
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
    if (form !== null && forms.length < MOST_FORMS && form.fields.some(({ type }) => type === 'password')) forms.push(form);
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
    before.find(({ name }) => NAME_LIKE.test(name)) ??
    before.at(-1) ??
    texts[0]
  );
}

function fixedFields(fields: readonly Field[]): [string, string][] {
  const fixed = fields.flatMap(({ tag, type, name, value, isTicked }): [string, string][] => {
    const ticked = (type === 'checkbox' || type === 'radio') && isTicked;
    const isFixed = tag === 'input' && name !== '' && (type === 'hidden' || ticked);
    return isFixed ? [[name, value ?? (ticked ? 'on' : '')]] : [];
  });
  const button = fields.find(({ tag, type }) => type === 'submit' || (tag === 'button' && type === ''));
  if (button !== undefined && button.name !== '') fixed.push([button.name, button.value ?? '']);
  return fixed;
}
