import { CookieJar } from 'tough-cookie';
import { HoldfastError } from '#core/errors.ts';
import { exchange, type Exchange } from './exchange.ts';
import { findLoginForm, type LoginForm } from './loginForm.ts';
import type { Route } from './route.ts';
import { unreachableProblem } from './unreachable.ts';

const MAX_REDIRECTS = 10;
const FAILED_LOGIN = /(login|auth|signin)[_-]?(error|failed|failure)|error=(login|auth|credentials|invalid)/i;

export interface LoginRequest {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** How the page at `url` is reached; other hosts are reached in the usual way. */
  readonly route: Route;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

export interface LoggedIn {
  /** Value for the Cookie header: a secret. */
  readonly cookieHeader: string;
  readonly cookieNames: string[];
  readonly cookieValues: string[];
  readonly landedOn: string;
  readonly explanation: string;
}

interface Page {
  readonly url: URL;
  readonly answer: Exchange;
}

/**
 * Logs in as a browser would: fetches the page, fills in its form, sends it and follows where it leads. Throws `NO_LOGIN_FORM`,
 * `LOGIN_REFUSED`, `LOGIN_ELSEWHERE`, `LOGIN_FAILED`, `NO_COOKIE`, or why the server cannot be reached.
 */
export async function login(request: LoginRequest): Promise<LoggedIn> {
  const jar = new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: false });
  const browse = browser(jar, request);
  const page = await browse({ url: request.url, method: 'GET' });
  const form = findLoginForm(textOf(page), page.url);
  if (!form) throw noForm(page);
  if (form.action.host !== page.url.host) throw elsewhere(form.action);
  const before = new Set((await jar.getCookies(request.url.href)).map(({ key, value }) => `${key}=${value}`));
  const fields = await filledIn(form, jar, request);
  const landed = await browse(
    form.method === 'POST'
      ? { url: form.action, method: 'POST', body: fields.toString(), referer: page.url }
      : { url: withQuery(form.action, fields), method: 'GET', referer: page.url },
  );
  refuseFailure(landed, form);
  const cookies = await jar.getCookies(request.url.href);
  const changed = cookies.filter(({ key, value }) => !before.has(`${key}=${value}`));
  if (changed.length === 0) throw noCookie();
  const names = cookies.map(({ key }) => key);
  return {
    cookieHeader: await jar.getCookieString(request.url.href),
    cookieNames: names,
    cookieValues: cookies.map(({ value }) => value),
    landedOn: landed.url.href,
    explanation: `Logged in as ${request.username}: the server set ${changed.map(({ key }) => key).join(', ')} and shows ${landed.url.pathname}.`,
  };
}

interface Visit {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly referer?: URL;
}

function browser(jar: CookieJar, request: LoginRequest): (visit: Visit) => Promise<Page> {
  return async (first) => {
    let visit = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await send(visit, jar, request);
      for (const line of answer.headers['set-cookie'] ?? []) await jar.setCookie(line, visit.url.href, { ignoreError: true });
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 399 || location === undefined || !URL.canParse(location, visit.url.href))
        return { url: visit.url, answer };
      const url = new URL(location, visit.url);
      const keepsMethod = answer.status === 307 || answer.status === 308;
      // A form that is passed on carries the password: never to another host.
      if (keepsMethod && visit.method === 'POST' && url.host !== visit.url.host) throw elsewhere(url);
      visit = keepsMethod ? { ...visit, url } : { url, method: 'GET', referer: visit.url };
    }
    throw new HoldfastError({
      code: 'LOGIN_FAILED',
      message: `The server sends the visitor round in circles (more than ${MAX_REDIRECTS} redirects).`,
      hint: 'Try to log in with a browser, and paste the cookie by hand.',
    });
  };
}

