import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorName, readErrorName, statusName, statusOfName } from './errorNames.ts';

describe('error names', () => {
  it.each([
    ['ECONNRESET@body', { code: 'ECONNRESET', label: null, phase: 'body' }],
    ['NO_VALUE {{cookie._csrf}}@build', { code: 'NO_VALUE', label: '{{cookie._csrf}}', phase: 'build' }],
    ['TEXT_MISSING “ada@example.org is here”@check', { code: 'TEXT_MISSING', label: '“ada@example.org is here”', phase: 'check' }],
    ['status 500', { code: 'status', label: '500', phase: null }],
    ['others', { code: 'others', label: null, phase: null }],
  ])('are parsed: %s', (name, parts) => expect(readErrorName(name)).toEqual(parts));

  it('are parsed into the code, phase and label that they were made of', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z_]{1,20}$/), fc.string(), fc.constantFrom('build', 'tls', 'check'), (code, label, phase) => {
        expect(readErrorName(errorName(code, phase, label))).toEqual({ code, label, phase });
        expect(readErrorName(errorName(code, phase))).toEqual({ code, label: null, phase });
      }),
    );
  });

  it('distinguish an unexpected status from checks', () => {
    expect(statusOfName(statusName(503))).toBe(503);
    expect(['status 503@check', 'a status 404', 'ECONNRESET@body'].map(statusOfName)).toEqual([null, null, null]);
  });
});
