import { getPublicSuffix } from 'tldts';
import { flatCopy } from '#core/base/text.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  /** Time at which the cookie expires, as Unix time in milliseconds; Infinity for session cookies. */
  readonly expiresMs: number;
}

/** Maximum number of cookies per site. Browsers have a similar limit (RFC 6265, 6.1, requires at least 50). */
const MAX_COOKIES = 180;
const MAX_COOKIE_BYTES = 4_096;
/** Maximum length of an attribute. Browsers also ignore longer ones (RFC 6265bis, 5.6). */
const MAX_ATTRIBUTE_BYTES = 1_024;
/**
 * Maximum size of all cookies of a user. Servers reject longer headers (nginx above 32 kB, Apache and Node.js earlier), and 180 cookies of
 * maximum length would add 0.7 MB to every request.
 */
const MAX_BYTES = 32_768;

/**
 * Cookies of one user (RFC 6265, 5.3 and 5.4). They are kept small, because a thousand users have a thousand jars. Rejects cookies for
 * foreign domains and public suffixes (`co.uk`, `github.io`), because pages load parts from other servers.
 */
export class CookieJar {
  private cookies: Cookie[] = [];
  private bytes = 0;
  /** Version of the content, which increases with each change. */
  version = 0;

  /** Stores the `Set-Cookie` values of a response from `url`. */
  take(lines: readonly string[], url: URL, nowMs: number): void {
    for (const line of lines) {
      const cookie = parseCookie(line, url, nowMs);
      if (cookie !== null) this.put(cookie, nowMs);
    }
  }

  /** Returns the cookies for a request to `url`, in order. */
  of(url: URL, nowMs: number): readonly Pick<Cookie, 'name' | 'value'>[] {
    // Longer paths come first. The sort is stable and keeps the order of creation.
    return this.cookies
      .filter((cookie) => cookie.expiresMs > nowMs && isFor(cookie, url))
      .sort((one, other) => other.path.length - one.path.length);
  }

