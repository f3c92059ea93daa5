import { describe, expect, it } from 'vitest';
import { isOtherNameOfOurs, isOurHost, isOurOrigin, newSecret, sameSecret } from './access.ts';

describe('secrets', () => {
  it('are long, different each time and safe in a URL', () => {
    const made = new Set(Array.from({ length: 100 }, newSecret));
    expect(made.size).toBe(100);
    for (const secret of made) expect(secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  it('are compared as a whole', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    for (const wrong of ['', 'ab', 'abcd', 'ABC', 'abc ']) expect(sameSecret(wrong, 'abc')).toBe(false);
  });
});

describe('our own name', () => {
  it('is 127.0.0.1 with the port, and localhost is known to mean it', () => {
    expect(isOurHost('127.0.0.1:8080', 8080)).toBe(true);
    expect(isOurOrigin('http://127.0.0.1:8080', 8080)).toBe(true);
    expect(isOtherNameOfOurs('localhost:8080', 8080)).toBe(true);
    expect(isOurOrigin('http://localhost:8080', 8080)).toBe(false);
  });

  it.each([
    undefined,
    '',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:80',
    'evil.example:8080',
    'localhost:8080.evil.example',
    '127.0.0.1.nip.io:8080',
    'localhost:8080@evil.example',
    '0.0.0.0:8080',
    '[::1]:8080',
    'LOCALHOST:8080',
  ])('Host %s is neither', (host) => expect([isOurHost(host, 8080), isOtherNameOfOurs(host, 8080)]).toEqual([false, false]));

  it.each([
    undefined,
    '',
    'null',
    'http://evil.example',
    'https://127.0.0.1:8080',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:8080.evil.example',
  ])('Origin %s is not', (origin) => expect(isOurOrigin(origin, 8080)).toBe(false));
});
