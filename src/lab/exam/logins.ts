import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { readCookies } from '../web/session.ts';

/** Maximum number of logins. Above it, the oldest ones end. */
const MAX_LOGINS = 100_000;

/** A session of a browser, with or without a login. */
export interface Login {
  readonly id: string;
  /** Token against forged requests. Every form sends it back. */
  readonly token: string;
  readonly person: string | null;
  readonly sinceMs: number;
}

interface LoginRules {
  readonly cookie: string;
  readonly lastsSeconds: number;
  /** If this is N, every Nth request with a login ends that login; null if no request does. */
  readonly endOneIn: number | null;
}

/** The sessions of all browsers. PHP would store them on disk. */
export class Logins {
  private readonly rules: LoginRules;
  private readonly logins = new Map<string, Login>();
  private requests = 0;

  constructor(rules: LoginRules) {
    this.rules = rules;
  }

  /** Returns the session of a request, or null. */
  find(request: Request): Login | null {
    const login = this.logins.get(readCookies(request).get(this.rules.cookie) ?? '');
    return login !== undefined && Date.now() - login.sinceMs <= 1_000 * this.rules.lastsSeconds ? login : null;
  }

  /** Returns the session of a request and counts the request, which may end the session. */
  use(request: Request): Login | null {
    const login = this.find(request);
    if (login === null || login.person === null) return login;
    this.requests += 1;
    if (this.rules.endOneIn === null || this.requests % this.rules.endOneIn !== 0) return login;
    this.logins.delete(login.id);
    return null;
  }

  /** Begins a session. A session with a login replaces the session from before the login. */
  begin(response: Response, person: string | null, before: Login | null = null): Login {
    if (before !== null) this.logins.delete(before.id);
    const login = { id: randomBytes(13).toString('hex'), token: randomBytes(8).toString('hex'), person, sinceMs: Date.now() };
    const [oldest] = this.logins.size >= MAX_LOGINS ? this.logins.keys() : [];
    if (oldest !== undefined) this.logins.delete(oldest);
    this.logins.set(login.id, login);
    response.cookie(this.rules.cookie, login.id, { path: '/', httpOnly: true });
    return login;
  }

  end(login: Login): void {
    this.logins.delete(login.id);
  }
}
