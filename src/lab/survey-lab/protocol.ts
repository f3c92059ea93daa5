import { randomUUID } from 'node:crypto';
import type { Machine } from './machine.ts';

/** More tokens than this are not kept: the oldest go. */
const MAX_USERS = 100_000;

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
      if (this.users.size <= MAX_USERS) break;
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
  /** Whether a broken server knows nobody of this number. */
  isRefused(userId: number): boolean;
  /** What somebody is told who has to be known and is not. */
  readonly notKnown: Reply;
  /** Where it is worked on. */
  readonly machine: Machine;
}

/** What is answered: failures too have status 200, and only the body tells. */
export type Reply =
  | { readonly result: 'success'; readonly [more: string]: unknown }
  | { readonly result: 'failure'; readonly errors: readonly unknown[] };

/** The codes of ohmage 2.16 for what is missing; 0300 for all others. */
const MISSING: ReadonlyMap<string, string> = new Map([
  ['client', '0301'],
  ['campaign_urn', '0700'],
  ['campaign_creation_timestamp', '0303'],
  ['surveys', '0600'],
  ['user_list', '0621'],
  ['column_list', '0624'],
  ['output_format', '0601'],
  ['observer_id', '1502'],
  ['stream_id', '1507'],
  ['stream_version', '1508'],
]);

/** The failure that tells of the first parameter that is missing; null when all are there. */
export function missingOf(asked: Asked, names: readonly string[]): Reply | null {
  const name = names.find((one) => asked.text(one) === '');
  return name === undefined ? null : failure(MISSING.get(name) ?? '0300', `The parameter ${name} is missing.`);
}

/** The texts of a list with commas; null for one that stands for all, or is not given. */
export function listOf(asked: Asked, name: string): readonly string[] | null {
  const text = asked.text(name);
  return text === '' || text === ALL_OF_THEM ? null : text.split(',');
}

/** In place of a list. */
const ALL_OF_THEM = 'urn:ohmage:special:all';

export function failure(code: string, text: string): Reply {
  return { result: 'failure', errors: [{ code, text }] };
}
