import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Account, valuesSchema } from '../lab.ts';
import { Sessions } from '../web/session.ts';
import { options } from './options.ts';

const LEARNERS = 1_000;

/** The fictitious learners of the school site. They are the same at each start. */
export const ACCOUNTS: readonly Account[] = Array.from({ length: LEARNERS }, (_, index) => ({
  username: `learner${String(index + 1).padStart(4, '0')}`,
  password: `chalk-${1_000 + ((index * 7_919) % 9_000)}`,
}));

const passwords = new Map(ACCOUNTS.map(({ username, password }) => [username, password]));

export function hasAccount(username: string, password: string): boolean {
  return passwords.get(username) === password;
}

export const TOKEN = '_authenticator';

/** Settings that the site and the practice service share, so that a login at one is valid at the other. */
export const sharedSettingsSchema = z.object({
  log: z.string(),
  /** Key for the cookies, in base64url. */
  secret: z.string(),
  values: valuesSchema(options),
});

export function getSessions({ secret, values }: z.infer<typeof sharedSettingsSchema>): Sessions {
  return new Sessions('__ac', Buffer.from(secret, 'base64url'), (username) => passwords.has(username), values['login-seconds']);
}

/** Redirects to the login form. After the login, the form leads back to the requested page. */
export function sendToLogin(request: Request, response: Response): void {
  response.set('Cache-Control', 'no-store').redirect(`/login?came_from=${encodeURIComponent(request.originalUrl)}`);
}
