import { describe, expect, it } from 'vitest';
import { ageSeconds, CACHE_HEADERS, cameFromCache, type HeaderOf } from './figures.ts';

const of =
  (headers: Readonly<Record<string, string>>): HeaderOf =>
  (name) =>
    headers[name] ?? null;

/** Headers of a response, and whether it came from a cache. */
const CASES: readonly (readonly [Readonly<Record<string, string>>, boolean | null])[] = [
  [{ 'x-cache': 'HIT' }, true],
  [{ 'x-cache': 'hit' }, true],
  [{ 'x-cache': 'Hit from cloudfront', age: '12' }, true],
  [{ 'x-cache': 'RefreshHit from cloudfront' }, true],
  [{ 'x-cache': 'Miss from cloudfront' }, false],
  [{ 'x-cache': 'Error from cloudfront' }, false],
  [{ 'x-cache': 'TCP_HIT from a.example' }, true],
  [{ 'x-cache': 'TCP_MEM_HIT from a.example (AkamaiGHost)' }, true],
  [{ 'x-cache': 'TCP_MISS from a.example' }, false],
  // Names of machines after “from” do not count.
  [{ 'x-cache': 'MISS from hit.example' }, false],
  [{ 'x-cache': 'HIT from miss.example' }, true],
  // In a chain, the farthest cache comes first. A near cache that missed forwarded the request to it.
  [{ 'x-cache': 'MISS, HIT' }, true],
  [{ 'x-cache': 'HIT, MISS' }, true],
  [{ 'x-cache': 'MISS, MISS' }, false],
  [{ 'x-cache': 'MISS\nHIT' }, true],
  [{ 'x-cache': 'MISS, whatever' }, false],
  [{ 'x-cache-status': 'HIT' }, true],
  [{ 'x-cache-status': 'STALE' }, true],
  [{ 'x-cache-status': 'UPDATING' }, true],
  [{ 'x-cache-status': 'REVALIDATED' }, true],
  [{ 'x-cache-status': 'MISS' }, false],
  [{ 'x-cache-status': 'EXPIRED' }, false],
  [{ 'x-cache-status': 'BYPASS' }, false],
  [{ 'x-proxy-cache': 'HIT' }, true],
  [{ 'x-fastcgi-cache': 'MISS' }, false],
  [{ 'x-vercel-cache': 'STALE' }, true],
  [{ 'x-drupal-cache': 'MISS' }, false],
  [{ 'cf-cache-status': 'HIT' }, true],
  [{ 'cf-cache-status': 'DYNAMIC', age: '0' }, false],
  [{ 'cf-cache-status': 'DYNAMIC', 'x-cache': 'HIT' }, true],
  [{ 'cf-cache-status': 'HIT', 'x-cache': 'MISS' }, true],
  [{ 'cf-cache-status': 'MISS', 'x-cache': 'MISS' }, false],
  [{ 'x-varnish': '32770 3' }, true],
  [{ 'x-varnish': '32770 3', age: '0' }, true],
  [{ 'x-varnish': '32770', age: '0' }, false],
  [{ 'x-varnish': '12, 32770 3' }, true],
  [{ 'x-varnish': '12 345' }, true],
  [{ 'x-varnish': '12\n13' }, false],
  [{ 'x-varnish': '12, yes' }, false],
  [{ 'x-varnish': 'v12' }, null],
  [{ 'x-varnish': '12 v' }, null],
  [{ 'x-cache': 'MISS', 'x-varnish': '32770 3' }, true],
  [{ 'x-cache': 'MISS', age: '30' }, false],
  [{ 'cache-status': 'ExampleCache; hit; ttl=30' }, true],
  [{ 'cache-status': 'ExampleCache;hit=?1' }, true],
  [{ 'cache-status': 'Origin; fwd=uri-miss, Edge; hit' }, true],
  [{ 'cache-status': 'Origin; hit, Edge; fwd=uri-miss; stored' }, true],
  [{ 'cache-status': 'Edge; fwd=uri-miss; stored' }, false],
  [{ 'cache-status': 'Origin; fwd=uri-miss, Edge' }, false],
  // The first word of an entry is the name of the cache.
  [{ 'cache-status': 'hit; fwd=uri-miss' }, false],
  [{ 'cache-status': 'Edge; fwd=stale; fwd-status=304' }, false],
  [{ 'cache-status': '"a, b; hit"; fwd=bypass' }, false],
  [{ 'cache-status': 'Edge; fwd=miss', 'x-cache': 'HIT' }, true],
  [{ age: '5' }, true],
  [{ age: '0' }, null],
  [{ age: 'soon' }, null],
  [{ age: '-3' }, null],
  [{ 'x-varnish': 'yes' }, null],
  [{ 'x-cache': '' }, null],
  [{ 'x-cache': 'white' }, null],
  [{ 'x-cache': 'whatever', age: '9' }, true],
  [{ 'cache-status': 'Edge' }, null],
  [{ 'cache-control': 'max-age=60' }, null],
  [{}, null],
];

describe.each([
  ['from a cache', true],
  ['from the server behind', false],
  ['unknown for', null],
] as const)('cameFromCache: %s, headers', (_where, expected) => {
  it.each(CASES.filter(([, isHit]) => isHit === expected))('%j', (headers) => expect(cameFromCache(of(headers))).toBe(expected));
});

it('cameFromCache: reads exactly the headers of CACHE_HEADERS', () => {
  const asked = new Set<string>();
  cameFromCache((name) => {
    asked.add(name);
    return null;
  });
  expect([...asked].sort()).toEqual([...CACHE_HEADERS].sort());
});

it.each([
  ['7', 7],
  [' 7 ', 7],
  ['86400', 86_400],
  ['0', 0],
  ['', null],
  ['1.5', null],
  ['12345678901', null],
])('ageSeconds: reads the age %j as %j', (text, seconds) => expect(ageSeconds(of({ age: text }))).toBe(seconds));
