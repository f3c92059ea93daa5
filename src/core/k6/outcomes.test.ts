import { describe, expect, it } from 'vitest';
import { toFailure } from './outcomes.ts';
import type { K6Request } from './samples.ts';

const request: K6Request = {
  step: '0',
  stage: '',
  vu: '1',
  endUs: 0,
  status: 0,
  errorCode: '',
  error: '',
  blockedUs: 0,
  connectingUs: 0,
  tlsUs: 0,
  sendingUs: 0,
  waitingUs: 0,
  receivingUs: 0,
};

describe('toFailure', () => {
  it.each<[Partial<K6Request>, string, string]>([
    [{ errorCode: '1212', error: 'dial: connection refused' }, 'refused', 'ECONNREFUSED@connect'],
    [{ errorCode: '1211', error: 'dial: i/o timeout' }, 'timeout', 'ETIMEDOUT@connect'],
    [{ errorCode: '1050', error: 'request timeout', waitingUs: 2e6 }, 'timeout', 'TIMEOUT@firstByte'],
    [{ errorCode: '1050', error: 'request timeout', waitingUs: 10, receivingUs: 2e6 }, 'timeout', 'TIMEOUT@body'],
    [{ errorCode: '1220', error: 'read: connection reset by peer', sendingUs: 10 }, 'reset', 'ECONNRESET@firstByte'],
    [{ errorCode: '1000', error: 'EOF', waitingUs: 10 }, 'reset', 'EOF@firstByte'],
    [{ errorCode: '1000', error: 'unexpected EOF', receivingUs: 10 }, 'reset', 'EOF@body'],
    [{ errorCode: '1101', error: 'lookup: no such host' }, 'dns', 'ENOTFOUND@resolve'],
    [{ errorCode: '1310', error: 'x509: unknown authority' }, 'tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE@tls'],
    [{ errorCode: '1000', error: 'x509: certificate has expired or is not yet valid' }, 'tls', 'CERT_HAS_EXPIRED@tls'],
    [
      { errorCode: '1213', error: 'dial: unknown errno 99 error with msg `cannot assign requested address`' },
      'noPort',
      'EADDRNOTAVAIL@connect',
    ],
    [{ errorCode: '1213', error: 'dial: unknown errno 24 error with msg `too many open files`' }, 'noFile', 'EMFILE@connect'],
    [{ errorCode: '1213', error: 'dial: unknown errno 113 error with msg `no route to host`' }, 'otherError', 'EHOSTUNREACH@connect'],
    [{ errorCode: '1701', error: 'unsupported compression', receivingUs: 5 }, 'otherError', 'K6_1701@body'],
    [{}, 'otherError', 'K6_UNKNOWN@connect'],
  ])('returns the outcome and the error of %o', (change, outcome, error) => {
    expect(toFailure({ ...request, ...change })).toEqual({ outcome, error });
  });
});
