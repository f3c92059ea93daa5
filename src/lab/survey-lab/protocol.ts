import { randomUUID } from 'node:crypto';
import type { Machine } from './machine.ts';

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

/** The parameters of a request, of its address or its form. */
export interface Asked {
  readonly form: FormData;
  text(name: string): string;
  readonly userId: number | null;
  /** False when only a cookie says who asks. */
  readonly isByParameter: boolean;
  /** False where an upload is accepted and thrown away. */
  readonly isStored: boolean;
  /** Where it is worked on. */
  readonly machine: Machine;
}

/** What is answered: failures too have status 200, and only the body tells. */
export type Reply =
  | { readonly result: 'success'; readonly [more: string]: unknown }
  | { readonly result: 'failure'; readonly errors: readonly unknown[] };

/** The failure that tells of the first parameter that is missing; null when all are there. */
export function missingOf(asked: Asked, names: readonly string[]): Reply | null {
  const name = names.find((one) => asked.text(one) === '');
  return name === undefined ? null : failure('0300', `The parameter ${name} is missing.`);
}

export function failure(code: string, text: string): Reply {
  return { result: 'failure', errors: [{ code, text }] };
}
