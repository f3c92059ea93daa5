import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { readForm, textField } from '../web/html.ts';
import type { People } from './accounts.ts';

/**
 * Serves a contest below a prefix, like a CMS with several contests. The start page is the prefix without a trailing slash; with a slash
 * there is no page. Links are relative to their page. Style sheets stay at the root.
 */
export function servePrefix(prefix: string): RequestHandler {
  return (request, response, next) => {
    const [path = '', query] = request.url.split('?', 2);
    if (path.startsWith('/static/')) return next();
    const isStart = path === prefix;
    if (!isStart && !(path.startsWith(`${prefix}/`) && path.length > prefix.length + 1))
      return void response.status(404).send('There is no such contest.');
    const root = '../'.repeat(path.split('/').length - 2) || './';
    const send = response.send.bind(response);
    const redirect = response.redirect.bind(response);
    response.send = (body) => send(typeof body === 'string' ? prefixLinks(body, root, prefix) : body);
    response.redirect = (...to: [string | number, string?]) => redirect(`${root}${linkTo(String(to.at(-1)), prefix)}`);
    request.url = `${isStart ? '/' : path.slice(prefix.length)}${query === undefined ? '' : `?${query}`}`;
    next();
  };
}

function prefixLinks(page: string, root: string, prefix: string): string {
  return page.replaceAll(/(href|action|src)="(\/[^"]*)"/g, (_, name: string, path: string) => `${name}="${root}${linkTo(path, prefix)}"`);
}

/** Returns the link to a path of the contest, relative to the root of the server. Only style sheets and scripts have no prefix. */
function linkTo(path: string, prefix: string): string {
  if (path.startsWith('/static/')) return path.slice(1);
  return `${prefix}${/^\/(\?|$)/.test(path) ? path.slice(1) : path}`.slice(1);
}

const FILES: ReadonlyMap<string, { readonly type: string; readonly content: string }> = new Map([
  [
    '/css/contest.css',
    {
      type: 'text/css',
      content: `body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0; }
nav .nav-header { font-weight: 600; }
table { border-collapse: collapse; }
th, td { border: 1px solid #b8c0c8; padding: 0.25rem 0.75rem; text-align: left; }
.error { color: #a01020; }
`,
    },
  ],
  [
    '/js/contest.js',
    {
      type: 'text/javascript',
      content: `let lastNotification = 0;
setInterval(async () => {
  const answer = await fetch('/notifications?last_notification=' + lastNotification);
  if (!answer.ok) return;
  for (const notification of await answer.json()) {
    lastNotification = Math.max(lastNotification, notification.timestamp);
    document.querySelector('main').prepend(notification.subject + ': ' + notification.text);
  }
}, 30000);
`,
    },
  ],
]);

const CACHE_SECONDS = 3_600;

/** Serves the style sheet and the script of the pages. They are small, cacheable and the same for every user. */
export function staticFiles(): Router {
  const router = express.Router();
  router.get('/{*path}', (request, response, next) => {
    const file = FILES.get(request.path);
    if (!file) return next();
    response.type(file.type).set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).send(file.content);
  });
  return router;
}

export interface RegistrationParts {
  readonly people: People;
  readonly showForm: RequestHandler;
  /** Returns whether the token of the form is valid. If it is not, sends the error response itself. */
  readonly isXsrfValid: (request: Request, form: FormData | null, response: Response) => boolean;
}

const MAX_NAME_LENGTH = 50;
const MIN_PASSWORD_LENGTH = 6;

/**
 * Serves `/register` like CMS with self-registration. The response is the user name as plain text, 400 for invalid fields, or 409 for a
 * taken name.
 */
export function registration({ people, showForm, isXsrfValid }: RegistrationParts): Router {
  const router = express.Router();
  router.get('/', showForm);
  router.post('/', async (request, response) => {
    const form = await readForm(request);
    if (!isXsrfValid(request, form, response)) return;
    const username = textField(form, 'username');
    const password = textField(form, 'password');
    const names = [textField(form, 'first_name'), textField(form, 'last_name')];
    const isFine =
      /^[A-Za-z0-9_-]+$/.test(username) &&
      password.length >= MIN_PASSWORD_LENGTH &&
      [username, password, ...names].every((text) => text.length > 0 && text.length <= MAX_NAME_LENGTH);
    if (!isFine) return void response.status(400).type('text/plain').send('These fields cannot be.');
    if (!people.register(username, password)) return void response.status(409).type('text/plain').send('This name is taken.');
    response.type('text/plain').send(username);
  });
  return router;
}
