import { z } from 'zod';

/** The function that {@link PERSON_SCRIPT} calls. */
export const PERSON_BINDING = '__holdfastRecorder';

const text = z.string().max(2_000);

/** Reports of the script. They are untrusted, because any page can call the function too. */
export const personMessageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['click', 'submit', 'choose']),
    atMs: z.number(),
    text,
    role: z.enum(['link', 'button', 'form', 'field']),
    url: text,
  }),
  /** `value` is the content of the field. `isWhole` is true once the user has left the field or submitted it. */
  z.object({
    kind: z.literal('password'),
    value: z.string().max(1_000),
    isWhole: z.boolean(),
    passwordField: text,
    userField: text,
    userName: z.string().max(1_000),
  }),
  z.object({
    kind: z.literal('files'),
    atMs: z.number(),
    text,
    url: text,
    files: z.array(z.object({ name: text, size: z.number() })).max(200),
  }),
  /** A document was loaded. `atMs`: start of its navigation. */
  z.object({ kind: z.literal('arrived'), atMs: z.number(), how: z.string().max(20), url: text }),
  z.object({ kind: z.literal('title'), title: text }),
]);
export type PersonMessage = z.infer<typeof personMessageSchema>;

/**
 * Runs in every document before the page's own scripts and reports user actions (clicks, submits, choices) by their visible names. The only
 * field values that it reports are passwords, so that they can be removed from the recording.
 */
export const PERSON_SCRIPT = String.raw`(() => {
  const report = window[${JSON.stringify(PERSON_BINDING)}];
  if (typeof report !== 'function') return;
  const send = (message) => { try { void report(message); } catch {} };
  const isTop = window === window.top;
  const line = (text) => String(text ?? '').replace(/\s+/g, ' ').trim().slice(0, 80);
  const address = () => location.href.slice(0, 2000);
  const passwords = new WeakSet();

  const textOf = (id) => line(document.getElementById(id)?.textContent);
  /** Returns an approximate accessible name of an element, never a value that the user entered. */
  const nameOf = (element) => {
    const labelled = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean).map(textOf).join(' ');
    const pressed = element.matches('input[type=submit],input[type=button],input[type=reset]') ? element.value : '';
    const labels = [...(element.labels ?? [])].map((label) => line(label.textContent)).join(' ');
    const isField = element.matches('input,select,textarea');
    const candidates = [labelled, element.getAttribute('aria-label'), pressed, labels, isField ? '' : element.innerText,
      element.getAttribute('alt'), element.querySelector?.('img[alt]')?.getAttribute('alt'), element.getAttribute('title'),
      element.getAttribute('placeholder'), element.getAttribute('name'), element.id];
    return candidates.map(line).find((text) => text !== '') ?? '';
  };
  const act = (kind, element, role, text) =>
    send({ kind, atMs: performance.timeOrigin + performance.now(), text: line(text ?? nameOf(element)), role, url: address() });

  const CLICKABLE = 'a[href],button,summary,input[type=submit],input[type=button],input[type=image],input[type=reset],[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=switch],[onclick]';
  window.addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    const element = path.find((node) => node.matches(CLICKABLE)) ??
      (path[0] && !path[0].matches('input,select,textarea,label,html,body') && getComputedStyle(path[0]).cursor === 'pointer' ? path[0] : undefined);
    if (element === undefined) return;
    act('click', element, element.matches('a[href],[role=link]') ? 'link' : 'button');
  }, true);
  window.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    reportPasswords(form, true);
    const button = event.submitter ?? form.querySelector('button:not([type=button]),input[type=submit]');
    act('submit', form, button ? 'button' : 'form', (button && nameOf(button)) || form.getAttribute('aria-label') || line(form.querySelector('legend')?.textContent) || form.getAttribute('name') || form.id);
  }, true);
  window.addEventListener('change', (event) => {
    const [element] = event.composedPath();
    if (!(element instanceof Element)) return;
    if (element.matches('input[type=file]')) {
      const files = [...element.files].map(({ name, size }) => ({ name, size })).slice(0, 200);
      send({ kind: 'files', atMs: performance.timeOrigin + performance.now(), text: nameOf(element), url: address(), files });
    } else if (element.matches('select,input[type=checkbox],input[type=radio]') && event.isTrusted) act('choose', element, 'field');
    else reportPassword(element, true);
  }, true);

  const isPassword = (element) => {
    if (!(element instanceof HTMLInputElement)) return false;
    // A password field stays one even if a button makes its characters visible.
    if (element.type === 'password' || /\b(current|new)-password\b/.test(element.autocomplete)) passwords.add(element);
    return passwords.has(element);
  };
  const calledBy = (element) => element.name || element.id || '';
  const reportPassword = (element, isWhole) => {
    if (!isPassword(element) || element.value === '') return;
    const around = element.form ?? element.getRootNode();
    const fields = [...around.querySelectorAll('input')];
    const before = fields.slice(0, fields.indexOf(element)).filter((field) => !isPassword(field) && /^(text|email|tel|number|search)$/.test(field.type));
    const user = before.findLast((field) => /username|email/.test(field.autocomplete)) ?? before.findLast((field) => field.value !== '') ?? before.at(-1);
    send({
      kind: 'password', value: element.value.slice(0, 1000), isWhole, passwordField: calledBy(element).slice(0, 200),
      userField: user ? calledBy(user).slice(0, 200) : '', userName: (user?.value ?? '').slice(0, 1000),
    });
  };
  const reportPasswords = (root, isWhole) => root.querySelectorAll('input').forEach((field) => reportPassword(field, isWhole));
  window.addEventListener('input', (event) => reportPassword(event.composedPath()[0], false), true);
  window.addEventListener('focusin', (event) => void isPassword(event.composedPath()[0]), true);
  // Runs before handlers of the page, which may send the value.
  for (const type of ['pointerdown', 'keydown'])
    window.addEventListener(type, (event) => {
      if (type === 'keydown' && event.key !== 'Enter') return;
      reportPasswords(document, true);
      const root = event.composedPath()[0]?.getRootNode?.();
      if (root && root !== document) reportPasswords(root, true);
    }, true);

  if (!isTop) return;
  const [navigation] = performance.getEntriesByType('navigation');
  send({ kind: 'arrived', atMs: performance.timeOrigin, how: navigation?.type ?? 'navigate', url: address() });
  const reportTitle = () => send({ kind: 'title', title: document.title.slice(0, 200) });
  document.addEventListener('DOMContentLoaded', reportTitle);
  window.addEventListener('load', reportTitle);
})()`;
