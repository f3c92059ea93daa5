import { getPublicSuffix } from 'tldts';
import { flatCopy } from '#core/base/text.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly isHostOnly: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds since 1970; Infinity for as long as the visitor is there. */
  readonly expiresMs: number;
}

/** Browsers keep about as many of one site (RFC 6265, 6.1, asks for at least 50). */
const MOST_COOKIES = 180;
const LONGEST_BYTES = 4_096;
/** Browsers do not read a longer one either (RFC 6265bis, 5.6). */
const LONGEST_ATTRIBUTE = 1_024;
/** Of all of a visitor together: servers refuse longer headers (nginx takes 32 kB, Apache and Node less), and 180 of the longest were 0.7 MB in every request. */
const MOST_BYTES = 32_768;

/**
 * The cookies of one visitor (RFC 6265, 5.3 and 5.4), as small as that allows: a thousand visitors have a thousand jars. Cookies for domains that the
 * server does not belong to are refused, and those for domains that are nobody's own (`co.uk`, `github.io`): pages load parts of other servers, too.
 */
export class CookieJar {
  private cookies: Cookie[] = [];
  private bytes = 0;
  /** Changes whenever a cookie does. */
  version = 0;

  /** Takes the values of the `Set-Cookie` lines of an answer to a request of `url`. */
  take(lines: readonly string[], url: URL, nowMs: number): void {
    for (const line of lines) {
      const cookie = parseCookie(line, url, nowMs);
      if (cookie !== null) this.put(cookie, nowMs);
    }
  }

  /** What a request of `url` carries, in this order. */
  of(url: URL, nowMs: number): readonly Pick<Cookie, 'name' | 'value'>[] {
    // Longer paths first; sorting keeps the order in which they were set.
    return this.cookies
      .filter((cookie) => cookie.expiresMs > nowMs && isFor(cookie, url))
      .sort((one, other) => other.path.length - one.path.length);
  }

  /** The value of the `Cookie` header for a request of `url`; null when there is nothing to send. */
  header(url: URL, nowMs: number): string | null {
    if (this.cookies.length === 0) return null;
    const sent = this.of(url, nowMs);
    return sent.length === 0 ? null : sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`)).join('; ');
  }

  /** The value of a cookie that a request of `url` would carry; null when there is none. */
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
    // The oldest go first, as in browsers.
    while (this.cookies.length > MOST_COOKIES || this.bytes > MOST_BYTES) {
      const oldest = this.cookies.shift();
      if (oldest !== undefined) this.bytes -= bytesOf(oldest);
    }
  }
}

/** With "=" and "; ". Letters of headers are bytes. */
function bytesOf({ name, value }: Cookie): number {
  return name.length + value.length + 3;
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, url: URL): boolean {
  if (isSecure && !isTrusted(url)) return false;
  const isOfHost = url.hostname === domain || (!isHostOnly && url.hostname.endsWith(`.${domain}`));
  return isOfHost && pathMatches(url.pathname, path);
}

/** Browsers hold what never leaves the machine for as good as encrypted. */
function isTrusted({ protocol, hostname: host }: URL): boolean {
  return protocol === 'https:' || host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}

/** RFC 6265, 5.1.4. */
function pathMatches(requested: string, path: string): boolean {
  if (requested === path) return true;
  return requested.startsWith(path) && (path.endsWith('/') || requested[path.length] === '/');
}

/** null for a line that a browser would ignore. */
function parseCookie(line: string, url: URL, nowMs: number): Cookie | null {
  const [pair = '', ...attributes] = line.split(';');
  const split = pair.indexOf('=');
  const name = split < 0 ? '' : pair.slice(0, split).trim();
  const value = (split < 0 ? pair : pair.slice(split + 1)).trim();
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if ((name === '' && value === '') || name.length + value.length > LONGEST_BYTES || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(pair))
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
    if (text.length > LONGEST_ATTRIBUTE) continue;
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

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FIRST_YEAR = 1_601;

/** Parses a cookie date (RFC 6265, 5.1.1) to milliseconds since 1970; null if the text is no date: the cookie then has no expiry date. */
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
    else if (year === null && /^\d{2,4}(?!\d)/.test(token)) year = fullYear(Number.parseInt(token, 10));
  }
  if (time === null || day === null || month < 0 || year === null || year < FIRST_YEAR) return null;
  const [hour = 0, minute = 0, second = 0] = time;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(Date.UTC(year, month, day, hour, minute, second));
  // Rejects days that do not exist, such as February 30.
  return day > 0 && at.getUTCDate() === day ? at.getTime() : null;
}

/** Completes a year of two digits: 56 is 2056, and 94 is 1994. */
function fullYear(year: number): number {
  if (year > 99) return year;
  return year + (year >= 70 ? 1_900 : 2_000);
}

/** By the list that browsers use (publicsuffix.org). */
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
