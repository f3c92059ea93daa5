import { parse, type HTMLElement } from 'node-html-parser';

/** A login form as the page has it. */
export interface LoginForm {
  readonly action: URL;
  readonly method: 'GET' | 'POST';
  /** Everything that is sent along unchanged: hidden fields, ticked boxes, the button. */
  readonly fixed: readonly (readonly [name: string, value: string])[];
  readonly usernameField: string | null;
  readonly passwordField: string;
}

const TEXT_TYPES = new Set(['text', 'email', 'tel', 'search', '']);
const NAME_LIKE = /user|login|mail|account|name|uid|member|nick/i;

/** The first form of the page that has a password field; null when there is none. */
export function findLoginForm(html: string, page: URL): LoginForm | null {
  const root = parse(html);
  const base = baseOf(root, page);
  for (const form of root.querySelectorAll('form')) {
    const inputs = form.querySelectorAll('input');
    const passwords = inputs.filter((input) => typeOf(input) === 'password' && nameOf(input) !== '');
    const [password] = passwords;
    // Two password fields are a registration or a change of password.
    if (!password || passwords.length > 1) continue;
    const action = form.getAttribute('action') ?? '';
    if (!URL.canParse(action || base.href, base.href)) continue;
    const username = usernameAmong(inputs, password);
    return {
      action: action === '' ? page : new URL(action, base),
      method: (form.getAttribute('method') ?? '').toUpperCase() === 'POST' ? 'POST' : 'GET',
      fixed: fixedFields(form, inputs),
      usernameField: username ? nameOf(username) : null,
      passwordField: nameOf(password),
    };
  }
  return null;
}

function baseOf(root: HTMLElement, page: URL): URL {
  const href = root.querySelector('base')?.getAttribute('href');
  return href && URL.canParse(href, page.href) ? new URL(href, page) : page;
}

function usernameAmong(inputs: readonly HTMLElement[], password: HTMLElement): HTMLElement | undefined {
  const texts = inputs.filter((input) => TEXT_TYPES.has(typeOf(input)) && nameOf(input) !== '');
  const before = texts.filter((input) => inputs.indexOf(input) < inputs.indexOf(password));
  return (
    texts.find((input) => /username|email/.test(input.getAttribute('autocomplete') ?? '')) ??
    before.find((input) => NAME_LIKE.test(nameOf(input))) ??
    before.at(-1) ??
    texts[0]
  );
}

function fixedFields(form: HTMLElement, inputs: readonly HTMLElement[]): [string, string][] {
  const fields: [string, string][] = [];
  for (const input of inputs) {
    const type = typeOf(input);
    const ticked = (type === 'checkbox' || type === 'radio') && input.hasAttribute('checked');
    if (nameOf(input) !== '' && (type === 'hidden' || ticked))
      fields.push([nameOf(input), input.getAttribute('value') ?? (ticked ? 'on' : '')]);
  }
  const button = form
    .querySelectorAll('input, button')
    .find((element) => typeOf(element) === 'submit' || (element.tagName === 'BUTTON' && typeOf(element) === ''));
  if (button && nameOf(button) !== '') fields.push([nameOf(button), button.getAttribute('value') ?? '']);
  return fields;
}

function typeOf(element: HTMLElement): string {
  return (element.getAttribute('type') ?? '').trim().toLowerCase();
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('name') ?? '';
}
