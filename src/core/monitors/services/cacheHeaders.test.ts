import { expect, it } from 'vitest';
import { readCacheHeaders } from './cacheHeaders.ts';

const read = (headers: Readonly<Record<string, string>>) => readCacheHeaders((name) => headers[name] ?? null)?.gauges;

it.each([
  [{ 'x-cache': 'HIT' }, 1],
  [{ 'x-cache': 'Hit from cloudfront', age: '12' }, 1],
  [{ 'x-cache': 'RefreshHit from cloudfront' }, 1],
  [{ 'x-cache': 'Miss from cloudfront' }, 0],
  [{ 'x-cache': 'TCP_MISS from a.example' }, 0],
  [{ 'x-cache': 'TCP_HIT from a.example' }, 1],
  [{ 'x-cache': 'MISS, HIT' }, 1],
  [{ 'x-cache-status': 'EXPIRED' }, 0],
  [{ 'x-cache-status': 'STALE' }, 1],
  [{ 'cf-cache-status': 'DYNAMIC', age: '0' }, 0],
  [{ 'x-varnish': '32770 3' }, 1],
  [{ 'x-varnish': '32770', age: '0' }, 0],
  [{ 'cache-status': 'ExampleCache; hit; ttl=30' }, 1],
  [{ 'cache-status': 'Origin; fwd=uri-miss, Edge; hit' }, 1],
  [{ 'cache-status': 'Edge; fwd=uri-miss; stored' }, 0],
  [{ age: '5' }, 1],
  [{ age: '0' }, 0],
])('%j comes from the cache: %s', (headers, share) => expect(read(headers)?.['cacheHeaders.fromCache']).toBe(share));

it.each([{}, { age: 'soon' }, { 'x-varnish': 'yes' }, { 'cache-control': 'max-age=60' }])('%j says nothing', (headers) =>
  expect(read(headers)).toBeUndefined(),
);

it('tells the age, in milliseconds', () => expect(read({ age: '7', 'x-cache': 'HIT' })?.['cacheHeaders.age']).toBe(7_000));
