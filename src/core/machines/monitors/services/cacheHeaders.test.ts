import { expect, it } from 'vitest';
import { readCacheHeaders } from './proxies.ts';

const read = (headers: Readonly<Record<string, string>>) => readCacheHeaders((name) => headers[name] ?? null)?.gauges;

it.each([
  [{ 'x-cache': 'HIT' }, { 'cacheHeaders.fromCache': 1 }],
  [
    { 'x-varnish': '32770', age: '0' },
    { 'cacheHeaders.fromCache': 0, 'cacheHeaders.age': 0 },
  ],
  [
    { age: '7', 'x-cache': 'HIT' },
    { 'cacheHeaders.fromCache': 1, 'cacheHeaders.age': 7_000 },
  ],
  [{ age: '0' }, { 'cacheHeaders.age': 0 }],
])('readCacheHeaders: reads %j as %j', (headers, gauges) => expect(read(headers)).toEqual(gauges));

it.each([{}, { age: 'soon' }, { 'cache-control': 'max-age=60' }])('readCacheHeaders: returns no reading for %j', (headers) =>
  expect(read(headers)).toBeUndefined(),
);
