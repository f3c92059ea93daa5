import { describe, expect, it } from 'vitest';
import { BRUNO, HTTP_FILE, INSOMNIA, OLD_INSOMNIA } from '../testing/collections.ts';
import { importText } from '../importText.ts';
import { readImported, linesOfNotes } from '../testing/imported.ts';

const REDIRECTS = { follow: true, mayEndAtLogin: true };
const stepsOf = (text: string): unknown =>
  (readImported(text).written['journey'] as Record<string, unknown>[]).map(({ redirects, ...step }) => {
    expect(redirects).toEqual(REDIRECTS);
    return step;
  });

const LOGIN = {
  name: 'login',
  method: 'POST',
  path: '/v1/login',
  headers: { 'Content-Type': 'application/json' },
  json: { user: 'ada', password: '{{password}}' },
};

describe('importText: a file of requests (.http)', () => {
  it('makes steps with variables, captures, files and servers', () => {
    const { kind, written } = readImported(HTTP_FILE);
    expect(kind).toBe('http');
    expect(written['targets']).toEqual([{ url: 'https://api.shop.example/' }]);
    expect(written['namedTargets']).toEqual({ files: 'https://files.shop.example/' });
    expect(stepsOf(HTTP_FILE)).toEqual([
      { ...LOGIN, name: 'Log in', captures: [{ from: 'json', as: 'login_access_token', path: '$.access_token' }] },
      {
        name: 'Orders',
        path: '/v1/orders?page=1&size=20',
        headers: { Authorization: 'Bearer {{login_access_token}}', 'X-A': '{{uuid}}', 'X-B': '{{uuid_2}}' },
      },
      {
        name: 'POST /upload',
        method: 'POST',
        path: '/v1/upload',
        multipart: [
          { name: 'title', value: 'Hello' },
          { name: 'file', file: './a.png' },
        ],
        expectStatus: [201],
        captures: [{ from: 'json', as: 'id', path: '$.id' }],
      },
      { name: 'DELETE /f/{{id}}', method: 'DELETE', target: 'files', path: '/f/{{id}}' },
      {
        name: 'search',
        method: 'POST',
        path: '/v1/graphql',
        headers: { 'Content-Type': 'application/json' },
        json: { query: 'query ($id: ID!) { order(id: $id) { name } }', variables: { id: '7' } },
        checks: [{ kind: 'json', path: '$.errors[0]', not: true }],
      },
    ]);
  });

  it.each([
    ['one line', 'GET http://a.example/x', { path: '/x' }],
    [
      'several tests in one line',
      'GET http://a.example/x\n\n> {% client.test("ok", () => { client.assert(response.status === 201); client.global.set("t", response.body.t); }); %}',
      { path: '/x', expectStatus: [201], captures: [{ from: 'json', as: 't', path: '$.t' }] },
    ],
    [
      'a request in the format of HTTP/1.1',
      'POST /x HTTP/1.1\nHost: a.example:8080\nContent-Type: text/plain\n\nhello',
      { method: 'POST', path: '/x', body: 'hello' },
    ],
    ['a body in a file', 'POST http://a.example/x\n\n< ./body.json', { body: { secret: 'file:./body.json' } }],
    [
      'a form of several lines',
      'POST http://a.example/x\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2',
      { form: { a: '1', b: '2' } },
    ],
    [
      'a login that the client encodes',
      'GET http://a.example/\nAuthorization: Basic ada pw-hush',
      { auth: { user: 'ada', password: '{{password}}' } },
    ],
    ['a script before it', '< {%\n  request.variables.set("a", 1)\n%}\nGET http://a.example/x', { path: '/x' }],
  ])('reads %s', (_name, text, expected) => {
    const imported = readImported(text);
    expect(imported.kind).toBe('http');
    expect(imported.plan.journey[0]).toMatchObject(expected);
    expect(JSON.stringify([imported.written, imported.notes])).not.toContain('pw-hush');
  });
});

it('importText: a request with @no-redirect follows no redirect', () => {
  const { plan } = readImported('# @no-redirect\nGET http://a.example/x\n\n###\nGET http://a.example/y');
  expect(plan.journey.map(({ redirects }) => redirects?.follow)).toEqual([undefined, true]);
});

it('importText: a Bruno request with a method of its own is reported', () => {
  const custom = 'meta {\n  name: A\n}\n\nhttp {\n  method: FETCH\n  url: http://a.example/a\n}\n';
  const usual = 'meta {\n  name: B\n}\n\nhttp {\n  method: PUT\n  url: http://a.example/b\n}\n';
  const { plan, notes } = readImported(`${custom}${usual}`);
  expect(plan.journey.map(({ name, method }) => `${method} ${name}`)).toEqual(['PUT B']);
  expect(notes.map(({ location, what }) => `${location}: ${what}`)).toContain('A: Plans do not support the method FETCH.');
});

