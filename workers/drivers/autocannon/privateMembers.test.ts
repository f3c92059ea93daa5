import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const members = z.record(z.string(), z.unknown());

// The driver replaces private members. This pins down the version and the members; the tests beside it, what they do.
describe('autocannon', () => {
  it('is of exactly the version whose private members are replaced', () => {
    expect(members.parse(require('autocannon/package.json'))['version']).toBe('9.0.0');
  });

  it('still has them', () => {
    const client = z.custom<{ prototype: object }>((value) => typeof value === 'function').parse(require('autocannon/lib/httpClient.js'));
    expect(Object.getOwnPropertyNames(client.prototype)).toEqual(expect.arrayContaining(['_connect', '_destroyConnection', 'destroy']));
  });
});
