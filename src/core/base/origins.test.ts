import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareOrigins, refererFor, type OriginRelation } from './origins.ts';

describe('compareOrigins: credentials for an address', () => {
  it.each<[given: string, to: string, OriginRelation]>([
    ['http://example.org/a', 'http://example.org/b?c', 'same'],
    ['http://example.org/', 'http://EXAMPLE.org:80/', 'same'],
    ['https://example.org/', 'https://example.org:443/', 'same'],
    ['http://example.org/', 'http://user:pw@example.org/', 'same'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/', 'same'],
    ['http://[::1]:8080/', 'http://[0:0:0:0:0:0:0:1]:8080/', 'same'],
    ['http://127.0.0.1/', 'http://2130706433/', 'same'],

    ['http://example.org/', 'https://example.org/', 'sameSite'],
    ['http://example.org/', 'https://www.example.org/', 'sameSite'],
    ['http://example.org/', 'http://www.example.org/', 'sameSite'],
    ['https://www.example.org/', 'https://example.org/', 'sameSite'],

    ['https://example.org/', 'http://example.org/', 'downgrade'],
    ['https://example.org/', 'http://www.example.org/', 'downgrade'],
    ['https://example.org:8443/', 'http://example.org:8080/', 'downgrade'],

    ['http://example.org/', 'http://example.org:8080/', 'elsewhere'],
    ['http://example.org:8080/', 'https://example.org/', 'elsewhere'],
    ['http://example.org:8080/', 'https://example.org:8443/', 'elsewhere'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', 'elsewhere'],
    ['http://127.0.0.1/', 'http://127.0.0.2/', 'elsewhere'],
    ['http://127.0.0.1/', 'http://localhost/', 'elsewhere'],
    ['http://127.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'elsewhere'],
    ['http://example.org/', 'http://login.example.org/', 'elsewhere'],
    ['http://login.example.org/', 'http://example.org/', 'elsewhere'],
    ['http://example.org/', 'http://www.www.example.org/', 'elsewhere'],
    ['http://example.org/', 'http://wwwexample.org/', 'elsewhere'],
    ['http://example.org/', 'http://www-example.org/', 'elsewhere'],
    ['http://www.org/', 'http://org/', 'elsewhere'],
    ['http://contest/', 'http://www.contest/', 'elsewhere'],
    ['http://example.org/', 'http://example.org.evil.example/', 'elsewhere'],
    ['http://example.org/', 'http://example.org@evil.example/', 'elsewhere'],
    ['http://example.org/', 'http://evil.example/?http://example.org/', 'elsewhere'],
    ['http://example.org/', 'http://evil.example\\@example.org/', 'elsewhere'],
    ['http://example.org/', 'http://example.org./', 'elsewhere'],
    ['http://example.org/', 'http://exаmple.org/', 'elsewhere'],
    ['http://example.org/', 'ftp://example.org/', 'elsewhere'],
    ['http://example.org/', 'javascript:alert(1)', 'elsewhere'],
    ['http://example.org/', 'data:text/html,x', 'elsewhere'],
    ['http://example.org/', 'blob:http://example.org/x', 'elsewhere'],
    ['file:///a', 'file:///a', 'elsewhere'],
  ])('from %s to %s: %s', (given, to, passage) => {
    expect(compareOrigins(new URL(given), new URL(to))).toBe(passage);
  });

  it('are never sent from https to http, to another name except for “www.”, or to another port', () => {
    const scheme = fc.constantFrom('http', 'https');
    const host = fc.constantFrom(
      'example.org',
      'www.example.org',
      'www.www.example.org',
      'a.example.org',
      'org',
      'evil.example',
      '127.0.0.1',
    );
    const port = fc.constantFrom('', ':80', ':443', ':8080');
    const address = fc.tuple(scheme, host, port).map(([first, name, last]) => new URL(`${first}://${name}${last}/`));
    const bare = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
    fc.assert(
      fc.property(address, address, (given, to) => {
        const passage = compareOrigins(given, to);
        if (passage === 'same') expect(to.href).toBe(given.href);
        if (passage !== 'sameSite') return;
        expect(bare(to).replace(/^www\./, '')).toBe(bare(given).replace(/^www\./, ''));
        expect([given.port, to.port]).toEqual(['', '']);
        expect(given.protocol === 'https:' && to.protocol === 'http:').toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('refererFor', () => {
  it.each([
    ['http://a.example/page?password=1#x', 'http://a.example/next', 'http://a.example/page'],
    ['http://user:pw@a.example/page', 'http://a.example/next', 'http://a.example/page'],
    ['http://a.example/page', 'https://a.example/next', null],
    ['https://a.example/page', 'http://a.example/next', null],
    ['http://a.example/page', 'http://a.example:8080/', null],
    ['http://a.example/page', 'http://www.a.example/', null],
    ['http://a.example/page', 'http://evil.example/', null],
  ])('for a request from %s to %s returns %s', (from, to, referer) => {
    expect(refererFor(new URL(to), new URL(from))).toBe(referer);
  });
});