  /** Returns the `Cookie` header for a request to `url`; null if there are no cookies. */
  header(url: URL, nowMs: number): string | null {
    if (this.cookies.length === 0) return null;
    const sent = this.of(url, nowMs);
    return sent.length === 0 ? null : sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`)).join('; ');
  }

  /** Returns the value of a cookie for `url`; null if there is none. */
  valueOf(name: string, url: URL, nowMs: number): string | null {
    return this.cookies.findLast((cookie) => cookie.name === name && cookie.expiresMs > nowMs && isFor(cookie, url))?.value ?? null;
  }

  clear(): void {
    this.cookies = [];
    this.bytes = 0;
    this.version += 1;
  }

  private put(cookie: Cookie, nowMs: number): void {
    this.version += 1;
    const at = this.cookies.findIndex(({ name, domain, path }) => name === cookie.name && domain === cookie.domain && path === cookie.path);
    const before = this.cookies[at];
    if (before !== undefined) this.bytes -= bytesOf(before);
    if (cookie.expiresMs <= nowMs) {
      if (at >= 0) this.cookies.splice(at, 1);
      return;
    }
    this.bytes += bytesOf(cookie);
    if (at >= 0) this.cookies[at] = cookie;
    else this.cookies.push(cookie);
    // The oldest cookies are removed first, as in browsers.
    while (this.cookies.length > MAX_COOKIES || this.bytes > MAX_BYTES) {
      const oldest = this.cookies.shift();
      if (oldest !== undefined) this.bytes -= bytesOf(oldest);
    }
  }
}

/** Returns the size of a cookie in a header, including "=" and "; ". Characters of headers are single bytes. */
function bytesOf({ name, value }: Cookie): number {
  return name.length + value.length + 3;
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, url: URL): boolean {
  if (isSecure && !isTrusted(url)) return false;
  const isOfHost = url.hostname === domain || (!isHostOnly && url.hostname.endsWith(`.${domain}`));
  return isOfHost && pathMatches(url.pathname, path);
}

/** Returns whether an address counts as secure. Browsers treat loopback addresses as secure. */
function isTrusted({ protocol, hostname: host }: URL): boolean {
  return protocol === 'https:' || host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}

/** Returns whether a cookie's path matches a requested path (RFC 6265, 5.1.4). */
function pathMatches(requested: string, path: string): boolean {
  if (requested === path) return true;
  return requested.startsWith(path) && (path.endsWith('/') || requested[path.length] === '/');
}

/** Parses a `Set-Cookie` line. Returns null for a line that browsers ignore. */
function parseCookie(line: string, url: URL, nowMs: number): Cookie | null {
  const [pair = '', ...attributes] = line.split(';');
  const split = pair.indexOf('=');
  const name = split < 0 ? '' : pair.slice(0, split).trim();
  const value = (split < 0 ? pair : pair.slice(split + 1)).trim();
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if ((name === '' && value === '') || name.length + value.length > MAX_COOKIE_BYTES || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(pair))
    return null;
  let domain = '';
  let path = '';
  let isSecure = false;
  let expiresMs = Number.POSITIVE_INFINITY;
  let maxAge: number | null = null;
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const key = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase();
    const text = equals < 0 ? '' : attribute.slice(equals + 1).trim();
    if (text.length > MAX_ATTRIBUTE_BYTES) continue;
    if (key === 'domain') domain = text.replace(/^\./, '').toLowerCase();
    else if (key === 'path') path = text;
    else if (key === 'secure') isSecure = true;
    else if (key === 'max-age' && /^-?\d+$/.test(text)) maxAge = Number(text);
    else if (key === 'expires') {
      expiresMs = cookieDateMs(text) ?? expiresMs;
    }
  }
  if (domain !== '' && url.hostname !== domain && !(url.hostname.endsWith(`.${domain}`) && !isAddress(url.hostname))) return null;
  if (isSecure && !isTrusted(url)) return null;
  if (!keepsPrefix(name === '' ? value : name, { isSecure, domain, path })) return null;
  const isNobodysOwn = domain !== '' && isPublicSuffix(domain);
  if (isNobodysOwn && domain !== url.hostname) return null;
  return {
    name: flatCopy(name),
    value: flatCopy(value),
    domain: domain === '' ? url.hostname : flatCopy(domain),
    isHostOnly: domain === '' || isNobodysOwn,
    path: path.startsWith('/') ? flatCopy(path) : defaultPath(url.pathname),
    isSecure,
    expiresMs: maxAge === null ? expiresMs : nowMs + maxAge * 1_000,
  };
}

/** Returns whether a cookie has what its name promises: `__Secure-` and `__Host-` (RFC 6265bis, 4.1.3). */
function keepsPrefix(name: string, { isSecure, domain, path }: Pick<Cookie, 'isSecure' | 'domain' | 'path'>): boolean {
  if (/^__secure-/i.test(name)) return isSecure;
  return !/^__host-/i.test(name) || (isSecure && domain === '' && path === '/');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FIRST_YEAR = 1_601;

/**
 * Parses a cookie date (RFC 6265, 5.1.1) to Unix time in milliseconds. Returns null for an invalid date; a cookie with such a date does not
 * expire.
 */
export function cookieDateMs(text: string): number | null {
  let time: readonly number[] | null = null;
  let day: number | null = null;
  let month = -1;
  let year: number | null = null;
  for (const token of text.split(/[\t\u0020-\u002f\u003b-\u0040\u005b-\u0060\u007b-\u007e]+/)) {
    const clock: RegExpExecArray | null = time === null ? /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token) : null;
    if (clock !== null) time = clock.slice(1).map(Number);
    else if (day === null && /^\d{1,2}(?!\d)/.test(token)) day = Number.parseInt(token, 10);
    else if (month < 0 && MONTHS.includes(token.slice(0, 3).toLowerCase())) month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    else if (year === null && /^\d{2,4}(?!\d)/.test(token)) year = toFullYear(Number.parseInt(token, 10));
  }
  if (time === null || day === null || month < 0 || year === null || year < FIRST_YEAR) return null;
  const [hour = 0, minute = 0, second = 0] = time;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(Date.UTC(year, month, day, hour, minute, second));
  // Days that do not exist, such as February 30, are rejected.
  return day > 0 && at.getUTCDate() === day ? at.getTime() : null;
}

/** Completes a year of two digits: 56 is 2056, and 94 is 1994. */
function toFullYear(year: number): number {
  if (year > 99) return year;
  return year + (year >= 70 ? 1_900 : 2_000);
}

/** Returns whether a domain is in the list of public suffixes that browsers use (publicsuffix.org). */
function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
}

function defaultPath(pathname: string): string {
  const last = pathname.lastIndexOf('/');
  return last <= 0 ? '/' : pathname.slice(0, last);
}
