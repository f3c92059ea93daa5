import fc from 'fast-check';
import { CookieJar as OtherJar, parseDate } from 'tough-cookie';
import { describe, expect, it } from 'vitest';
import { cookieDateMs, CookieJar } from './cookieJar.ts';

const NOW = Date.UTC(2026, 0, 1);
const url = (path: string, origin = 'http://shop.example.org'): URL => new URL(path, origin);

function jarWith(lines: readonly string[], at = url('/a/b')): CookieJar {
  const jar = new CookieJar();
  jar.take(lines, at, NOW);
  return jar;
}

describe('CookieJar', () => {
  it('returns cookies by path', () => {
    const jar = jarWith(['one=1; Path=/', 'two=2', 'three=3; Path=/other', 'four="4"; HttpOnly; SameSite=Lax; Path=/a/b']);
    expect(jar.header(url('/a/b/c'), NOW)).toBe('four="4"; two=2; one=1');
    expect(jar.header(url('/ab'), NOW)).toBe('one=1');
    expect(jar.valueOf('two', url('/a/x'), NOW)).toBe('2');
    expect(jar.valueOf('two', url('/'), NOW)).toBeNull();
  });

  it.each([
    ['0', null],
    ['-1', null],
    ['Session', null],
    ['2020-01-01T00:00:00Z', null],
    ['Mon, 30 Feb 2009 10:00:00 GMT', null],
    ['Wed, 09 Jun 2027 25:18:14 GMT', null],
    ['Wed, 09 Jun 2027 10:18 GMT', null],
    ['Mon, 01 Jan 1600 00:00:00 GMT', null],
    ['Mon, 06-Nov-56 08:49:37 GMT', Date.UTC(2056, 10, 6, 8, 49, 37)],
    ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['"Wed, 09 Jun 2027 10:18:14 GMT"', Date.UTC(2027, 5, 9, 10, 18, 14)],
    ['Wed Jun  9 10:18:14 2027', Date.UTC(2027, 5, 9, 10, 18, 14)],
    ['10:18:14 9 june 2027', Date.UTC(2027, 5, 9, 10, 18, 14)],
    ['Fri, 31-Dec-9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('parses the date %s by the rules of RFC 6265', (text, ms) => {
    expect(cookieDateMs(text)).toBe(ms);
    const jar = jarWith([`a=1; Path=/; Expires=${text}`]);
    expect(jar.header(url('/'), NOW)).toBe(ms === null || ms > NOW ? 'a=1' : null);
  });

  it('parses dates like another cookie library', () => {
    const part = fc.constantFrom(
      'Wed',
      ',',
      ' ',
      '-',
      ';',
      '"',
      '09',
      '9',
      '31',
      '30',
      'Feb',
      'Jun',
      'june',
      '2027',
      '27',
      '94',
      '1600',
      '10:18:14',
      '24:00:00',
      '1:2:3',
      ':',
      'GMT',
      'x',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join(' ');
        expect(cookieDateMs(text)).toBe(parseDate(text)?.getTime() ?? null);
      }),
    );
  });

  it('replaces, removes and expires cookies', () => {
    const jar = jarWith(['a=1; Path=/; Max-Age=10', 'b=1; Path=/; Expires=Thu, 01 Jan 2026 00:01:00 GMT', 'c=1; Path=/']);
    jar.take(['c=2; Path=/', 'a=; Path=/; Max-Age=0'], url('/'), NOW);
    expect(jar.header(url('/'), NOW)).toBe('b=1; c=2');
    expect(jar.header(url('/'), NOW + 61_000)).toBe('c=2');
  });

  it('rejects cookies of foreign domains, and returns secure cookies only over TLS', () => {
    const jar = jarWith(['a=1; Domain=evil.org; Path=/', 'b=1; Domain=.example.org; Path=/', 'd=1; Secure; Path=/']);
    jar.take(['c=1; Secure; Path=/'], url('/', 'https://shop.example.org'), NOW);
    expect(jar.header(url('/'), NOW)).toBe('b=1');
    expect(jar.header(url('/', 'https://shop.example.org'), NOW)).toBe('b=1; c=1');
    expect(jar.header(url('/', 'http://other.example.org'), NOW)).toBe('b=1');
  });

  it.each([
    ['__Host-a=1; Secure; Path=/', true],
    ['__Host-a=1; Path=/', false],
    ['__Host-a=1; Secure', false],
    ['__Host-a=1; Secure; Path=/a', false],
    ['__Host-a=1; Secure; Path=/; Domain=shop.example.org', false],
    ['__host-a=1', false],
    ['__Secure-a=1; Secure', true],
    ['__Secure-a=1', false],
    ['=__Host-a=1', false],
  ])('keeps a cookie only if it has what its prefix promises: %s', (line, isKept) => {
    const at = url('/a/b', 'https://shop.example.org');
    expect(jarWith([line], at).header(at, NOW) !== null).toBe(isKept);
  });

  it.each(['co.uk', '.co.uk', 'uk', 'CO.UK', 'github.io', 'internal'])('rejects cookies for the public suffix %s', (suffix) => {
    const host = `shop.${suffix.replace(/^\./, '').toLowerCase()}`;
    const jar = jarWith([`a=1; Domain=${suffix}; Path=/`, `b=1; Domain=${host}; Path=/`], url('/', `https://${host}`));
    expect(jar.header(url('/', `https://www.${host}`), NOW)).toBe('b=1');
    expect(jar.header(url('/', `https://other.${host.slice(5)}`), NOW)).toBeNull();
  });

  it('keeps a cookie of a server that is itself a public suffix, but only for that server', () => {
    const jar = jarWith(['a=1; Domain=localhost; Path=/'], url('/', 'http://localhost:8080'));
    expect(jar.header(url('/', 'http://localhost:8080'), NOW)).toBe('a=1');
    expect(jar.header(url('/', 'http://other.localhost:8080'), NOW)).toBeNull();
  });

  it('keeps the newest 180 cookies and 32 kB per server', () => {
    const jar = jarWith(Array.from({ length: 1_000 }, (_, index) => `c${index}=${'x'.repeat(4_000)}; Path=/`));
    const header = jar.header(url('/'), NOW) ?? '';
    expect(header.length).toBeLessThanOrEqual(32_768);
    expect(header).toMatch(/^c992=.*; c999=x+$/);
    jar.take([`c999=; Path=/; Max-Age=0`, 'small=1; Path=/'], url('/'), NOW);
    expect(jar.header(url('/'), NOW)).toMatch(/^c992=.*; c998=x+; small=1$/);
    const many = jarWith(Array.from({ length: 1_000 }, (_, index) => `c${index}=1; Path=/`));
    expect(many.header(url('/'), NOW)?.split('; ')).toHaveLength(180);
  });

  it('behaves like another cookie library', () => {
    const names = fc.constantFrom('a', 'b', '_xsrf');
    const paths = fc.constantFrom('', '; Path=/', '; Path=/a', '; Path=/a/', '; Path=/a/b', '; path=nowhere');
    const ages = fc.constantFrom('', '; Max-Age=60', '; Max-Age=0', '; Max-Age=-1', '; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
    const domains = fc.constantFrom(
      '',
      '; Domain=example.org',
      '; Domain=.shop.example.org',
      '; Domain=other.org',
      '; Domain=hop.example.org',
    );
    const values = fc.constantFrom('1', '2', '"quoted"', 'a=b', '');
    const line = fc.tuple(names, values, paths, ages, domains, fc.constantFrom('', '; Secure', '; HttpOnly')).map((parts) => {
      const [name, value, ...rest] = parts;
      return `${name}=${value}${rest.join('')}`;
    });
    const places = fc.constantFrom('/', '/a', '/a/', '/a/b', '/a/b/c', '/ab');
    const origins = fc.constantFrom('http://shop.example.org', 'https://shop.example.org');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, places, origins), { maxLength: 8 }), places, origins, (set, place, origin) => {
        const jar = new CookieJar();
        const other = new OtherJar();
        for (const [text, path, from] of set) {
          jar.take([text], url(path, from), Date.now());
          other.setCookieSync(text, url(path, from).href, { ignoreError: true });
        }
        const sent = (header: string | null): string[] => (header ?? '').split('; ').sort();
        expect(sent(jar.header(url(place, origin), Date.now()))).toEqual(sent(other.getCookieStringSync(url(place, origin).href)));
      }),
      { numRuns: 2_000 },
    );
  });
});
