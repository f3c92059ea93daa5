import { describe, expect, it } from 'vitest';
import { growthOf, MOST_GROWTH } from '../testing/growth.ts';
import { importText } from './importText.ts';
import { importedOf, refusalOf } from './testing/imported.ts';

describe('requests that a journey has no room for', () => {
  const secretOf = (index: number): string => (index < 200 ? 'k3y' : `k3y-${index}`);
  const many = Array.from({ length: 210 }, (_, index) => index);
  const collection = {
    info: {},
    item: many.map((index) => ({
      name: `R${index}`,
      request: { method: 'GET', url: `http://a.example/${index}`, header: [{ key: 'X-Api-Key', value: secretOf(index) }] },
    })),
  };
  const flow = many.map((index) => ({ get: { url: `/${index}`, headers: { 'X-Api-Key': secretOf(index) } } }));

  it.each([
    ['a Postman collection', JSON.stringify(collection)],
    ['an Artillery script', JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] })],
  ])('leave no secret of theirs, in %s', (_name, text) => {
    const { plan, secrets, notes } = importedOf(text);
    expect(plan.journey).toHaveLength(200);
    expect([...secrets]).toEqual([['HOLDFAST_X_API_KEY', 'k3y']]);
    const told = notes.filter(({ kind }) => kind === 'secret').map(({ instead }) => instead);
    expect(new Set(told.map((instead) => instead.includes('Set HOLDFAST_X_API_KEY when')))).toEqual(new Set([true]));
    expect(notes.filter(({ what }) => what.includes('more than 200 steps'))).toHaveLength(10);
  });
});

describe('blanks and tags around a text', () => {
  const artillery = 'config:\n  target: http://a.example\nscenarios:\n  - flow:\n      - get:\n          url: /';
  const indented = artillery.replaceAll(/^/gm, '    ');

  it.each([
    ['indented as a whole', indented],
    ['behind empty lines', `\n\n${indented}\n`],
    ['of a page', `<pre>\n${indented}\n</pre>`],
  ])('do not stand in the way of YAML %s', (_name, text) => {
    expect(importedOf(text).kind).toBe('artillery');
    expect(importedOf(text, { kind: 'artillery' }).plan.journey).toHaveLength(1);
  });

  it('do not move the lines that faults are told by', () => {
    expect(refusalOf('\n\nconfig: 1\nconfig: 2\n')).toEqual(['DUPLICATE_KEY line 4, column 1']);
  });

  it('do not hide a command whose tool is named', () => {
    const text = '<pre><code>$ ab -n 100 -c 10 http://127.0.0.1:8080/</code></pre>';
    expect(importedOf(text, { kind: 'ab' }).plan).toEqual(importedOf(text).plan);
  });
});

it.each([
  ['localhost:83011', 'There is no port 83011: the highest port is 65535.'],
  ['https://a.example:99999/x', 'There is no port 99999: the highest port is 65535.'],
])('an address that cannot be one is refused with what is wrong with it: %s', (text, message) => {
  const result = importText(text);
  expect(result.kind === 'refused' && result.issues).toEqual([
    { level: 'error', code: 'NO_ADDRESS', path: '', message, hint: 'Example: http://localhost:8080/' },
  ]);
});

