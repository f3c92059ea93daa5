import { describe, expect, it } from 'vitest';
import { K6 } from '../testing/collections.ts';
import { importText } from '../importText.ts';
import { readImported, linesOfNotes, findRefusal } from '../testing/imported.ts';

const HTTP = "import http from 'k6/http';\nimport { check, sleep, group } from 'k6';\n";
const script = (body: string, top = ''): string => `${HTTP}${top}\nexport default function () {\n${body}\n}\n`;
const stepsOf = (body: string, top?: string): unknown =>
  (readImported(script(body, top)).written['journey'] as Record<string, unknown>[]).map(({ redirects: _redirects, ...step }) => step);
const buildLoad = (options: string): unknown =>
  readImported(script("http.get('http://a.example/');", `export const options = ${options};`)).written['load'];
const listNotes = (body: string, top?: string): string[] => linesOfNotes(readImported(script(body, top)));

describe('importK6', () => {
  it('makes a plan of requests, checks, thresholds and stages', () => {
    const { kind, written, secrets } = readImported(K6);
    expect(kind).toBe('k6');
    expect(written).toMatchObject({
      targets: [{ url: 'https://shop.example/' }],
      journey: [
        {
          name: 'login',
          method: 'POST',
          path: '/api/login',
          json: { user: '{{users.name}}', password: '{{users.password}}' },
          captures: [{ from: 'json', as: 'access_token', path: '$.access_token' }],
          expectStatus: [200],
        },
        {
          name: 'shop › GET /api/orders',
          headers: { Authorization: 'Bearer {{access_token}}' },
          thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 },
        },
        { name: 'shop › POST /api/orders', json: { id: '{{id_json|raw}}', count: 2 } },
      ],
      feeds: { users: { file: './users.csv', order: 'random' } },
      load: {
        model: 'users',
        stages: [
          { users: 50, startUpSeconds: 60, seconds: 180 },
          { users: 1, startUpSeconds: 60, counted: false },
        ],
      },
      criteria: [
        { kind: 'responseTime', percentile: 95, maxMs: 500 },
        { kind: 'errors', maxShare: 0.01 },
      ],
    });
    expect(secrets.size).toBe(0);
  });

  it('recognizes a script whatever comments it has', () => {
    expect(
      readImported(`// ab -n 1000 -c 10 http://localhost:3000/ping\n${script("http.get('http://a.example/orders');")}`).plan.journey[0]
        ?.path,
    ).toBe('/orders');
  });

  it('reads a script in a Markdown fence', () => {
    expect(readImported(`Our test:\n\n\`\`\`js\n${script("http.get('http://a.example/a');")}\`\`\`\nThat is all.\n`).kind).toBe('k6');
  });

  it.each<[string, string, unknown]>([
    [
      'requests of all methods',
      "http.del('http://a.example/a'); http.request('PUT', 'http://a.example/b', 'x', { headers: { A: 'b' } });",
      [
        { name: 'DELETE /a', method: 'DELETE', path: '/a' },
        { name: 'PUT /b', method: 'PUT', path: '/b', headers: { A: 'b' }, body: 'x' },
      ],
    ],
    [
      'a form, with a list as one field for each',
      "http.post('http://a.example/', { a: 'b', c: ['d', 'e'] });",
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: 'a=b&c=d&c=e',
        },
      ],
    ],
    [
      'a batch',
      "http.batch([['GET', 'http://a.example/a'], 'http://a.example/b', { method: 'POST', url: 'http://a.example/c' }]);",
      [
        { name: 'GET /a', path: '/a' },
        { name: 'GET /b', path: '/b' },
        { name: 'POST /c', method: 'POST', path: '/c' },
      ],
    ],
    [
      'requests of functions and loops over lists',
      'for (const id of ids) get(id);',
      [
        { name: 'GET /x/7', path: '/x/7' },
        { name: 'GET /x/8', path: '/x/8' },
      ],
    ],
    [
      'several servers',
      "http.get('http://a.example/'); http.get('https://api.b.example/v1');",
      [
        { name: 'GET /', path: '/' },
        { name: 'GET /v1', target: 'api', path: '/v1' },
      ],
    ],
  ])('sends %s', (_name, body, expected) => {
    expect(stepsOf(body, 'const ids = [7, 8];\nfunction get(id) { return http.get(`http://a.example/x/${id}`); }')).toEqual(expected);
  });

  it('repeats a loop with equal iterations', () => {
    expect(readImported(script("for (let i = 0; i < 5; i++) { http.get('http://a.example/'); }")).written['flow']).toEqual([
      { repeat: 5, flow: ['GET /'] },
    ]);
  });

  it('sends a request once if a later expression reads its response', () => {
    const body = "const id = http.get('http://a.example/a').json('items.0.id');\nhttp.post('http://a.example/b', JSON.stringify({ id }));";
    expect(stepsOf(body)).toEqual([
      { name: 'GET /a', path: '/a', captures: [{ from: 'json', as: 'id_json', path: '$.items[0].id', typed: true }] },
      { name: 'POST /b', method: 'POST', path: '/b', json: { id: '{{id_json|raw}}' } },
    ]);
  });

  it.each<[string, string, unknown]>([
    ['r.status === 201', 'expectStatus', [201]],
    ['[200, 404].includes(r.status)', 'expectStatus', [200, 404]],
    ['r.status == 200 || r.status == 201', 'expectStatus', [200, 201]],
    ['r.timings.duration < 300', 'budgetMs', 300],
    ["r.body.includes('Welcome')", 'checks', [{ kind: 'contains', text: 'Welcome' }]],
    ["r.body.indexOf('Welcome') !== -1", 'checks', [{ kind: 'contains', text: 'Welcome' }]],
    ["!r.body.includes('Error')", 'checks', [{ kind: 'contains', text: 'Error', not: true }]],
    ["r.json('user.name') === 'ada'", 'checks', [{ kind: 'json', path: '$.user.name', equals: 'ada' }]],
    ['r.json().items[0].id !== undefined', 'checks', [{ kind: 'json', path: '$.items[0].id' }]],
    ['r.json().error === undefined', 'checks', [{ kind: 'json', path: '$.error', not: true }]],
    ['JSON.parse(r.body).ok === true', 'checks', [{ kind: 'json', path: '$.ok', equals: true }]],
    ['/a+/.test(r.body)', 'checks', [{ kind: 'matches', pattern: 'a+', flags: '' }]],
    ['r.body.length > 0', 'checks', [{ kind: 'size', minBytes: 1 }]],
  ])('expects %s of a response', (test, field, expected) => {
    expect(stepsOf(`const r = http.get('http://a.example/'); check(r, { 'is right': (r) => ${test} });`)).toEqual([
      { name: 'GET /', path: '/', [field]: expected },
    ]);
  });

  it('judges a step of a group by the name of its tag', () => {
    const options = "export const options = { thresholds: { 'http_req_duration{name:login}': ['p(99)<1500'] } };";
    const call = "group('shop', () => { http.get('http://a.example/', { tags: { name: 'login' } }); });";
    const { written } = readImported(`import http from 'k6/http';\n${options}\nexport default function () { ${call} }`);
    expect(written['criteria']).toEqual([{ kind: 'responseTime', step: 'shop › login', percentile: 99, maxMs: 1_500 }]);
  });

  it('treats 200 to 299 as the default expectation', () => {
    expect(stepsOf("check(http.get('http://a.example/'), { ok: (r) => r.status >= 200 && r.status < 300 });")).toEqual([
      { name: 'GET /', path: '/' },
    ]);
  });

  it.each<[string, unknown]>([
    ['{ vus: 20, duration: "30s" }', { model: 'users', stages: [{ name: 'load', users: 20, seconds: 30 }] }],
    [
      '{ scenarios: { a: { executor: "constant-arrival-rate", rate: 600, timeUnit: "1m", duration: "1m", preAllocatedVUs: 5, maxVUs: 50 } } }',
      { model: 'arrivals', maxInFlight: 50, stages: [{ kind: 'constant', name: 'a', perSecond: 10, seconds: 60 }] },
    ],
    [
      '{ scenarios: { a: { executor: "ramping-arrival-rate", startRate: 1, stages: [{ target: 10, duration: "10s" }, { target: 10, duration: "20s" }] } } }',
      {
        model: 'arrivals',
        stages: [
          { kind: 'ramp', fromPerSecond: 1, toPerSecond: 10, seconds: 10 },
          { kind: 'constant', perSecond: 10, seconds: 20 },
        ],
      },
    ],
    [
      '{ scenarios: { a: { executor: "ramping-vus", startVUs: 0, stages: [{ target: 5, duration: "10s" }, { target: 9, duration: "5s" }, { target: 9, duration: "5s" }] } } }',
      {
        model: 'users',
        stages: [
          { users: 5, startUpSeconds: 10, seconds: 1 },
          { users: 9, startUpSeconds: 5, seconds: 5 },
        ],
      },
    ],
  ])('reads the load of %s', (options, expected) => {
    expect(buildLoad(options)).toEqual(expected);
  });

  it('makes a choice among the scenario functions, weighted by their loads', () => {
    const options =
      'export const options = { scenarios: { a: { executor: "constant-vus", vus: 10, duration: "1m", exec: "buy" }, b: { executor: "constant-vus", vus: 30, duration: "1m" } } };';
    const buy = "export function buy() { http.get('http://a.example/buy'); }";
    const { written } = readImported(script("http.get('http://a.example/');", `${options}\n${buy}`));
    expect(written['flow']).toEqual([
      {
        choose: [
          { weight: 1_000, flow: ['GET /buy'] },
          { weight: 3_000, flow: ['GET /'] },
        ],
      },
    ]);
    expect(written['load']).toEqual({ model: 'users', stages: [{ name: 'load', users: 40, seconds: 60 }] });
  });

  it('sends the requests of setup() once for each user', () => {
    const top = "export function setup() { return { token: http.post('http://a.example/login').json('token') }; }";
    const text = `${HTTP}${top}\nexport default function (data) { http.get('http://a.example/', { headers: { Authorization: \`Bearer \${data.token}\` } }); }`;
    expect(readImported(text).written['journey']).toMatchObject([
      { name: 'POST /login', once: true, captures: [{ as: 'token' }] },
      { name: 'GET /', headers: { Authorization: 'Bearer {{token}}' } },
    ]);
  });

  it.each<[string, string, string, string?]>([
    ['a branch that is known only in a run', 'Whether “x()” is decided by the run.', "if (x()) http.get('http://a.example/b');"],
    ['an import of a file', 'It takes BASE from ./config.js.', '', "import { BASE } from './config.js';"],
    ['an unknown call', '“helper(…)” cannot be followed.', "helper('secret-7731');", "import { helper } from './helper.js';"],
    [
      'a check',
      'The check “is html” cannot be expressed.',
      "check(http.get('http://a.example/'), { 'is html': (r) => r.headers.A.startsWith('b') });",
    ],
    ['an environment variable', '“TOKEN” is not in the script. Holdfast asks for TOKEN', 'http.get(`http://a.example/${__ENV.TOKEN}`);'],
    [
      'a threshold',
      'thresholds my_trend: “avg<5” has no equivalent.',
      '',
      'export const options = { thresholds: { my_trend: ["avg<5"] } };',
    ],
    ['computed options', 'options.stages: Its value is not written in the script.', '', 'export const options = { stages: makeStages() };'],
    ['a WebSocket', '“ws.connect(…)” cannot be followed.', "ws.connect('ws://a.example/');", "import ws from 'k6/ws';"],
  ])('notes %s with its line or location', (_name, expected, body, top) => {
    const notes = listNotes(`http.get('http://a.example/');\n${body}`, top);
    expect(notes.join('\n')).toContain(expected);
    expect(notes.join('\n')).not.toContain('secret-7731');
  });

  it('keeps secrets of headers and bodies out of the plan', () => {
    const text = script(
      "http.post('http://a.example/', JSON.stringify({ user: 'ada', password: 'hush-1' }), { headers: { Authorization: 'Bearer hush-2' } });",
    );
    const { written, notes, secrets } = readImported(text);
    expect(JSON.stringify([written, notes])).not.toMatch(/hush/);
    expect([...secrets.values()].toSorted()).toEqual(['Bearer hush-2', 'hush-1']);
  });

  it('draws one value for each call, however often the script uses it', () => {
    const top = "import { uuidv4, randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';";
    const body =
      'const id = uuidv4(); const n = randomIntBetween(1, 9);\nhttp.get(`http://a.example/${id}/${n}`);\nhttp.get(`http://a.example/${id}/${n}/${uuidv4()}`);';
    const { written } = readImported(script(body, top));
    expect(written['journey']).toMatchObject([{ path: '/{{uuid}}/{{number}}' }, { path: '/{{uuid}}/{{number}}/{{uuid_2}}' }]);
    expect(written['variables']).toEqual({ uuid: { kind: 'uuid' }, number: { kind: 'integer', from: 1, to: 9 }, uuid_2: { kind: 'uuid' } });
  });

  it('refuses invalid JavaScript with the line', () => {
    expect(findRefusal(`${HTTP}export default function () {\n  http.get(;\n}`)).toEqual(['UNREAD_SCRIPT line 4']);
  });

  it('refuses a script whose only requests are those of setup()', () => {
    const text = `${HTTP}import { visit } from './visit.js';\nexport function setup() { http.get('http://a.example/'); }\nexport default function () { visit(); }`;
    expect(findRefusal(text)).toEqual(['NO_REQUESTS']);
  });

  it('refuses a script without HTTP requests', () => {
    expect(
      findRefusal(
        "import { browser } from 'k6/browser';\nexport default async function () { const page = await browser.newPage(); await page.goto('http://a.example/'); }",
      ),
    ).toEqual(['NO_REQUESTS']);
  });

  it.each([
    ['functions that call themselves', 'function f() { f(); f(); }\n', 'f();'],
    [
      'a loop of many rounds',
      '',
      'for (let i = 0; i < 1e9; i++) { for (let j = 0; j < 1e9; j++) { http.get(`http://a.example/${i}/${j}`); } }',
    ],
    ['a text that doubles', "let t = 'a';\n", `${'t = t + t;\n'.repeat(60)}http.post('http://a.example/', t);`],
    ['brackets without end', '', `http.get(${'['.repeat(20_000)}`],
  ])('terminates for any script: %s', (_name, top, body) => {
    expect(['imported', 'refused']).toContain(importText(script(body, top)).kind);
  });
});
