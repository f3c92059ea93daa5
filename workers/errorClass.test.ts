import { describe, expect, it } from 'vitest';
import { backOffMs, codeOf, decideOutcome } from './errorClass.ts';

describe('outcome of a request without a complete response', () => {
  it.each([
    ['ECONNREFUSED', 'connect', 'refused'],
    ['ECONNRESET', 'firstByte', 'reset'],
    ['EOF', 'body', 'reset'],
    ['EPIPE', 'firstByte', 'reset'],
    ['EADDRNOTAVAIL', 'connect', 'noPort'],
    ['EADDRINUSE', 'connect', 'noPort'],
    ['EMFILE', 'connect', 'noFile'],
    ['ENFILE', 'connect', 'noFile'],
    ['ENOTFOUND', 'resolve', 'dns'],
    ['EAI_AGAIN', 'resolve', 'dns'],
    ['TIMEOUT', 'resolve', 'timeout'],
    ['ETIMEDOUT', 'connect', 'timeout'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'tls'],
    ['EPROTO', 'tls', 'tls'],
    ['EHOSTUNREACH', 'connect', 'otherError'],
    ['NOT_HTTP', 'body', 'otherError'],
    ['constructor', 'connect', 'otherError'],
  ] as const)('%s at %s is %s', (code, phase, outcome) => expect(decideOutcome(code, phase)).toBe(outcome));

  it('has the errno as its error code, or else the class name', () => {
    expect(codeOf(Object.assign(new Error('x'), { code: 'EPIPE' }))).toBe('EPIPE');
    expect(codeOf(new TypeError('x'))).toBe('TypeError');
    expect(codeOf('x')).toBe('UNKNOWN');
  });
});

describe('backOffMs', () => {
  it('doubles up to one second', () => {
    expect([1, 2, 3, 4, 5, 6, 1_000].map((failures) => backOffMs('refused', failures))).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it('is 0 after the first reset and after a time-out', () => {
    expect([1, 2, 3].map((failures) => backOffMs('reset', failures))).toEqual([0, 100, 200]);
    expect(backOffMs('timeout', 5)).toBe(0);
  });
});