describe('importText: a Bruno collection', () => {
  it.each([
    ['', { form: { grant_type: 'client_credentials', client_id: 'ada', client_secret: '{{client_secret}}' } }],
    ['  credentials_placement: basic_auth_header\n', { auth: { user: 'ada', password: '{{password}}' } }],
  ])('fetches an OAuth token, with %j', (placement, expected) => {
    const { plan, secrets } = readImported(
      `meta {\n  name: O\n  type: http\n}\n\nget {\n  url: http://a.example/x\n  auth: oauth2\n}\n\nauth:oauth2 {\n  grant_type: client_credentials\n  access_token_url: http://a.example/token\n  client_id: ada\n  client_secret: hush-77\n${placement}}\n`,
    );
    expect(plan.journey[0]).toMatchObject({ path: '/token', once: true, ...expected });
    expect(plan.journey[1]?.headers).toEqual({ Authorization: 'Bearer {{access_token}}' });
    expect([...secrets.values()]).toEqual(['hush-77']);
  });

  it('makes steps in the order of the files, with headers, login and captures', () => {
    const { kind, written } = readImported(BRUNO);
    expect(kind).toBe('bruno');
    expect(written['targets']).toEqual([{ url: 'https://api.shop.example/' }]);
    expect(stepsOf(BRUNO)).toEqual([
      {
        ...LOGIN,
        headers: { 'X-Client': 'bruno', ...LOGIN.headers },
        expectStatus: [200],
        captures: [{ from: 'json', as: 'token', path: '$.access_token' }],
      },
      { name: 'orders', path: '/v1/orders?page=1', headers: { 'X-Client': 'bruno', Authorization: 'Bearer {{token}}' }, budgetMs: 500 },
    ]);
  });

  it('reads a JSON export', () => {
    const item = {
      type: 'http',
      name: 'a',
      request: { url: '{{base}}/a', method: 'POST', headers: [], body: { mode: 'json', json: '{"b":1}' }, auth: { mode: 'none' } },
    };
    const text = JSON.stringify({
      name: 'Shop',
      version: '1',
      items: [{ type: 'folder', name: 'F', items: [item] }],
      environments: [{ name: 'dev', variables: [{ name: 'base', value: 'http://a.example', enabled: true }] }],
    });
    expect(readImported(text).kind).toBe('bruno');
    expect(stepsOf(text)).toEqual([
      { name: 'F › a', method: 'POST', path: '/a', headers: { 'Content-Type': 'application/json' }, json: { b: 1 } },
    ]);
  });
});

describe('importText: an Insomnia collection', () => {
  it.each([
    ['5', INSOMNIA],
    ['4', OLD_INSOMNIA],
  ])('makes steps with captures from an export of version %s', (_version, text) => {
    const { kind, written, choices } = readImported(text);
    expect(kind).toBe('insomnia');
    expect(written['targets']).toEqual([{ url: 'https://staging.shop.example/' }]);
    expect(choices?.map(({ id, isTaken }) => [id, isTaken])).toEqual([
      ['staging', true],
      ['production', false],
    ]);
    expect(stepsOf(text)).toEqual([
      { ...LOGIN, name: 'shop › login', captures: [{ from: 'json', as: 'body_access_token', path: '$.access_token' }] },
      { name: 'shop › orders', path: '/v1/orders?page=1', headers: { Authorization: 'Bearer {{body_access_token}}' } },
    ]);
  });

  it.each([
    [
      '5',
      `type: collection.insomnia.rest/5.0
name: Five
collection:
  - name: items
    environment: { version: v2, tenant: acme }
    children:
      - { name: inner, environment: { version: v3 }, children: [{ name: list, method: GET, url: "{{ _['base_url'] }}/{{ _.version }}/{{ _.tenant }}" }] }
  - { name: ping, method: GET, url: '{{ _.base_url }}/{{ _.version }}' }
environments: { name: Base, data: { base_url: 'http://a.example', version: v1 } }
`,
    ],
    [
      '4',
      JSON.stringify({
        _type: 'export',
        __export_format: 4,
        resources: [
          { _id: 'w', _type: 'workspace', name: 'W', parentId: null },
          { _id: 'e', _type: 'environment', parentId: 'w', name: 'Base', data: { base_url: 'http://a.example', version: 'v1' } },
          { _id: 'f', _type: 'request_group', parentId: 'w', name: 'items', environment: { version: 'v2', tenant: 'acme' } },
          { _id: 'g', _type: 'request_group', parentId: 'f', name: 'inner', environment: { version: 'v3' } },
          { _id: 'r', _type: 'request', parentId: 'g', name: 'list', method: 'GET', url: '{{ _["base_url"] }}/{{ version }}/{{ tenant }}' },
          { _id: 's', _type: 'request', parentId: 'w', name: 'ping', method: 'GET', url: '{{ _.base_url }}/{{ version }}' },
        ],
      }),
    ],
  ])('fills in the variables of folders in version %s', (_version, text) => {
    expect(readImported(text).plan.journey.map(({ name, path }) => [name, path])).toEqual([
      ['items › inner › list', '/v3/acme'],
      ['ping', '/v1'],
    ]);
  });

  it('uses the chosen environment', () => {
    expect(readImported(INSOMNIA, { chosen: { kind: 'environment', ids: ['production'] } }).plan.targets[0]?.url).toBe(
      'https://shop.example/',
    );
    const result = importText(INSOMNIA, { chosen: { kind: 'environment', ids: ['none'] } });
    expect(result.kind === 'refused' ? result.issues.map(({ hint }) => hint) : []).toEqual(['It has: staging, production.']);
  });
});

