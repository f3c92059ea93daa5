import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '../testing/growth.ts';
import { importText } from './importText.ts';
import { readImported, findRefusal } from './testing/imported.ts';

describe('importText: requests beyond the maximum number of steps', () => {
  const readSecret = (index: number): string => (index < 200 ? 'k3y' : `k3y-${index}`);
  const many = Array.from({ length: 210 }, (_, index) => index);
  const collection = {
    info: {},
    item: many.map((index) => ({
      name: `R${index}`,
      request: { method: 'GET', url: `http://a.example/${index}`, header: [{ key: 'X-Api-Key', value: readSecret(index) }] },
    })),
  };
  const flow = many.map((index) => ({ get: { url: `/${index}`, headers: { 'X-Api-Key': readSecret(index) } } }));

  it.each([
    ['a Postman collection', JSON.stringify(collection)],
    ['an Artillery script', JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] })],
  ])('do not make the plan ask for their secrets: %s', (_name, text) => {
    const { plan, secrets, notes } = readImported(text);
    expect(plan.journey).toHaveLength(200);
    expect([...secrets]).toEqual([['HOLDFAST_X_API_KEY', 'k3y']]);
    const reported = notes.filter(({ kind }) => kind === 'secret').map(({ instead }) => instead);
    expect(new Set(reported.map((instead) => instead.includes('Set HOLDFAST_X_API_KEY when')))).toEqual(new Set([true]));
    expect(notes.filter(({ what }) => what.includes('more than 200 steps'))).toHaveLength(10);
  });
});

describe('importText: whitespace and markup around a text', () => {
  const artillery = 'config:\n  target: http://a.example\nscenarios:\n  - flow:\n      - get:\n          url: /';
  const indented = artillery.replaceAll(/^/gm, '    ');

  it.each([
    ['indented as a whole', indented],
    ['after empty lines', `\n\n${indented}\n`],
    ['in a page', `<pre>\n${indented}\n</pre>`],
  ])('do not prevent the import of YAML %s', (_name, text) => {
    expect(readImported(text).kind).toBe('artillery');
    expect(readImported(text, { kind: 'artillery' }).plan.journey).toHaveLength(1);
  });

  it('keep the line numbers of problems', () => {
    expect(findRefusal('\n\nconfig: 1\nconfig: 2\n')).toEqual(['DUPLICATE_KEY line 4, column 1']);
  });

  it('keep a command if its tool is chosen explicitly', () => {
    const text = '<pre><code>$ ab -n 100 -c 10 http://127.0.0.1:8080/</code></pre>';
    expect(readImported(text, { kind: 'ab' }).plan).toEqual(readImported(text).plan);
  });
});

it.each([
  ['localhost:83011', 'There is no port 83011: the highest port is 65535.'],
  ['https://a.example:99999/x', 'There is no port 99999: the highest port is 65535.'],
])('importText: refuses an invalid address with the reason: %s', (text, message) => {
  const result = importText(text);
  expect(result.kind === 'refused' && result.issues).toEqual([
    { level: 'error', code: 'NO_ADDRESS', path: '', message, hint: 'Example: http://localhost:8080/' },
  ]);
});

describe('importText: a command', () => {
  it.each<[string, (count: number) => string]>([
    ['with one long word', (count) => `ab -t ${'1'.repeat(count)} http://a.example/`],
    ['with many addresses and headers', (count) => `curl ${"'http://a.example' -H 'A: x ".repeat(count / 40)}`],
    ['with unclosed quotes', (count) => `ab ${Array.from({ length: count / 5 }, (_, index) => `$'\\${index}`).join('')}`],
  ])('is parsed in linear time: %s', (_name, write) => {
    expect(measureGrowth((count) => void importText(write(count)), 20_000)).toBeLessThan(MAX_GROWTH);
  });
});

describe('importText: notes and refusals', () => {
  const item = (name: string, request: object) => ({ name, request: { method: 'GET', ...request } });
  const postman = (...items: unknown[]): string => JSON.stringify({ info: { name: 'C' }, item: items });
  const entry = (url: string) => ({ request: { method: 'GET', url, headers: [] }, response: { status: 200, headers: [] } });
  const har = (...urls: string[]): string => JSON.stringify({ log: { entries: urls.map(entry) } });
  const artillery = (...flow: unknown[]): string => JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] });
  const openapi = (paths: unknown): string => JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'http://a.example' }], paths });

  it.each([
    ['Postman', postman()],
    ['Postman with unsupported requests', postman(item('x', { method: 'BREW', url: 'http://a.example/' }))],
    ['HAR', har()],
    ['Artillery', artillery()],
    ['Artillery with unsupported steps', artillery({ emit: { channel: 'a' } })],
    ['OpenAPI', openapi({})],
    ['OpenAPI with external references', openapi({ '/a': { $ref: 'other.yaml' } })],
    ['JMeter', '<jmeterTestPlan><hashTree/></jmeterTestPlan>'],
  ])('refer to notes below only if there are notes: %s', (_name, text) => {
    const result = importText(text);
    if (result.kind !== 'refused') throw new TypeError('It was read.');
    const points = result.issues.some(({ message, hint }) => /\bbelow\b/.test(`${message} ${hint}`));
    expect(points && result.notes.length === 0).toBe(false);
    expect(points || result.notes.length === 0).toBe(true);
  });

  it.each([['HAR', har('http://a.example/', 'http://a.example/2', 'https://a.example/b')]])(
    'name http and https of one host with the scheme: %s',
    (_name, text) => {
      const reported = readImported(text).notes.filter(({ what }) => what.includes('another server'));
      expect(reported.map(({ what }) => what.includes('https://a.example'))).toEqual([true]);
    },
  );

  it.each(['X-Auth', 'x-auth', 'X-Auth-Token', 'X-AUTH-USER'])('omit the value of the header %s, which becomes a secret', (name) => {
    const texts = [
      `curl -H '${name}: hush-hush' http://a.example/`,
      `ab -H '${name}: hush-hush' http://a.example/`,
      postman(item('x', { url: 'http://a.example/', header: [{ key: name, value: 'hush-hush' }] })),
      artillery({ get: { url: '/', headers: { [name]: 'hush-hush' } } }),
    ];
    for (const text of texts) {
      const { written, secrets, notes } = readImported(text);
      expect(JSON.stringify([written, notes])).not.toContain('hush-hush');
      expect([...secrets.values()]).toEqual(['hush-hush']);
    }
  });
});

describe('importText: braces inside strings', () => {
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
  ])('do not count as nesting of the document: %s', (_name, text) => {
    expect(readImported(text).plan.journey).toHaveLength(1);
  });
});
