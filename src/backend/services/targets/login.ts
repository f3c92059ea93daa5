import { HoldfastError } from '#core/base/errors.ts';
import { CookieJar } from '#core/work/journey/cookieJar.ts';
import { isRedirect } from '#core/work/journey/redirects.ts';
import { compareOrigins, refererFor } from '#core/base/origins.ts';
import { findLoginForm, type LoginForm, listSentFields } from '#core/work/pages/loginForm.ts';
import { type SingleResponse, singleRequest, searchedText } from './singleRequest.ts';
import { urlWithoutSlash } from './probe.ts';
import type { TargetConnection } from './targetConnection.ts';
import { unreachableProblem } from './unreachable.ts';

const MAX_REDIRECTS = 10;
const FAILED_LOGIN = /(login|auth|signin)[_-]?(error|failed|failure)|error=(login|auth|credentials|invalid)/i;

export interface LoginRequest {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** Connection options for the page at `url`. Other origins are reached with the default options. */
  readonly connection: TargetConnection;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

export interface LoginResult {
  /** Value of the Cookie header, which is a secret. */
  readonly cookieHeader: string;
  readonly cookieNames: string[];
  readonly cookieValues: string[];
  /** Address after the login, without its query, which may contain the password. */
  readonly landedOn: string;
  /** The origin that received the credentials, if it is not the given one. */
  readonly movedTo: string | null;
  readonly explanation: string;
}

interface Page {
  readonly url: URL;
  readonly response: SingleResponse;
}

/**
 * Logs in like a browser: fetches the page, fills in its form, sends the form and follows redirects, but only on the server whose address
 * was given. `compareOrigins` decides about every address; the explanation says where the password was sent. Throws `NO_LOGIN_FORM`,
 * `LOGIN_REFUSED`, `LOGIN_ELSEWHERE`, `LOGIN_FAILED`, `NO_COOKIE`, or the errors for an unreachable server.
 */
export async function login(request: LoginRequest): Promise<LoginResult> {
  const jar = new CookieJar();
  const browse = browser(jar, request);
  const first = await browse({ url: request.url, method: 'GET' });
  const start = urlWithoutSlash(first.url, first.response.status);
  const page = start === null ? first : await browse({ url: start, method: 'GET' });
  if (!isAllowedRedirect(page.url, request)) throw elsewhere('page', page.url, request);
  const form = findLoginForm(searchedText(page.response.body), page.url);
  if (!form) throw noForm(page);
  if (!isAllowedRedirect(form.action, request)) throw elsewhere('form', form.action, request);
  const before = new Set(jar.of(request.url, Date.now()).map(({ name, value }) => `${name}=${value}`));
  const fields = fillForm(form, jar, request);
  const landed = await browse(
    form.method === 'POST'
      ? { url: form.action, method: 'POST', body: fields.toString(), referer: page.url }
      : { url: withQuery(form.action, fields), method: 'GET', referer: page.url },
  );
  throwIfFailed(landed, form);
  const cookies = jar.of(request.url, Date.now());
  const changedCookies = cookies.filter(({ name, value }) => !before.has(`${name}=${value}`));
  if (changedCookies.length === 0) throw noCookie(form.action, request);
  const connectionElsewhere = form.action.origin === request.url.origin ? null : form.action.origin;
  const names = cookies.map(({ name }) => name);
  return {
    cookieHeader: jar.header(request.url, Date.now()) ?? '',
    cookieNames: names,
    cookieValues: cookies.map(({ value }) => value),
    landedOn: landed.url.origin + landed.url.pathname,
    movedTo: connectionElsewhere,
    explanation: [
      `Logged in as ${request.username}: the server set ${changedCookies.map(({ name }) => name).join(', ')} and ${landingText(landed, request)}.`,
      ...(connectionElsewhere === null ? [] : [`The server moved: user name and password were sent to ${connectionElsewhere}.`]),
    ].join(' '),
  };
}

/** Returns whether the login may continue at this address: at the given origin, or at another one of the same site. */
function isAllowedRedirect(url: URL, { url: given, connection }: LoginRequest): boolean {
  const passage = compareOrigins(given, url);
  // A server behind a Unix socket has no address on the network.
  return passage === 'same' || (passage === 'sameSite' && connection.connections.socketPath === undefined);
}

function landingText({ url }: Page, request: LoginRequest): string {
  return isAllowedRedirect(url, request) ? `shows ${url.pathname}` : `sends on to ${url.origin}, which was not followed`;
}

interface Visit {
  /** Address of the page, always on the server whose address was given. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly referer?: URL;
}

/**
 * Returns a function that follows redirects, but not to another server. At a redirect to another server, the function stops, and returns
 * the redirecting response with the address that was not fetched.
 */
function browser(jar: CookieJar, request: LoginRequest): (visit: Visit) => Promise<Page> {
  return async (first) => {
    let visit = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await send(visit, jar, request);
      jar.take(response.headers['set-cookie'] ?? [], visit.url, Date.now());
      const { location } = response.headers;
      if (!isRedirect(response.status) || location === undefined || !URL.canParse(location, visit.url.href))
        return { url: visit.url, response };
      const url = new URL(location, visit.url);
      const keepsMethod = response.status === 307 || response.status === 308;
      if (!isAllowedRedirect(url, request)) {
        // A redirect that keeps the method would pass the password on.
        if (keepsMethod && visit.method === 'POST') throw elsewhere('response', url, request);
        return { url, response };
      }
      visit = keepsMethod ? { ...visit, url } : { url, method: 'GET', referer: visit.url };
    }
    throw new HoldfastError({
      code: 'LOGIN_FAILED',
      message: `The server redirects in a loop (more than ${MAX_REDIRECTS} redirects).`,
      hint: 'Log in with a browser and paste the cookie.',
    });
  };
}

async function send({ url, method, body, referer }: Visit, jar: CookieJar, request: LoginRequest): Promise<SingleResponse> {
  const { userAgent, timeoutMs } = request;
  const cookie = jar.header(url, Date.now());
  const from = referer === undefined ? null : refererFor(url, referer);
  const headers = {
    'User-Agent': userAgent,
    Accept: 'text/html,*/*',
    ...(cookie === null ? {} : { Cookie: cookie }),
    ...(from === null ? {} : { Referer: from }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url.origin }),
  };
  try {
    const connection = compareOrigins(request.url, url) === 'same' ? request.connection : connectionElsewhere(request.connection);
    // Credentials are sent only to a server whose certificate the load would accept too.
    const demandsTrust = request.connection.tls.verify;
    return await singleRequest({ url, method, headers, connection, demandsTrust, timeoutMs, ...(body === undefined ? {} : { body }) });
  } catch (thrown) {
    throw new HoldfastError(unreachableProblem(thrown, url), { cause: thrown });
  }
}