describe('importText: a Postman environment', () => {
  const environment = JSON.stringify({
    id: '1',
    name: 'staging',
    values: [{ key: 'host', value: 'http://staging.example', enabled: true }],
    _postman_variable_scope: 'environment',
  });
  const collection = JSON.stringify({ info: { name: 'C' }, item: [{ name: 'a', request: { method: 'GET', url: '{{host}}/a' } }] });

  it.each([
    ['below', `${collection}\n${environment}`],
    ['above', `${environment}\n\n${collection}`],
  ])('%s a collection provides its values', (_where, text) => {
    const imported = readImported(text);
    expect(imported.kind).toBe('postman');
    expect(imported.plan.targets[0]?.url).toBe('http://staging.example/');
  });

  it('is refused by name without a collection, and an alternative is given', () => {
    const result = importText(environment);
    const [issue] = result.kind === 'refused' ? result.issues : [];
    expect(`${issue?.message ?? ''} ${issue?.hint ?? ''}`).toContain(
      'a Postman environment without its collection. Holdfast does not read it. Import both: holdfast import postman',
    );
  });

  it('is suggested for a collection without a server', () => {
    expect(linesOfNotes(readImported(collection)).join('\n')).toContain('The address is in a Postman environment: import both files.');
  });
});

describe('importText: generated values of a Postman client', () => {
  it('differ between the places of a request where they are used', () => {
    const request = { method: 'POST', url: 'http://a.example/{{$guid}}', body: { mode: 'raw', raw: '{"a":"{{$guid}}","b":"{{$guid}}"}' } };
    expect(
      readImported(
        JSON.stringify({
          info: {},
          item: [
            { name: 'x', request },
            { name: 'y', request },
          ],
        }),
      ).written['journey'],
    ).toMatchObject([
      { path: '/{{uuid}}', json: { a: '{{uuid_2}}', b: '{{uuid_3}}' } },
      { path: '/{{uuid}}', json: { a: '{{uuid_2}}', b: '{{uuid_3}}' } },
    ]);
  });
});

it('importText: keeps requests of a collection to several servers', () => {
  const text = JSON.stringify({
    info: {},
    item: ['http://a.example/1', 'http://a.example/2', 'https://api.a.example/3'].map((url) => ({
      name: url.slice(-1),
      request: { method: 'GET', url },
    })),
  });
  expect(readImported(text).written).toMatchObject({
    namedTargets: { api: 'https://api.a.example/' },
    journey: [{ name: '1' }, { name: '2' }, { name: '3', target: 'api' }],
  });
});

it('importText: leaves out requests of other protocols than HTTP and notes them', () => {
  const text = JSON.stringify({
    _type: 'export',
    resources: [
      { _id: 'wrk_1', _type: 'workspace', name: 'W' },
      { _id: 'greq_1', _type: 'grpc_request', parentId: 'wrk_1', name: 'route', url: 'localhost:50051', protoMethodName: '/a/B' },
      { _id: 'ws-req_1', _type: 'websocket_request', parentId: 'wrk_1', name: 'live', url: 'ws://a.example/live' },
      { _id: 'req_1', _type: 'request', parentId: 'wrk_1', name: 'a', method: 'GET', url: 'http://a.example/' },
    ],
  });
  const imported = readImported(text);
  expect(imported.plan.journey.map(({ name }) => name)).toEqual(['a']);
  expect(linesOfNotes(imported).filter((line) => line.startsWith('leftOut'))).toHaveLength(2);
});

it('importText: fills variables into the variables of a GraphQL operation', () => {
  const graphql = { query: 'query ($a: String!) { a(a: $a) { b } }', variables: '{"a": "{{token_of_a}}"}' };
  const text = JSON.stringify({
    info: {},
    item: [{ name: 'x', request: { method: 'POST', url: 'http://a.example/', body: { mode: 'graphql', graphql } } }],
  });
  expect(readImported(text).written).toMatchObject({
    journey: [{ json: { variables: { a: '{{token_of_a}}' } } }],
    variables: { token_of_a: { kind: 'secret', secret: 'ask:token_of_a' } },
  });
});
