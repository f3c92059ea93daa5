import { randomUUID } from 'node:crypto';
import type { Machine } from './machine.ts';

/** Maximum number of tokens. Above it, the oldest tokens are dropped. */
const MAX_USERS = 100_000;

/** The users who are logged in, by token. */
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

  /** Returns the number of the user with this token, or null. */
  read(token: string | undefined, nowMs: number): number | null {
    const known = token === undefined ? undefined : this.users.get(token);
    return known && nowMs <= known.untilMs ? known.userId : null;
  }
}

/** The parameters of a request, from its address or its form. */
export interface Parameters {
  readonly form: FormData;
  text(name: string): string;
  readonly userId: number | null;
  /** Whether a parameter identifies the user; false if only a cookie does. */
  readonly isByParameter: boolean;
  /** Whether an accepted upload is stored; false if the server, which is broken on purpose, discards it. */
  readonly isStored: boolean;
  /** Returns whether the server, which is broken on purpose, rejects this user. */
  isRefused(userId: number): boolean;
  /** The response to a request from an unknown user. */
  readonly notKnown: Reply;
  /** The machine that processes the request. */
  readonly machine: Machine;
}

/** A response. Failures also have status 200, so only the body shows them. */
export type Reply =
  | { readonly result: 'success'; readonly [more: string]: unknown }
  | { readonly result: 'failure'; readonly errors: readonly unknown[] };

/** Error codes of ohmage 2.16, by the parameter that is missing. The code for all other parameters is 0300. */
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

/** Returns the failure for the first missing parameter, or null. */
export function findMissing(parameters: Parameters, names: readonly string[]): Reply | null {
  const name = names.find((one) => parameters.text(one) === '');
  return name === undefined ? null : failureReply(MISSING.get(name) ?? '0300', `The parameter ${name} is missing.`);
}

/** Parses a comma-separated list. Returns null if the parameter is missing or means all. */
export function toList(parameters: Parameters, name: string): readonly string[] | null {
  const text = parameters.text(name);
  return text === '' || text === ALL_URN ? null : text.split(',');
}

/** The parameter value that means all. */
const ALL_URN = 'urn:ohmage:special:all';

export function failureReply(code: string, text: string): Reply {
  return { result: 'failure', errors: [{ code, text }] };
}
