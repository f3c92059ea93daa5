import { isRedirect, looksLikeLogin } from '#core/work/journey/redirects.ts';
import type { Probe } from '#contract/replies.ts';
import { cameFromCache } from '#core/measurement/cache/figures.ts';
import { removeTrailingSlash } from '#core/work/journey/escape.ts';
import { isSameOrigin } from '#core/base/origins.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { readPage } from '#core/work/pages/readPage.ts';
import { formatBytes, formatMs } from '#core/base/units.ts';
import { asksForPassword, findLoginForm } from '#core/work/pages/loginForm.ts';
import { describeCertificate } from './certificates.ts';
import { type SingleResponse, singleRequest, searchedText } from './singleRequest.ts';
import type { TargetConnection } from './targetConnection.ts';
import { unreachableProblem } from './unreachable.ts';

export interface Redirect {
  readonly location: string;
  readonly looksLikeLogin: boolean;
}

/** Returns the target of a redirect, and whether it looks like a login. Returns null for a response that does not redirect. */
export function getRedirect(status: number, location: string | undefined, from: URL): Redirect | null {
  if (!isRedirect(status) || !location) return null;
  if (!URL.canParse(location, from.href)) return { location, looksLikeLogin: false };
  const to = new URL(location, from);
  return { location: to.href, looksLikeLogin: looksLikeLogin(from, to) };
}

const SLOW_MS = 5_000;

