import type { Plan } from '#core/plan/schema/plan.ts';
import type { Outcome } from '#core/measurement/requestOutcomes.ts';
import { errorName, type Phase } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { K6Layout } from './layout.ts';
import type { K6Request } from './samples.ts';

/** Returns whether a status is expected. Redirects that are followed are expected; page resources have no expectations of their own. */
export function isExpectedStatus(
  plan: Pick<Plan, 'journey'>,
  layout: Pick<K6Layout, 'requests'>,
  requestIndex: number,
  status: number,
): boolean {
  const request = layout.requests[requestIndex];
  const step = request === undefined ? undefined : plan.journey[request.step];
  if (request === undefined || step === undefined || status === 0) return false;
  const isFollowed = step.redirects !== undefined || request.resource !== null;
  if (isFollowed && status >= 300 && status < 400) return true;
  const isOwn = request.resource === null;
  return isOwn && step.expectStatus !== undefined ? step.expectStatus.includes(status) : status >= 200 && status < 300;
}

/** Result of a request without a complete response, with its error name as in the other engines. */
export interface K6Failure {
  readonly outcome: Exclude<Outcome, 'ok' | 'httpError' | 'wrongBody'>;
  readonly error: string;
}

type KnownFailure = readonly [outcome: K6Failure['outcome'], code: string, phase?: Phase];

/**
 * Failures by k6's error_code: https://grafana.com/docs/k6/latest/javascript-api/error-codes/. If a failure states no phase, the times of
 * the request determine it.
 */
const FAILURE_BY_CODE: Readonly<Record<string, KnownFailure>> = {
  '1050': ['timeout', 'TIMEOUT'],
  '1100': ['dns', 'EAI_AGAIN', 'resolve'],
  '1101': ['dns', 'ENOTFOUND', 'resolve'],
  '1201': ['reset', 'EPIPE'],
  '1211': ['timeout', 'ETIMEDOUT', 'connect'],
  '1212': ['refused', 'ECONNREFUSED', 'connect'],
  '1220': ['reset', 'ECONNRESET'],
  '1300': ['tls', 'K6_1300', 'tls'],
  '1301': ['tls', 'EPROTO', 'tls'],
  '1310': ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  '1311': ['tls', 'ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
};

/** Messages of the operating system or Go for unspecific error codes. The first match counts. */
const FAILURE_BY_TEXT: readonly (readonly [RegExp, KnownFailure])[] = [
  [
    /cannot assign requested address|can't assign requested address|only one usage of each socket address/i,
    ['noPort', 'EADDRNOTAVAIL', 'connect'],
  ],
  [/too many open files/i, ['noFile', 'EMFILE', 'connect']],
  [/no route to host/i, ['otherError', 'EHOSTUNREACH', 'connect']],
  [/network is unreachable/i, ['otherError', 'ENETUNREACH', 'connect']],
  [/certificate has expired/i, ['tls', 'CERT_HAS_EXPIRED', 'tls']],
  [/x509|tls:/i, ['tls', 'K6_TLS', 'tls']],
  [/connection reset by peer/i, ['reset', 'ECONNRESET']],
  [/\bEOF\b/, ['reset', 'EOF']],
];

/** Returns the failure of a request with status 0. */
export function toFailure(request: K6Request): K6Failure {
  const byCode = getOwn(FAILURE_BY_CODE, request.errorCode);
  const known: KnownFailure = byCode ??
    FAILURE_BY_TEXT.find(([pattern]) => pattern.test(request.error))?.[1] ?? [
      'otherError',
      `K6_${request.errorCode === '' ? 'UNKNOWN' : request.errorCode}`,
    ];
  const [outcome, code, phase] = known;
  return { outcome, error: errorName(code, phase ?? reachedPhase(request)) };
}

/** Returns the phase that a request reached, judged by its times. k6 reports no times before the connection is open. */
function reachedPhase({ sendingUs, waitingUs, receivingUs }: K6Request): Phase {
  if (receivingUs > 0) return 'body';
  return sendingUs > 0 || waitingUs > 0 ? 'firstByte' : 'connect';
}
