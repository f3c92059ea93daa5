import { describe, expect, it } from 'vitest';
import { listMade } from '../testing/imported.ts';

describe('importPostman: a request', () => {
  const importRequest = (request: object, more: object = {}, all: object = {}): unknown[] =>
    listMade({
      info: { name: 'C', schema: 'v2.1.0' },
      item: [
        {
          name: 'R',
          protocolProfileBehavior: { followRedirects: false },
          request: { method: 'GET', url: 'http://a.example/', ...request },
          ...more,
        },
      ],
      ...all,
    });
  const test = (...exec: readonly string[]): object => ({ event: [{ listen: 'test', script: { exec } }] });
  const auth = (type: string, settings: Readonly<Record<string, string>>): object => ({
    auth: { type, [type]: Object.entries(settings).map(([key, value]) => ({ key, value })) },
  });

  it.each<[string, object, unknown[]]>([
    [
      'with a token',
      auth('bearer', { token: 'abc' }),
      [
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret item[0].request.header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'with a name and a password',
      auth('basic', { username: 'ada', password: 'pw' }),
      [
        { name: 'R', path: '/', auth: { user: 'ada', password: '{{password}}' } },
        { variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'secret item[0].request.header: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'with variables',
      auth('basic', { username: '{{u}}', password: 'pw' }),
      [
        { name: 'R', path: '/', auth: { user: '{{u}}', password: '{{password}}' } },
        { variables: { u: { kind: 'secret', secret: 'ask:u' }, password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'assumed {{u}}: The collection has no value for it. An environment or a script sets it. Holdfast asks for u when the plan runs. To read it from your environment, write env:u into the plan.',
        'secret item[0].request.header: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'with a key',
      auth('apikey', { key: 'X-K', value: 'k' }),
      [
        { name: 'R', path: '/', headers: { 'X-K': '{{x_k}}' } },
        { variables: { x_k: { kind: 'secret', secret: 'env:HOLDFAST_X_K' } } },
        'secret item[0].auth: “X-K” may be a secret. Its value is not in the plan. Set HOLDFAST_X_K when the plan runs.',
      ],
    ],
    [
      'with a key in the query',
      auth('apikey', { key: 'k', value: 'v', in: 'query' }),
      [
        { name: 'R', path: '/', query: { k: '{{k}}' } },
        { variables: { k: { kind: 'secret', secret: 'env:HOLDFAST_K' } } },
        'secret item[0].auth: “k” may be a secret. Its value is not in the plan. Set HOLDFAST_K when the plan runs.',
      ],
    ],
    [
      'with a key of a variable in the query',
      auth('apikey', { key: 'k', value: '{{v}}', in: 'query' }),
      [
        { name: 'R', path: '/', query: { k: '{{v}}' } },
        { variables: { v: { kind: 'secret', secret: 'ask:v' } } },
        'assumed {{v}}: The collection has no value for it. An environment or a script sets it. Holdfast asks for v when the plan runs. To read it from your environment, write env:v into the plan.',
      ],
    ],
    ['with a key without a name', auth('apikey', { value: '' }), [{ name: 'R', path: '/', headers: { 'X-Api-Key': '' } }]],
    [
      'with OAuth',
      auth('oauth2', { accessToken: 'abc' }),
      [
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret item[0].request.header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'with OAuth to be asked for',
      auth('oauth2', {}),
      [
        { name: 'R', path: '/', headers: { Authorization: 'Bearer {{access_token}}' } },
        { variables: { access_token: { kind: 'secret', secret: 'ask:ACCESS_TOKEN' } } },
        'changed item[0].auth: A token is fetched by OAuth 2. Holdfast asks for ACCESS_TOKEN when the plan runs. To read it from your environment, write env:ACCESS_TOKEN into the plan. Or add the token request as a step, with a capture.',
      ],
    ],
    [
      'with client credentials of OAuth',
      auth('oauth2', {
        grant_type: 'client_credentials',
        accessTokenUrl: 'https://login.example/token',
        clientId: 'c',
        clientSecret: 'hunter2',
        scope: 'read',
        client_authentication: 'body',
      }),
      [
        {
          name: 'token',
          method: 'POST',
          target: 'login',
          path: '/token',
          form: { grant_type: 'client_credentials', scope: 'read', client_id: 'c', client_secret: '{{client_secret}}' },
          captures: [{ from: 'json', as: 'access_token', path: '$.access_token' }],
          once: true,
          renew: { onStatus: [401] },
        },
        { name: 'R', path: '/', headers: { Authorization: 'Bearer {{access_token}}' } },
        {
          namedTargets: { login: 'https://login.example/' },
          variables: { client_secret: { kind: 'secret', secret: 'env:HOLDFAST_CLIENT_SECRET' } },
        },
        'secret item[0].auth: “client_secret” may be a secret. Its value is not in the plan. Set HOLDFAST_CLIENT_SECRET when the plan runs.',
        'changed item[0].auth: A token is fetched by OAuth 2, with client credentials. Each user of the plan fetches one, and another after a response with 401.',
      ],
    ],
    [
      'with an unsupported login',
      auth('digest', {}),
      [{ name: 'R', path: '/' }, 'leftOut item[0].auth: The login “digest” has no equivalent. Requests are sent without it.'],
    ],
    [
      'with settings as an object',
      { auth: { type: 'bearer', bearer: { token: 'abc' } } },
      [
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret item[0].request.header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    ['with text', { method: 'POST', body: { mode: 'raw', raw: 'a' } }, [{ name: 'R', method: 'POST', path: '/', body: 'a' }]],
    [
      'with JSON',
      { method: 'POST', body: { mode: 'raw', raw: ' {"a": 1}' } },
      [{ name: 'R', method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body: ' {"a": 1}' }],
    ],
    ['with a number', { method: 'POST', body: { mode: 'raw', raw: '5' } }, [{ name: 'R', method: 'POST', path: '/', body: '5' }]],
    [
      'with JSON labelled as text',
      { method: 'POST', body: { mode: 'raw', raw: '{"a": 1}', options: { raw: { language: 'text' } } } },
      [{ name: 'R', method: 'POST', path: '/', body: '{"a": 1}' }],
    ],
    ['with an empty text', { method: 'POST', body: { mode: 'raw', raw: '' } }, [{ name: 'R', method: 'POST', path: '/' }]],
    [
      'with a disabled body',
      { method: 'POST', body: { mode: 'raw', raw: 'a', disabled: true } },
      [{ name: 'R', method: 'POST', path: '/' }],
    ],
    [
      'with a form',
      {
        method: 'POST',
        header: [{ key: 'content-type', value: 'x' }],
        body: {
          mode: 'urlencoded',
          urlencoded: [{ key: 'a', value: '1' }, { key: 'b', value: '2', disabled: true }, { key: '' }, { key: 'c' }],
        },
      },
      [{ name: 'R', method: 'POST', path: '/', form: { a: '1', c: '' } }],
    ],
    [
      'with parts',
      {
        method: 'POST',
        body: {
          mode: 'formdata',
          formdata: [
            { key: 'a', value: '1' },
            { key: 'f', type: 'file', src: ['a.png', 'b.png'] },
            { key: 'g', type: 'file', src: 'c.png', contentType: 'image/png' },
            { key: 'h', type: 'file', src: [] },
          ],
        },
      },
      [
        {
          name: 'R',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'a', value: '1' },
            { name: 'f', file: 'a.png' },
            { name: 'f', file: 'b.png' },
            { name: 'g', file: 'c.png', type: 'image/png' },
            { name: 'h', bytes: 1_000, fileName: 'file' },
          ],
        },
        'changed item[0].request.body: It sends a file that the collection does not name. Generated content of 1,000 bytes is sent. To send your own, write file: PATH.',
      ],
    ],
    [
      'with a file',
      { method: 'PUT', body: { mode: 'file', file: { src: 'a.bin' } } },
      [
        { name: 'R', method: 'PUT', path: '/', body: { secret: 'file:a.bin' } },
        'changed item[0].request.body: The body is read from the file a.bin. Holdfast reads it as text, without the final line feed, when the plan runs.',
      ],
    ],
    [
      'with a file without a name',
      { method: 'PUT', body: { mode: 'file', file: {} } },
      [
        { name: 'R', method: 'PUT', path: '/' },
        'leftOut item[0].request.body: The body is a file that the collection does not name. The request is sent without it.',
      ],
    ],
    [
      'with GraphQL',
      { method: 'POST', body: { mode: 'graphql', graphql: { query: '{ a }', variables: '' } } },
      [
        {
          name: 'R',
          method: 'POST',
          path: '/',
          headers: { 'Content-Type': 'application/json' },
          json: { query: '{ a }', variables: {} },
          checks: [{ kind: 'json', path: '$.errors[0]', not: true }],
        },
      ],
    ],
    [
      'with parts of an address',
      {
        url: {
          protocol: 'https:',
          host: 'a.example',
          path: '/x',
          query: [
            { key: 'a', value: '1' },
            { key: 'b', value: '2', disabled: true },
          ],
        },
      },
      [{ name: 'R', path: '/x?a=1' }, 'leftOut item[0]: A header or parameter is disabled in Postman. It was left out.'],
    ],
    ['with a path of objects', { url: { host: ['a', 'example'], path: [{ value: 'x' }, {}, 'y'] } }, [{ name: 'R', path: '/x//y' }]],
    ['with a path and a fragment', { url: 'http://a.example/a b?c=d#e' }, [{ name: 'R', path: '/a%20b?c=d' }]],
    [
      'with disabled headers',
      {
        header: [
          { key: 'A', value: '1', disabled: true },
          { key: 'B', value: '2', disabled: true },
          { key: '', value: '3' },
        ],
      },
      [{ name: 'R', path: '/' }, 'leftOut item[0]: 2 headers and parameters are disabled in Postman. They were left out.'],
    ],
    [
      'without an address',
      { url: 'ftp://a.example/' },
      [
        'refused : No request was found that a plan can send.',
        'url: The collection does not name its server. The address is in a Postman environment: import both files.',
        'item[0]: “R” has no http or https address.',
        'load: A collection defines no load.',
      ],
    ],
    [
      'with an unsupported method',
      { method: 'PROPFIND' },
      [
        'refused : No request was found that a plan can send.',
        'item[0]: Plans do not support the method PROPFIND.',
        'load: A collection defines no load.',
      ],
    ],
  ])('is read %s', (_name, request, expected) => {
    expect(importRequest(request)).toEqual(expected);
  });

  it.each<[string, readonly string[], unknown[]]>([
    [
      'a status',
      ['pm.response.to.have.status(201);', 'tests["ok"] = responseCode.code === 200;', 'pm.expect(pm.response.code).to.eql(202);'],
      [{ name: 'R', path: '/', expectStatus: [201, 200, 202] }],
    ],
    [
      'a status in one line',
      [
        "pm.test('ok', () => pm.response.to.have.status(201)); pm.test('time', () => pm.expect(pm.response.responseTime).to.be.below(900));",
      ],
      [{ name: 'R', path: '/', expectStatus: [201], budgetMs: 900 }],
    ],
    [
      'an unknown test in one line',
      ["pm.test('ok', () => pm.expect(total()).to.equal(3));"],
      [
        { name: 'R', path: '/' },
        'leftOut item[0].event: One line of the test script was not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
    [
      'several alternative statuses',
      ['pm.expect(pm.response.code).to.be.oneOf([200, 204, 99]);'],
      [{ name: 'R', path: '/', expectStatus: [200, 204] }],
    ],
    [
      'a time limit',
      ['pm.expect(pm.response.responseTime).to.be.below(200);', 'pm.expect(pm.response.responseTime).to.be.below(0);'],
      [
        { name: 'R', path: '/', budgetMs: 200 },
        'leftOut item[0].event: One line of the test script was not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
    [
      'texts',
      [
        'pm.expect(pm.response.text()).to.include("a");',
        "pm.expect(pm.response.text()).to.include('b');",
        'pm.response.to.have.body("c");',
      ],
      [
        {
          name: 'R',
          path: '/',
          checks: [
            { kind: 'contains', text: 'a' },
            { kind: 'contains', text: 'b' },
            { kind: 'contains', text: 'c' },
          ],
        },
      ],
    ],
    [
      'values',
      [
        'const json = pm.response.json();',
        'pm.expect(json.a.b[0]).to.eql("x");',
        "pm.expect(json.c).to.equal('y');",
        'pm.expect(json.d).to.be.equal(5);',
        'pm.expect(other.e).to.eql(1);',
      ],
      [
        {
          name: 'R',
          path: '/',
          checks: [
            { kind: 'json', path: '$.a.b[0]', equals: 'x' },
            { kind: 'json', path: '$.c', equals: 'y' },
            { kind: 'json', path: '$.d', equals: 5 },
          ],
        },
        'leftOut item[0].event: One line of the test script was not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
    [
      'a captured JSON value',
      [
        'var d = JSON.parse(responseBody);',
        'pm.environment.set("t", d.token);',
        'postman.setEnvironmentVariable("u", d.list[0].id);',
        'pm.globals.set("v", "text");',
        'pm.environment.set("w", other.x);',
      ],
      [
        {
          name: 'R',
          path: '/',
          captures: [
            { from: 'json', as: 't', path: '$.token' },
            { from: 'json', as: 'u', path: '$.list[0].id' },
          ],
        },
        'leftOut item[0].event: 2 lines of the test script were not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
    [
      'a captured header',
      ['pm.environment.set("h", pm.response.headers.get("Location"));', 'pm.environment.set("c", pm.cookies.get("sid"));'],
      [
        {
          name: 'R',
          path: '/',
          captures: [
            { from: 'header', as: 'h', name: 'Location' },
            { from: 'cookie', as: 'c', name: 'sid' },
          ],
        },
      ],
    ],
    [
      'nothing with lines without effect',
      ['', '// A comment', 'console.log(1);', 'let x = 5;', 'if (x) {', '}'],
      [
        { name: 'R', path: '/' },
        'leftOut item[0].event: 2 lines of the test script were not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
  ])('reads test scripts that expect %s', (_name, exec, expected) => {
    expect(importRequest({}, test(...exec))).toEqual(expected);
  });

  it('fills in collection variables, and notes the scripts of folders', () => {
    const variable = [
      { key: 'base', value: 'http://a.example' },
      { key: 'b', value: '{{c}}' },
      { key: 'c', value: 'd' },
      { key: 'apiKey', value: 'k' },
    ];
    const request = {
      method: 'GET',
      url: '{{base}}/{{b}}/{{$guid}}/{{$timestamp}}/{{$randomInt}}/{{$isoTimestamp}}/{{$randomEmail}}?k={{apiKey}}',
    };
    const folder = {
      name: 'F',
      event: [{ script: { exec: ['x();'] } }],
      item: [{ request }, { name: 'text', request: 'http://a.example/t' }, { name: 'empty' }],
    };
    expect(listMade({ info: { name: 'C' }, item: [folder], variable })).toEqual([
      {
        name: 'F › request item[0].item[0]',
        path: '/d/{{uuid}}/{{timestamp}}/{{randomInt}}/{{isoTimestamp}}/{{madeUp}}?k={{apikey}}',
        redirects: { follow: true, mayEndAtLogin: true },
      },
      { name: 'F › text', path: '/t', redirects: { follow: true, mayEndAtLogin: true } },
      {
        variables: {
          uuid: { kind: 'uuid', per: 'request' },
          timestamp: { kind: 'timestamp', unit: 'seconds' },
          randomInt: { kind: 'integer', from: 0, to: 1_000, per: 'request' },
          isoTimestamp: { kind: 'timestamp', unit: 'iso' },
          madeUp: { kind: 'uuid', per: 'request' },
          apikey: { kind: 'secret', secret: 'env:HOLDFAST_APIKEY' },
        },
      },
      'leftOut item[0].event: A folder has its own scripts. Holdfast never runs code from an import.',
      'changed {{$randomEmail}}: Postman generates a value of this kind. The plan uses a random UUID.',
      'secret variable.apiKey: “apiKey” may be a secret. Its value is not in the plan. Set HOLDFAST_APIKEY when the plan runs.',
    ]);
  });
});