async function send({ url, method, body, referer }: Visit, jar: CookieJar, request: LoginRequest): Promise<Exchange> {
  const { userAgent, timeoutMs } = request;
  const cookie = await jar.getCookieString(url.href);
  const headers = {
    'User-Agent': userAgent,
    Accept: 'text/html,*/*',
    ...(cookie ? { Cookie: cookie } : {}),
    ...(referer ? { Referer: referer.href } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url.origin }),
  };
  try {
    const route = url.host === request.url.host ? request.route : elsewhereOn(request.route);
    // Name and password go to nobody whom the load would not trust.
    const demandsTrust = request.route.tls.verify;
    return await exchange({ url, method, headers, route, demandsTrust, timeoutMs, ...(body === undefined ? {} : { body }) });
  } catch (thrown) {
    throw new HoldfastError(unreachableProblem(thrown, url), { cause: thrown });
  }
}

/** Another host has another name and is not behind the same socket; it is not shown who is there either. */
function elsewhereOn({ tls, connections }: Route): Route {
  const { ca, verify } = tls;
  const { localAddresses } = connections;
  return {
    tls: ca === undefined ? { verify } : { verify, ca },
    connections: localAddresses === undefined ? {} : { localAddresses },
    clientCertificate: null,
  };
}

async function filledIn(form: LoginForm, jar: CookieJar, { username, password }: LoginRequest): Promise<URLSearchParams> {
  const fields = new URLSearchParams(form.fixed.map(([name, value]): [string, string] => [name, value]));
  // Tornado compares the field with the cookie; pages that fill the field in by script send it empty or not at all.
  const token = (await jar.getCookies(form.action.href)).find(({ key }) => key === '_xsrf');
  if (token && !fields.get('_xsrf')) fields.set('_xsrf', token.value);
  if (form.usernameField !== null) fields.set(form.usernameField, username);
  fields.set(form.passwordField, password);
  return fields;
}

function withQuery(url: URL, fields: URLSearchParams): URL {
  const full = new URL(url);
  full.search = fields.toString();
  return full;
}

function textOf({ answer }: Page): string {
  return answer.body.toString('utf8');
}

function refuseFailure(landed: Page, form: LoginForm): void {
  const { status } = landed.answer;
  if (status === 401 || status === 403) throw refused(`The server answered ${status}.`);
  if (FAILED_LOGIN.test(landed.url.search)) throw refused('The server says that the login failed.');
  if (status >= 400)
    throw new HoldfastError({
      code: 'LOGIN_FAILED',
      message: `The server answered the login with an error (${status} ${landed.answer.statusText}).`,
      hint: 'Try to log in with a browser. If that works, paste the cookie by hand.',
    });
  const again = findLoginForm(textOf(landed), landed.url);
  if (again && again.passwordField === form.passwordField) throw refused('The login form came back.');
}

function refused(why: string): HoldfastError {
  return new HoldfastError({
    code: 'LOGIN_REFUSED',
    message: `The login was refused. ${why}`,
    hint: 'Check the name and the password: try them in a browser. Some servers allow an account from certain addresses or at certain times only.',
  });
}

function noForm({ url, answer }: Page): HoldfastError {
  return new HoldfastError({
    code: 'NO_LOGIN_FORM',
    message: `There is no login form on ${url.href} (${answer.status} ${answer.statusText}).`,
    hint: 'Give the address of the page where a visitor types name and password. If the form is drawn by a script, log in with a browser and paste the cookie.',
  });
}

function elsewhere(action: URL): HoldfastError {
  return new HoldfastError({
    code: 'LOGIN_ELSEWHERE',
    message: `The form would send the password to another server (${action.host}).`,
    hint: 'Holdfast does not do that. Log in with a browser, and paste the cookie by hand.',
  });
}

function noCookie(): HoldfastError {
  return new HoldfastError({
    code: 'NO_COOKIE',
    message: 'The server took the form and set no cookie, so there is nothing that would keep you logged in.',
    hint: 'The login may have failed silently, or the site uses another way. Log in with a browser and paste the cookie or the header it sends.',
  });
}
