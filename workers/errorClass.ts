import type { Outcome } from '#core/measurement/requestOutcomes.ts';
import type { Phase } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { SAFE_METHODS } from '#core/plan/requests.ts';

/** Error code of Holdfast for a response that ended early. */
export const CLOSED_EARLY = 'EOF';
export const TIMED_OUT = 'TIMEOUT';
export const UNEXPECTED_DATA = 'UNEXPECTED_DATA';
/** Error code for a request that was still waiting for a connection or a stream when the run ended. */
export const NEVER_SENT = 'NEVER_SENT';

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
  [NEVER_SENT]: 'neverSent',
};

/** Returns the outcome of a request without a complete response; docs/method.md defines the outcomes. */
export function decideOutcome(code: string, phase: Phase): FailedOutcome {
  if (phase === 'build') return 'notMade';
  const known = getOwn(OUTCOME_OF_CODE, code);
  if (known !== undefined) return known;
  // The server ended the HTTP/2 stream or connection and stated a reason.
  if (/^(?:RST|GOAWAY)_/.test(code)) return 'reset';
  // If an address is in use on connect, every local port towards this target is taken.
  if (code === 'EADDRINUSE' && phase === 'connect') return 'noPort';
  if (phase === 'resolve' || code.startsWith('EAI_') || code === 'ENOTFOUND') return 'dns';
  if (phase === 'tls' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls';
  return 'otherError';
}

/** Returns the errno name of a socket error, or else its class name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  return error.name;
}

const LOST_CONNECTION_CODES: ReadonlySet<string> = new Set([CLOSED_EARLY, 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);
/** Maximum number of times that a request is sent again after it lost its connection. */
export const MAX_RESENDS = 2;

/**
 * Returns whether a request that lost its connection with this code may be sent again, as browsers do (RFC 9110, 9.2.2). The caller must
 * check that the connection was used before and that no byte of the response has arrived. The server then probably closed the idle
 * connection while the request was in flight.
 */
export function mayBeSentAgain(method: string, code: string): boolean {
  return SAFE_METHODS.has(method) && LOST_CONNECTION_CODES.has(code);
}

/** Maximum time between a request and the status 408 of a server that had not read it, in microseconds. Firefox has the same limit. */
const MAX_CROSSING_US = 1_000_000;

/**
 * Returns whether a response only says that the server closed the idle connection while the request was in flight: a 408 on a connection
 * that was used before. The server has not read the request, whatever its method, so it is sent again, as browsers do (RFC 9110, 15.5.9).
 * `waitUs` is the time from the request to the first byte of the response.
 */
export function isIdleTimeout(status: number, responsesBefore: number, waitUs: number): boolean {
  return status === 408 && responsesBefore > 0 && waitUs < MAX_CROSSING_US;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 1_000;

/**
 * Returns the back-off of a connection in milliseconds after `failures` consecutive failures (at least 1). After the first reset it
 * reconnects immediately, because servers close idle or often used connections. After a time-out, enough time has already passed.
 */
export function backOffMs(outcome: FailedOutcome, failures: number): number {
  if (outcome === 'timeout') return 0;
  const doublings = outcome === 'reset' ? failures - 2 : failures - 1;
  return doublings < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(doublings, 10));
}
