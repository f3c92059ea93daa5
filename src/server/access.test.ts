import { describe, expect, it } from 'vitest';
import { isOurHost, isOurOrigin, newSecret, readCookie, sameSecret } from './access.ts';

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

describe('our own names', () => {
  it.each(['127.0.0.1:8080', 'localhost:8080'])('Host %s is ours', (host) => expect(isOurHost(host, 8080)).toBe(true));

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
  ])('Host %s is not', (host) => expect(isOurHost(host, 8080)).toBe(false));

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

describe('cookies', () => {
  it('are found among others, by their whole name', () => {
    expect(readCookie('a=1; holdfast-80=x=y; b=2', 'holdfast-80')).toBe('x=y');
    expect(readCookie('xholdfast-80=1', 'holdfast-80')).toBeUndefined();
    expect(readCookie('holdfast-80', 'holdfast-80')).toBeUndefined();
    expect(readCookie(undefined, 'holdfast-80')).toBeUndefined();
  });

  it('the first of two counts', () => expect(readCookie('a=1; a=2', 'a')).toBe('1'));
});