/** Returns connection options for another origin. That origin has another name and gets no client certificate. */
function connectionElsewhere({ tls, connections }: TargetConnection): TargetConnection {
  const { ca, verify } = tls;
  const { localAddresses } = connections;
  return {
    tls: ca === undefined ? { verify } : { verify, ca },
    connections: localAddresses === undefined ? {} : { localAddresses },
    clientCertificate: null,
  };
}

function fillForm(form: LoginForm, jar: CookieJar, { username, password }: LoginRequest): URLSearchParams {
  const cookie = (wanted: string): string | null => jar.of(form.action, Date.now()).find(({ name }) => name === wanted)?.value ?? null;
  const fields = new URLSearchParams(listSentFields(form, cookie));
  if (form.usernameField !== null) fields.set(form.usernameField, username);
  fields.set(form.passwordField, password);
  return fields;
}

function withQuery(url: URL, fields: URLSearchParams): URL {
  const full = new URL(url);
  full.search = fields.toString();
  return full;
}

function throwIfFailed(landed: Page, form: LoginForm): void {
  const { status } = landed.response;
  if (status === 401 || status === 403) throw loginRefused(`The server responded with ${status}.`);
  if (FAILED_LOGIN.test(landed.url.search)) throw loginRefused('The server reports that the login failed.');
  if (status >= 400)
    throw new HoldfastError({
      code: 'LOGIN_FAILED',
      message: `The server responded to the login with an error (${status} ${landed.response.statusText}).`,
      hint: 'Log in with a browser. If that works, paste the cookie.',
    });
  const again = findLoginForm(searchedText(landed.response.body), landed.url);
  if (again && again.passwordField === form.passwordField) throw loginRefused('The login form came back.');
}

function loginRefused(reason: string): HoldfastError {
  return new HoldfastError({
    code: 'LOGIN_REFUSED',
    message: `The login was refused. ${reason}`,
    hint: 'Check the user name and password in a browser. Some servers allow an account only from certain addresses or at certain times.',
  });
}

function noForm({ url, response }: Page): HoldfastError {
  return new HoldfastError({
    code: 'NO_LOGIN_FORM',
    message: `No login form on ${url.href} (${response.status} ${response.statusText}).`,
    hint: 'Enter the address of the page with the login form. If a script draws the form, log in with a browser and paste the cookie.',
  });
}

/** Returns the error of a login that would send the password to another server. `by` says what would send it there. */
function elsewhere(by: 'page' | 'form' | 'response', to: URL, { url: given }: LoginRequest): HoldfastError {
  const who = { page: 'The server redirects', form: 'The form on the page leads', response: 'The server passes the form on' }[by];
  const where =
    compareOrigins(given, to) === 'downgrade'
      ? `${to.origin}: the password would go there unencrypted`
      : `another server: the password would go to ${to.origin}`;
  return new HoldfastError({
    code: 'LOGIN_ELSEWHERE',
    message: `${who} to ${where}.`,
    hint: `Nothing was sent there: Holdfast sends the password only to ${given.origin}, the address that you entered. Log in with a browser and paste the cookie.`,
  });
}

function noCookie(wentTo: URL, { url: given }: LoginRequest): HoldfastError {
  if (wentTo.origin !== given.origin)
    return new HoldfastError({
      code: 'NO_COOKIE',
      message: `The server has moved from ${given.origin} to ${wentTo.origin}, and the login there set no cookie for ${given.origin}.`,
      hint: `Enter ${wentTo.origin} as the address, and log in again.`,
    });
  return new HoldfastError({
    code: 'NO_COOKIE',
    message: 'The server accepted the form but set no cookie. Nothing keeps you logged in.',
    hint: 'Probably the login failed silently, or the site uses another method. Log in with a browser and paste the cookie or the header it sends.',
  });
}