export interface ProbeRequest {
  readonly url: URL;
  /** Headers with resolved secrets, including the cookie. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: TargetConnection;
  readonly timeoutMs: number;
}

/** Sends one request, and reports the response and what it means for a test. Never throws for errors of the server or the network. */
export async function probe(request: ProbeRequest): Promise<Probe> {
  let response: SingleResponse;
  try {
    response = await singleRequest({ ...request, method: 'GET', demandsTrust: false });
  } catch (thrown) {
    return { ...noResponse(request.url), problem: unreachableProblem(thrown, request.url) };
  }
  const start = urlWithoutSlash(request.url, response.status);
  // If the second request fails, the first response is still reported.
  const other = start && (await singleRequest({ ...request, url: start, method: 'GET', demandsTrust: false }).catch(() => null));
  return start && other && other.status < 400 ? collectFacts({ ...request, url: start }, other) : collectFacts(request, response);
}

const MAX_FOLLOWED_REDIRECTS = 3;

/**
 * Returns the redirect after checking it: it counts as a login only if its page asks for a password or refuses the visitor. Sends nothing
 * to another server.
 */
async function confirmLoginRedirect(request: ProbeRequest, redirect: Redirect | null): Promise<Redirect | null> {
  if (redirect === null || !redirect.looksLikeLogin) return redirect;
  let url = new URL(redirect.location);
  for (let hop = 0; hop < MAX_FOLLOWED_REDIRECTS && isSameOrigin(request.url, url); hop += 1) {
    const response = await singleRequest({ ...request, url, method: 'GET', demandsTrust: false }).catch(() => null);
    if (response === null) break;
    const next = getRedirect(response.status, response.headers.location, url);
    if (next === null)
      return { ...redirect, looksLikeLogin: [401, 403].includes(response.status) || asksForPassword(searchedText(response.body)) };
    if (!URL.canParse(next.location)) break;
    url = new URL(next.location);
  }
  return { ...redirect, looksLikeLogin: false };
}

async function collectFacts(request: ProbeRequest, response: SingleResponse): Promise<Probe> {
  const { url } = request;
  const contentType = headerText(response.headers['content-type']);
  const isHtml = contentType === null || contentType.includes('html');
  const facts: Omit<Probe, 'notes'> = {
    url: url.href,
    status: response.status,
    statusText: response.statusText,
    bodyBytes: response.body.length,
    totalMs: response.totalMs,
    connectMs: response.connectMs,
    firstByteMs: response.firstByteMs,
    httpVersion: response.httpVersion,
    keepAlive: isKeptAlive(response),
    server: headerText(response.headers.server),
    contentType,
    address: response.address,
    redirect: await confirmLoginRedirect(request, getRedirect(response.status, response.headers.location, url)),
    hasLoginForm: isHtml && findLoginForm(searchedText(response.body), url) !== null,
    links: isHtml ? linksOf(response.body, url) : [],
    certificate: response.certificate && describeCertificate(response.certificate, request.connection.tls.serverName ?? url.hostname),
    problem: null,
  };
  const fromCache = cameFromCache((name) => headerText(getOwn(response.headers, name)));
  const notes = notesOnProbe(facts, 'cookie' in lowerCaseNames(request.headers), request.connection.tls.verify);
  return { ...facts, notes: fromCache === null ? notes : [...notes, cacheNote(fromCache)] };
}

const MAX_LINKS = 200;

/** Returns the address without its trailing slash if the page was not found, else null. */
export function urlWithoutSlash(url: URL, status: number): URL | null {
  if (status !== 404 || url.pathname === '/' || !url.pathname.endsWith('/')) return null;
  const other = new URL(url);
  other.pathname = removeTrailingSlash(url.href);
  return other;
}

function linksOf(body: Buffer, url: URL): string[] {
  const links = readPage(searchedText(body), url.href).pages.map((page) => new URL(page));
  const ownUrls = links.filter((link) => isSameOrigin(link, url));
  return [...new Set(ownUrls.map(({ pathname, search }) => pathname + search))].slice(0, MAX_LINKS);
}

/** Returns a header as text. The values of a repeated header are a list. */
function headerText(value: string | string[] | undefined): string | null {
  return value === undefined ? null : [value].flat().join(', ');
}

function isKeptAlive({ headers, httpVersion }: SingleResponse): boolean {
  const connection = (headers.connection ?? '').toLowerCase();
  return httpVersion === '1.0' ? connection.includes('keep-alive') : !connection.includes('close');
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Explains what a probe means for a test, most severe first. This function is pure. */
export function notesOnProbe(facts: Omit<Probe, 'notes'>, sentCookie: boolean, verifies: boolean): Probe['notes'] {
  const notes: Probe['notes'] = [];
  const { status, redirect, certificate } = facts;
  if (redirect?.looksLikeLogin)
    notes.push({
      level: 'problem',
      ...(sentCookie ? {} : { asksLogin: true as const }),
      text: `The server redirects to a login page (${redirect.location}). You would measure the redirect, not the page. ${
        sentCookie ? 'The cookie is invalid or has expired: log in again.' : 'Enter a user name and a password, or a cookie.'
      }`,
    });
  else if (redirect)
    notes.push({
      level: 'warning',
      text: `The server redirects to ${redirect.location}. You would measure the redirect. Use that address instead.`,
    });
  else if (status !== null && (status === 401 || status === 403))
    notes.push({
      level: 'problem',
      text: `The server refuses this request (${status}). Enter a user name and a password, a cookie, or a login header.`,
    });
  else if (status !== null && (status < 200 || status >= 300))
    notes.push({
      level: 'problem',
      text: `The server responds with an error (${status} ${facts.statusText}). You would measure the error page.`,
    });
  else if (facts.hasLoginForm)
    notes.push({
      level: 'warning',
      asksLogin: true,
      text: 'This page has a login form. To measure pages behind it, enter a user name and a password, or a cookie.',
    });
  if (certificate?.problem)
    notes.push(
      verifies
        ? {
            level: 'problem',
            text: `${certificate.problem} Every request would fail. Trust this certificate, or turn off its verification.`,
          }
        : { level: 'warning', text: `${certificate.problem} You turned off its verification. The load is sent all the same.` },
    );
  if (facts.totalMs !== null && facts.totalMs > SLOW_MS)
    notes.push({ level: 'warning', text: `A single request took ${formatMs(facts.totalMs)}. Find out why before you send load.` });
  if (facts.bodyBytes === 0 && !redirect && status !== 204)
    notes.push({ level: 'info', text: 'The response is empty. Check that this is the right page.' });
  if (facts.keepAlive === false)
    notes.push({
      level: 'info',
      text: 'The server closes the connection after each response. Every request opens a new one, which is part of its response time.',
    });
  if (notes.length === 0)
    notes.push({
      level: 'ok',
      text: `It responds: ${status ?? ''} ${facts.statusText}, ${formatBytes(facts.bodyBytes)} in ${formatMs(facts.totalMs ?? 0)}.`,
    });
  return notes;
}

/** Returns a note on whether the response came from a cache. */
function cacheNote(fromCache: boolean): Probe['notes'][number] {
  return {
    level: 'info',
    text: `By its headers, this response came from ${fromCache ? 'a cache' : 'the server, not from a cache'}. The page Load can count that for every response.`,
  };
}

function noResponse(url: URL): Probe {
  return {
    url: url.href,
    status: null,
    statusText: '',
    bodyBytes: 0,
    totalMs: null,
    connectMs: null,
    firstByteMs: null,
    httpVersion: '',
    keepAlive: null,
    server: null,
    contentType: null,
    address: null,
    redirect: null,
    hasLoginForm: false,
    links: [],
    certificate: null,
    notes: [],
    problem: null,
  };
}