describe('a command', () => {
  it.each<[string, (count: number) => string]>([
    ['of one long word', (count) => `ab -t ${'1'.repeat(count)} http://a.example/`],
    ['of many addresses, each with all headers', (count) => `curl ${"'http://a.example' -H 'A: x ".repeat(count / 40)}`],
    ['of quotes that nobody closes', (count) => `ab ${Array.from({ length: count / 5 }, (_, index) => `$'\\${index}`).join('')}`],
  ])('is read in a time that grows as it does: %s', (_name, write) => {
    expect(growthOf((count) => void importText(write(count)), 20_000)).toBeLessThan(MOST_GROWTH);
  });
});

describe('what is said of an import', () => {
  const item = (name: string, request: object) => ({ name, request: { method: 'GET', ...request } });
  const postman = (...items: unknown[]): string => JSON.stringify({ info: { name: 'C' }, item: items });
  const entry = (url: string) => ({ request: { method: 'GET', url, headers: [] }, response: { status: 200, headers: [] } });
  const har = (...urls: string[]): string => JSON.stringify({ log: { entries: urls.map(entry) } });
  const artillery = (...flow: unknown[]): string => JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] });
  const openapi = (paths: unknown): string => JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'http://a.example' }], paths });

  it.each([
    ['Postman', postman()],
    ['Postman, of what nobody can send', postman(item('x', { method: 'BREW', url: 'http://a.example/' }))],
    ['HAR', har()],
    ['Artillery', artillery()],
    ['Artillery, of what nobody can send', artillery({ emit: { channel: 'a' } })],
    ['OpenAPI', openapi({})],
    ['OpenAPI, of what stands elsewhere', openapi({ '/a': { $ref: 'other.yaml' } })],
    ['JMeter', '<jmeterTestPlan><hashTree/></jmeterTestPlan>'],
  ])('points at nothing that is not there: %s', (_name, text) => {
    const result = importText(text);
    if (result.kind !== 'refused') throw new TypeError('It was read.');
    const points = result.issues.some(({ message, hint }) => /\bbelow\b/.test(`${message} ${hint}`));
    expect(points && result.notes.length === 0).toBe(false);
    expect(points || result.notes.length === 0).toBe(true);
  });

  it.each([
    ['curl', 'curl http://a.example/ https://a.example/b'],
    ['HAR', har('http://a.example/', 'http://a.example/2', 'https://a.example/b')],
    ['Artillery', artillery({ get: { url: '/' } }, { get: { url: 'https://a.example/b' } })],
  ])('names http and https of one host with the scheme: %s', (_name, text) => {
    const told = importedOf(text).notes.filter(({ what }) => what.includes('another server'));
    expect(told.map(({ what }) => what.includes('https://a.example'))).toEqual([true]);
  });

  it.each(['X-Auth', 'x-auth', 'X-Auth-Token', 'X-AUTH-USER'])('calls %s a secret, and keeps it out of the plan', (name) => {
    const texts = [
      `curl -H '${name}: hush-hush' http://a.example/`,
      `ab -H '${name}: hush-hush' http://a.example/`,
      postman(item('x', { url: 'http://a.example/', header: [{ key: name, value: 'hush-hush' }] })),
      artillery({ get: { url: '/', headers: { [name]: 'hush-hush' } } }),
    ];
    for (const text of texts) {
      const { written, secrets, notes } = importedOf(text);
      expect(JSON.stringify([written, notes])).not.toContain('hush-hush');
      expect([...secrets.values()]).toEqual(['hush-hush']);
    }
  });
});

describe('brackets inside of texts', () => {
  const deep = '[{'.repeat(4_000);
  it.each([
    [
      'OpenAPI',
      JSON.stringify({
        openapi: '3.0.0',
        info: { description: deep },
        servers: [{ url: 'http://a.example' }],
        paths: { '/a': { get: {} } },
      }),
    ],
    [
      'OpenAPI in YAML',
      `openapi: 3.0.0\nservers: [{url: http://a.example}]\ninfo:\n  description: |\n    ${deep}\npaths: {/a: {get: {summary: "${deep}"}}}`,
    ],
    [
      'Postman',
      JSON.stringify({
        info: {},
        item: [{ name: 'x', request: { method: 'POST', url: 'http://a.example/', body: { mode: 'raw', raw: deep } } }],
      }),
    ],
    ['Artillery', `config: {target: "http://a.example"}\nscenarios:\n  - flow:\n      - post: {url: /, body: "${deep}"}`],
    ['curl', `curl -d '${deep}' http://a.example/`],
  ])('make no document too deep: %s', (_name, text) => {
    expect(importedOf(text).plan.journey).toHaveLength(1);
  });
});
