import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Breaks } from '../breaks.ts';

const SEAL_LENGTH = 22;

/** Signs and checks the login cookie. Shards with the same secret accept each other's cookies. */
export class Sessions {
  readonly cookie: string;
  private readonly secret: Buffer;
  private readonly isKnownUser: (username: string) => boolean;
  private readonly lastsSeconds: number;

  /** `cookie` is the name of the cookie. `lastsSeconds` is the duration of a login. */
  constructor(cookie: string, secret: Buffer, isKnownUser: (username: string) => boolean, lastsSeconds: number) {
    this.cookie = cookie;
    this.secret = secret;
    this.isKnownUser = isKnownUser;
    this.lastsSeconds = lastsSeconds;
  }

  /** Returns the user of a request; null if nobody is logged in, or if the login is broken on purpose. */
  userOf(request: Request, breaks?: Breaks): string | null {
    const username = this.read(readCookies(request).get(this.cookie), Date.now());
    return username !== null && breaks?.isOtherAccount(request, username) === true ? null : username;
  }

  logIn(response: Response, username: string): void {
    const value = this.issue(username, Date.now());
    response.cookie(this.cookie, value, { path: '/', httpOnly: true, maxAge: this.lastsSeconds * 1_000 });
  }

  issue(username: string, nowMs: number): string {
    const content = `${Buffer.from(username).toString('base64url')}.${Math.floor(nowMs)}`;
    return `${content}.${this.sign(content)}`;
  }

  /** Returns the user named in a cookie, or null if the cookie is forged, foreign or expired. */
  read(cookie: string | undefined, nowMs: number): string | null {
    const [name = '', issued = '', signature = '', ...rest] = (cookie ?? '').split('.');
    if (rest.length > 0 || !isEqual(signature, this.sign(`${name}.${issued}`))) return null;
    const ageSeconds = (nowMs - Number(issued)) / 1_000;
    const username = Buffer.from(name, 'base64url').toString();
    return ageSeconds <= this.lastsSeconds && this.isKnownUser(username) ? username : null;
  }

  /** Returns a text in an opaque, signed form. */
  seal(text: string): string {
    return `${Buffer.from(text).toString('base64url')}${this.sign(text).slice(0, SEAL_LENGTH)}`;
  }

  /** Returns the text from a sealed form, or null if this server did not seal it. */
  unseal(sealed: string | undefined): string | null {
    if (sealed === undefined || sealed.length <= SEAL_LENGTH) return null;
    const text = Buffer.from(sealed.slice(0, -SEAL_LENGTH), 'base64url').toString();
    return isEqual(this.seal(text), sealed) ? text : null;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

/** Returns the token that a form must send together with this cookie, and sets the cookie if there is none. */
export function tokenFor(request: Request, response: Response, cookie: string): string {
  const cookieValue = readCookies(request).get(cookie);
  if (cookieValue !== undefined && /^[0-9a-f]{32}$/.test(cookieValue)) return cookieValue;
  const token = randomBytes(16).toString('hex');
  response.cookie(cookie, token, { path: '/' });
  return token;
}

/** Returns whether the form, or the header that scripts use, contains the token of the cookie. */
export function xsrfMatches(cookie: string | undefined, field: unknown, header: unknown): boolean {
  if (cookie === undefined || cookie === '') return false;
  return [field, header].some((input) => typeof input === 'string' && isEqual(input, cookie));
}

/** Returns the cookies of a request by name. If a name is repeated, its first value counts. */
export function readCookies(request: IncomingMessage): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const split = pair.indexOf('=');
    const name = pair.slice(0, split).trim();
    if (split > 0 && !cookies.has(name)) cookies.set(name, pair.slice(split + 1).trim());
  }
  return cookies;
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
