import type { Outcome } from '#core/measurement/ledger.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** How far a request had come when it failed. */
export const PHASES = ['build', 'resolve', 'connect', 'tls', 'firstByte', 'body'] as const;
export type Phase = (typeof PHASES)[number];

/** Codes of our own beside the system's errno names. */
export const CLOSED_EARLY = 'EOF';
export const TIMED_OUT = 'TIMEOUT';
export const UNEXPECTED_DATA = 'UNEXPECTED_DATA';

export type FailedOutcome = Exclude<Outcome, 'ok' | 'httpError' | 'wrongBody'>;

const OUTCOME_OF_CODE: Readonly<Record<string, FailedOutcome>> = {
  [CLOSED_EARLY]: 'reset',
  [TIMED_OUT]: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  EADDRNOTAVAIL: 'noPort',
  EMFILE: 'noFile',
  ENFILE: 'noFile',
  EPROTO: 'tls',
};

/** What became of a request that got no complete answer; docs/method.md defines the outcomes. */
export function outcomeOf(code: string, phase: Phase): FailedOutcome {
  if (phase === 'build') return 'notMade';
  const known = getOwn(OUTCOME_OF_CODE, code);
  if (known !== undefined) return known;
  // An address in use on connect means that every local port towards this target is taken.
  if (code === 'EADDRINUSE' && phase === 'connect') return 'noPort';
  if (phase === 'resolve' || code.startsWith('EAI_') || code === 'ENOTFOUND') return 'dns';
  if (phase === 'tls' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls';
  return 'otherError';
}

/** The errno name of a socket error; its class name when it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  return error.name;
}
