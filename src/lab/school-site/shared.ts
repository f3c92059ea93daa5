import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../lab.ts';
import type { Breaks } from '../breaks.ts';
import { faultsSchema } from '../faults.ts';
import { newXsrfToken, readCookies, Sessions } from '../web/session.ts';

const LEARNERS = 1_000;

/** The fictitious learners of the school site, the same at each start. */
export const ACCOUNTS: readonly Account[] = Array.from({ length: LEARNERS }, (_, index) => ({
  username: `learner${String(index + 1).padStart(4, '0')}`,
  password: `chalk-${1_000 + ((index * 7_919) % 9_000)}`,
}));

const passwords = new Map(ACCOUNTS.map(({ username, password }) => [username, password]));

export function hasAccount(username: string, password: string): boolean {
  return passwords.get(username) === password;
}

function isKnownUser(username: string): boolean {
  return passwords.has(username);
}

export const LOGIN_COOKIE = '__ac';
export const TOKEN = '_authenticator';

/** Settings that the site and the practice service share: a login at one is valid at the other. */
export const sharedSettingsSchema = z.object({
  log: z.string(),
  /** In base64url. */
  secret: z.string(),
  loginSeconds: z.number(),
  workers: z.int(),
  serviceMs: z.number(),
  faults: faultsSchema,
});

export function sessionsOf(settings: z.infer<typeof sharedSettingsSchema>): Sessions {
  return new Sessions(Buffer.from(settings.secret, 'base64url'), isKnownUser, settings.loginSeconds);
}

/** Returns the user; null without a login, or if a break ignores it. */
export function userOf(request: Request, sessions: Sessions, breaks?: Breaks): string | null {
  const known = sessions.read(readCookies(request).get(LOGIN_COOKIE), Date.now());
  return known !== null && breaks?.isForAnother(request, known) === true ? null : known;
}

/** Returns the form token of a visitor, and sets it as a cookie if there is none. */
export function tokenFor(request: Request, response: Response): string {
  const known = readCookies(request).get(TOKEN);
  if (known !== undefined && /^[0-9a-f]{32}$/.test(known)) return known;
  const token = newXsrfToken();
  response.cookie(TOKEN, token, { path: '/' });
  return token;
}

/** Redirects to the login form, which leads back to the requested page. */
export function sendToLogin(request: Request, response: Response): void {
  response.set('Cache-Control', 'no-store').redirect(`/login?came_from=${encodeURIComponent(request.originalUrl)}`);
}
