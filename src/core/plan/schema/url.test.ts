import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { httpUrlSchema, mysqlUrlSchema, postgresUrlSchema, sqlUrlSchema } from './url.ts';

it('database URL: accepts plain text or a reference, and only for the right system', () => {
  for (const connection of ['postgres://ann@db.example:5432/shop', 'postgresql://db/shop', { secret: 'env:DATABASE_URL' }])
    expect(postgresUrlSchema.safeParse(connection).success).toBe(true);
  expect(mysqlUrlSchema.safeParse('postgres://db/shop').success).toBe(false);
  expect(mysqlUrlSchema.safeParse('mysql://db/shop').success).toBe(true);
  expect(sqlUrlSchema.safeParse('mysql://db/shop').success).toBe(true);
});

it('database URL: rejects a bare reference and shows its syntax', () => {
  const { issues } = parsePlan(
    JSON.stringify({
      holdfast: 1,
      name: 'Shop',
      targets: [{ url: 'http://127.0.0.1/' }],
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
      monitors: [{ name: 'database', kind: 'postgres', connection: 'env:DATABASE_URL' }],
    }),
  );
  expect(issues.map(({ path, message, hint }) => `${path} ${message} ${hint}`).join('\n')).toMatch(
    /monitors\[0\]\.connection .*\{secret: "env:NAME"\} for a variable/,
  );
});

it.each([
  ['http://contest.example:99999/', /^There is no port 99999: the highest port is 65535\.$/],
  ['https://ann:pw@contest.example/', /^Remove the user name and password/],
  [`http://contest.example/${'a'.repeat(2_100)}`, /^The address has 2,123 characters\. The limit is 2,048/],
  ['ftp://contest.example/', /^Enter a full address that starts with http/],
  ['http://contest example/', /^Enter a full address that starts with http/],
])('target URL: %s is refused with the reason', (url, stated) => {
  expect(httpUrlSchema.safeParse(url).error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(stated)]);
});

describe('a host', () => {
  /** The URL standard accepts these texts as host names, but a browser's host rules treat them as lists of patterns. */
  const PATTERNS = [
    '*,.localhost',
    '*',
    '*.localhost',
    'a.localhost,*',
    '127.0.0.1,b.example',
    '%2a,.localhost',
    'a;b',
    'a=b',
    "a'b",
    '~NOTFOUND',
  ];
  const plan = {
    holdfast: 1,
    name: 'Shop',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
  };
  const places: readonly [string, (host: string) => object][] = [
    ['otherHosts of a watched page', (host) => ({ watchPages: [{ otherHosts: [host] }] })],
    ['the address of a watched page', (host) => ({ watchPages: [{ url: `http://${host}/` }] })],
    ['otherHosts of a step', (host) => ({ journey: [{ name: 'page', resources: { otherHosts: [host] } }] })],
    ['sideHosts', (host) => ({ sideHosts: [host] })],
    ['a target', (host) => ({ targets: [{ url: `http://${host}/` }] })],
    ['a monitor', (host) => ({ monitors: [{ kind: 'nginx', url: `http://${host}/` }] })],
  ];
  const paths = (changes: object): string[] =>
    parsePlan(JSON.stringify({ ...plan, ...changes })).issues.flatMap(({ code, path }) => (code === 'SIDE_HOST_UNUSED' ? [] : [path]));

  it.each(places)('may not be a pattern in %s', (_place, changes) => {
    for (const host of PATTERNS) expect([host, paths(changes(host)).length]).toEqual([host, 1]);
    for (const host of ['cdn.example.org', 'a_b-c.example:8443', '[::1]:80', 'bücher.example', 'web1'])
      expect([host, paths(changes(host))]).toEqual([host, []]);
  });
});
