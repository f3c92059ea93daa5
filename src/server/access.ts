import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that cannot be guessed, fit for a URL and a cookie. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/**
 * Whether a request's Host is one of our own names. A page on the internet can let its own name point to 127.0.0.1 (DNS
 * rebinding), and the browser then lets it read our answers; its name in Host gives it away.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Whether a WebSocket is opened by our own page: browsers let any page open one to anywhere, and say so only in Origin. */
export function isOurOrigin(origin: string | undefined, port: number): boolean {
  return origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`;
}

/** Browsers keep one set of cookies for all ports of a host, so that two servers need two names. */
export function cookieName(port: number): string {
  return `holdfast-${port}`;
}

/** The value of a cookie in a Cookie header; the first one counts, as browsers send the most specific first. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
