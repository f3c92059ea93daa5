import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const members = z.record(z.string(), z.unknown());

// The driver replaces private members. This test checks the version and the members; other tests in this folder check their behaviour.
describe('autocannon', () => {
  it('has exactly the version whose private members are replaced', () => {
    expect(members.parse(require('autocannon/package.json'))['version']).toBe('9.0.0');
  });

  it('still has the private members', () => {
    const client = z.custom<{ prototype: object }>((value) => typeof value === 'function').parse(require('autocannon/lib/httpClient.js'));
    expect(Object.getOwnPropertyNames(client.prototype)).toEqual(expect.arrayContaining(['_connect', '_destroyConnection', 'destroy']));
  });
});
