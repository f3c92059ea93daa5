import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isKnownUser } from './accounts.ts';

export const LOGIN_COOKIE = 'practice_login';
export const XSRF_COOKIE = '_xsrf';
/** How long a login lasts without a page load: three hours, as in CMS. */
export const LOGIN_SECONDS = 10_800;

/** Signs and checks the login cookie. Shards that share the secret accept each other's cookies. */
export class Sessions {
  private readonly secret: Buffer;

  constructor(secret: Buffer) {
    this.secret = secret;
  }

  issue(username: string, nowMs: number): string {
    const content = `${Buffer.from(username).toString('base64url')}.${Math.floor(nowMs / 1_000)}`;
    return `${content}.${this.sign(content)}`;
  }

  /** The user whom this cookie stands for, or null when it is forged, foreign or too old. */
  read(cookie: string | undefined, nowMs: number): string | null {
    const [name = '', issued = '', signature = '', ...rest] = (cookie ?? '').split('.');
    if (rest.length > 0 || !equal(signature, this.sign(`${name}.${issued}`))) return null;
    const ageSeconds = nowMs / 1_000 - Number(issued);
    const username = Buffer.from(name, 'base64url').toString();
    return ageSeconds <= LOGIN_SECONDS && isKnownUser(username) ? username : null;
  }

  /** An opaque name for something that only this contest can have made. */
  seal(text: string): string {
    return `${Buffer.from(text).toString('base64url')}${this.sign(text).slice(0, 22)}`;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

/** A token that a form has to send back together with the cookie that holds it. */
export function newXsrfToken(): string {
  return randomBytes(16).toString('hex');
}

/** True when the form (or the header that scripts use) repeats the token of the cookie. */
export function xsrfMatches(cookie: string | undefined, field: unknown, header: unknown): boolean {
  if (cookie === undefined || cookie === '') return false;
  return [field, header].some((given) => typeof given === 'string' && equal(given, cookie));
}

/** The cookies of a request by name; of a repeated one the first. */
export function readCookies(request: IncomingMessage): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const split = pair.indexOf('=');
    const name = pair.slice(0, split).trim();
    if (split > 0 && !cookies.has(name)) cookies.set(name, pair.slice(split + 1).trim());
  }
  return cookies;
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
