import { randomUUID } from 'node:crypto';

/** More tokens than this are not kept: the oldest go. */
const MOST = 100_000;

/** Who has logged in, by token. */
export class Tokens {
  private readonly users = new Map<string, { readonly userId: number; readonly untilMs: number }>();
  private readonly lastsMs: number;

  constructor(lastsSeconds: number) {
    this.lastsMs = lastsSeconds * 1_000;
  }

  issue(userId: number, nowMs: number): string {
    const token = randomUUID();
    this.users.set(token, { userId, untilMs: nowMs + this.lastsMs });
    for (const oldest of this.users.keys()) {
      if (this.users.size <= MOST) break;
      this.users.delete(oldest);
    }
    return token;
  }

  /** The number of the user, or null. */
  read(token: string | undefined, nowMs: number): number | null {
    const known = token === undefined ? undefined : this.users.get(token);
    return known && nowMs <= known.untilMs ? known.userId : null;
  }
}
