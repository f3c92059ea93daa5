import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that cannot be guessed, fit for a URL. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** The one origin of the page: one set of storage, and one name that Host and Origin are compared with. */
export function ourOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Whether a request's Host is our own name. A page on the internet can let its own name point to 127.0.0.1 (DNS rebinding), and
 * the browser then lets it read our answers; its name in Host gives it away.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}`;
}

/** The other name that people type. It is sent on to {@link ourOrigin}: to browsers it is an origin of its own. */
export function isOtherNameOfOurs(host: string | undefined, port: number): boolean {
  return host === `localhost:${port}`;
}

/** Whether a WebSocket is opened by our own page: browsers let any page open one to anywhere, and say so only in Origin. */
export function isOurOrigin(origin: string | undefined, port: number): boolean {
  return origin === ourOrigin(port);
}
