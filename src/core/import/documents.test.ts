import { describe, expect, it } from 'vitest';
import { importText } from './importText.ts';

/** What of a plan is made of a document, with its notes; or why there is none. */
function readOf(document: unknown): unknown[] {
  const result = importText(JSON.stringify(document));
  if (result.kind === 'refused')
    return [
      ...result.issues.map(({ path, message }) => `refused ${path}: ${message}`),
      ...result.notes.map(({ place, what }) => `${place}: ${what}`),
    ];
  const { written, notes } = result.imported;
  const { holdfast, name, load, targets, journey, cookies, ...more } = written as Record<string, unknown>;
  return [
    ...(journey as object[]),
    ...(Object.keys(more).length === 0 ? [] : [more]),
    ...notes.filter(({ place }) => place !== 'load').map(({ kind, place, what, instead }) => `${kind} ${place}: ${what} ${instead}`),
  ];
}

describe('a request of Artillery', () => {
  const flowOf = (...flow: readonly unknown[]): unknown[] =>
    readOf({ config: { target: 'http://a.example', phases: [{ duration: 5, arrivalRate: 1 }] }, scenarios: [{ flow }] });
  const capturing = (...capture: readonly unknown[]): unknown[] => flowOf({ get: { url: '/', followRedirect: false, capture } });

  it.each<[string, readonly unknown[], unknown[]]>([
    ['a value of JSON', [{ json: '$.a', as: 'x' }], [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a' }] }]],
    [
      'any of a list',
      [{ json: '$.a[*]', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'random' }] }],
    ],
    [
      'a list',
      [{ json: '$.a[*]', as: 'x', multiple: false }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }] }],
    ],
    [
      'several places',
      [{ json: '$..a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The JSONPath $..a can match several places. A plan takes the value at one place, such as $.items[0].id.',
      ],
    ],
    [
      'a pattern',
      [{ regexp: 'a(b)', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)', group: 0 }] }],
    ],
    [
      'its first group',
      [{ regexp: 'a(b)', as: 'x', group: 1 }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)' }] }],
    ],
    [
      'its second group',
      [{ regexp: '(a)(b)', as: 'x', group: 2, flags: 'gi' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(a)(b)', flags: 'i', group: 2 }] }],
    ],
    [
      'a group that is not there',
      [{ regexp: 'a(b)', as: 'x', group: 3 }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'a(b)', group: 0 }] }],
    ],
    [
      'a named group',
      [{ regexp: '(?<y>b)', as: 'x', group: 'y' }],
      [
        { name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: '(?<y>b)' }] },
        'changed scenarios[0].flow[0].capture[0].group: It selects a group by name. The plan uses the first group.',
      ],
    ],
    [
      'a pattern without groups',
      [{ regexp: 'ab', as: 'x' }],
      [{ name: 'GET /', path: '/', captures: [{ from: 'body', as: 'x', pattern: 'ab' }] }],
    ],
    [
      'no pattern',
      [{ regexp: '(', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The regular expression is invalid: This is not a regular expression: Invalid regular expression: /(/: Unterminated group. It was left out.',
      ],
    ],
    [
      'a header',
      [{ header: 'Location', as: 'x', strict: false }],
      [
        { name: 'GET /', path: '/', captures: [{ from: 'header', as: 'x', name: 'Location' }] },
        'changed scenarios[0].flow[0].capture[0].strict: It may find nothing without failing. A capture that finds nothing ends the journey.',
      ],
    ],
    ['a cookie', [{ cookie: 'sid', as: 'x' }], [{ name: 'GET /', path: '/', captures: [{ from: 'cookie', as: 'x', name: 'sid' }] }]],
    [
      'an empty header',
      [{ header: '', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: This kind of capture is unknown. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'an input',
      [{ selector: 'input[name="a.b"]', attr: 'value', as: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'body', as: 'x', pattern: String.raw`(?:name|id)=["']?a\.b["']?[^>]*\svalue=["']([^"']*)`, html: true }],
        },
        'changed scenarios[0].flow[0].capture[0]: The selector input[name="a.b"] selects a part of the page. A regular expression finds it if the name comes before the value.',
      ],
    ],
    [
      'a meta element',
      [{ selector: 'meta[id=t]', attr: 'content', as: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'body', as: 'x', pattern: String.raw`(?:name|id)=["']?t["']?[^>]*\scontent=["']([^"']*)`, html: true }],
        },
        'changed scenarios[0].flow[0].capture[0]: The selector meta[id=t] selects a part of the page. A regular expression finds it if the name comes before the value.',
      ],
    ],
    [
      'another selector',
      [{ selector: 'p.a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: The selector p.a has no equivalent. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'something else',
      [{ xpath: '//a', as: 'x' }],
      [
        { name: 'GET /', path: '/' },
        'leftOut scenarios[0].flow[0].capture[0]: This kind of capture is unknown. Add a capture with a regular expression, or between two texts.',
      ],
    ],
    [
      'without a name',
      [{ json: '$.a' }, { json: '$.b', transform: 't' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [
            { from: 'json', as: 'captured_1', path: '$.a' },
            { from: 'json', as: 't', path: '$.b' },
          ],
        },
      ],
    ],
  ])('captures %s', (_name, capture, expected) => {
    expect(capturing(...capture)).toEqual(expected);
  });

  it.each<[string, object, unknown[]]>([
    [
      'expects statuses',
      { expect: [{ statusCode: [200, 404, 99, 600] }, { statusCode: 200 }] },
      [{ name: 'POST /', method: 'POST', path: '/', expectStatus: [200, 404] }],
    ],
    [
      'expects values',
      { expect: [{ hasProperty: 'a.b' }, { matchesRegexp: 'a+' }, { matchesRegexp: '(' }, { contentType: 'json' }] },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          checks: [
            { kind: 'json', path: '$.a.b' },
            { kind: 'matches', pattern: 'a+' },
          ],
        },
        'leftOut scenarios[0].flow[0].expect[2]: This expectation has no equivalent. A plan can check for texts, patterns, JSON values and sizes.',
        'leftOut scenarios[0].flow[0].expect[3]: This expectation has no equivalent. A plan can check for texts, patterns, JSON values and sizes.',
      ],
    ],
    [
      'matches values',
      { match: [{ json: '$.a', value: '5' }, { json: '$..a', value: '5' }, { json: '$.a' }] },
      [
        { name: 'POST /', method: 'POST', path: '/', checks: [{ kind: 'json', path: '$.a', equals: '5' }] },
        'leftOut scenarios[0].flow[0].match[1]: This match has no equivalent. It was left out.',
        'leftOut scenarios[0].flow[0].match[2]: This match has no equivalent. It was left out.',
      ],
    ],
    [
      'sends JSON',
      { json: { a: [1, '{{ $uuid }}', '{{'] } },
      [
        { name: 'POST /', method: 'POST', path: '/', json: { a: [1, '{{uuid}}', String.raw`\{{`] } },
        { variables: { uuid: { kind: 'uuid' } } },
      ],
    ],
    ['sends a form', { form: { a: 1, b: 'c d' } }, [{ name: 'POST /', method: 'POST', path: '/', form: { a: '1', b: 'c d' } }]],
    [
      'sends parts',
      { formData: { a: '1', f: { fromFile: 'a.png' }, v: { value: '2' }, n: {} } },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'a', value: '1' },
            { name: 'f', file: 'a.png' },
            { name: 'v', value: '2' },
            { name: 'n', value: '' },
          ],
        },
      ],
    ],
    [
      'sends a body',
      { body: 'a=1', headers: { 'content-type': 'text/x', 'X-A': 2 } },
      [{ name: 'POST /', method: 'POST', path: '/', headers: { 'content-type': 'text/x', 'X-A': '2' }, body: 'a=1' }],
    ],
    [
      'sends a query and cookies',
      { qs: { a: 1, '': 2 }, cookie: { c: 'd', e: 'f' }, gzip: true },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          headers: { 'Accept-Encoding': 'gzip, deflate', Cookie: { secret: 'env:HOLDFAST_COOKIE' } },
          query: { a: '1' },
        },
        'secret scenarios[0].flow[0].headers: “Cookie” may be a secret. Its value is not in the plan. Set HOLDFAST_COOKIE when the plan runs.',
      ],
    ],
    [
      'logs in',
      { auth: { user: 'ada', pass: 'pw' } },
      [
        { name: 'POST /', method: 'POST', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret scenarios[0].flow[0].headers: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'logs in with values',
      { auth: { username: '{{ $uuid }}', password: 'pw' } },
      [
        { name: 'POST /', method: 'POST', path: '/' },
        'leftOut scenarios[0].flow[0].auth: User name and password of HTTP Basic come from variables. They must be encoded together. No login is sent. Put the whole header into the file or variable.',
      ],
    ],
    [
      'has hooks',
      { beforeRequest: 'f', ifTrue: 'x', what: 1 },
      [
        { name: 'POST /', method: 'POST', path: '/' },
        'leftOut scenarios[0].flow[0].beforeRequest: It calls a function of a script. It was left out.',
        'leftOut scenarios[0].flow[0].ifTrue: The request depends on a condition. The plan always sends the request.',
        'leftOut scenarios[0].flow[0].what: This part of a request is unknown. It was left out.',
      ],
    ],
    ['has a name', { name: 'Named' }, [{ name: 'Named', method: 'POST', path: '/' }]],
  ])('%s', (_name, more, expected) => {
    expect(flowOf({ post: { url: '/', followRedirect: false, ...more } })).toEqual(expected);
  });

  it.each<[string, readonly unknown[], unknown[]]>([
    [
      'of other addresses',
      [
        { get: { url: 'http://a.example' } },
        { get: { url: 'http://a.example/x?y' } },
        { get: { url: 'http://b.example/' } },
        { get: 'b' },
        { head: { uri: '/h', match: { json: '$.a', value: 1 } } },
      ],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /x', path: '/x?y', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /b', path: '/b', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'HEAD /h', method: 'HEAD', path: '/h', redirects: { follow: true, mayEndAtLogin: true } },
        'leftOut scenarios[0].flow[2]: It is for another server, http://b.example. A journey has one server.',
        'changed scenarios[0].flow[3]: “b” does not begin with a slash. Artillery refuses it. The plan adds the slash.',
      ],
    ],
    [
      'of pauses',
      [{ think: 1 }, { get: { url: '/' } }, { think: 'x' }, { think: '500ms' }, { think: 2 }],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true }, thinkTime: { kind: 'fixed', seconds: 2.5 } },
        'leftOut scenarios[0].flow[0]: A pause comes before the first request or after a loop. In a plan, pauses follow a request.',
        'leftOut scenarios[0].flow[2]: The pause x is not a valid time. It was left out.',
      ],
    ],
    [
      'of loops',
      [
        { loop: [{ get: { url: '/' } }], count: 3 },
        { loop: [{ get: { url: '/b' } }], whileTrue: 'f' },
        { loop: [], count: 2 },
        { loop: [{ get: { url: '/c' } }], over: 'nothing' },
      ],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /b', path: '/b', redirects: { follow: true, mayEndAtLogin: true } },
        { name: 'GET /c', path: '/c', redirects: { follow: true, mayEndAtLogin: true } },
        { flow: [{ repeat: 3, flow: ['GET /'] }, 'GET /b', 'GET /c'] },
        'leftOut scenarios[0].flow[1].whileTrue: A script function ends the loop. It runs once, or as often as its count says.',
        'changed scenarios[0].flow[1]: The loop has no valid count. It runs once.',
        'leftOut {{ nothing }}: Nothing that Holdfast reads in the script sets it. Script functions are not run. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
        'leftOut scenarios[0].flow[3].over: “nothing” is not a list that a step captures. The steps of the loop run once.',
      ],
    ],
    [
      'of a loop over one of a list',
      [{ get: { url: '/', capture: { json: '$.a[*]', as: 'x' } } }, { loop: [{ get: { url: '/{{ $loopElement }}' } }], over: 'x' }],
      [
        {
          name: 'GET /',
          path: '/',
          captures: [{ from: 'json', as: 'x', path: '$.a', which: 'all' }],
          redirects: { follow: true, mayEndAtLogin: true },
        },
        { name: 'GET /{{item}}', path: '/{{item}}', redirects: { follow: true, mayEndAtLogin: true } },
        { flow: ['GET /', { forEach: 'x', as: 'item', flow: ['GET /{{item}}'] }] },
        'changed scenarios[0].flow[1].over: “x” is one random item, not a list. Artillery never runs this loop. The plan loops over all items.',
      ],
    ],
    [
      'of other things',
      [{ parallel: [{ get: { url: '/' } }] }, { log: 'x' }, { function: 'f' }, { jump: 1 }, 'x'],
      [
        { name: 'GET /', path: '/', redirects: { follow: true, mayEndAtLogin: true } },
        'changed scenarios[0].flow[0]: These requests run in parallel. The plan sends them one after the other.',
        'leftOut scenarios[0].flow[1]: It prints a line. It was left out.',
        'leftOut scenarios[0].flow[2]: It calls a function of a script. Holdfast never runs code from an import.',
        'leftOut scenarios[0].flow[3]: “jump” is unknown. It was left out.',
        'leftOut scenarios[0].flow[4]: “x” is unknown. It was left out.',
      ],
    ],
  ])('in a flow %s', (_name, flow, expected) => {
    expect(flowOf(...flow)).toEqual(expected);
  });
});

describe('a request of Postman', () => {
  const requestOf = (request: object, more: object = {}, all: object = {}): unknown[] =>
    readOf({
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
        { name: 'R', path: '/', headers: { Authorization: { secret: 'env:HOLDFAST_AUTHORIZATION' } } },
        'secret item[0].request.header: “Authorization” may be a secret. Its value is not in the plan. Set HOLDFAST_AUTHORIZATION when the plan runs.',
      ],
    ],
    [
      'with variables',
      auth('basic', { username: '{{u}}', password: 'pw' }),
      [
        { name: 'R', path: '/', headers: { Authorization: 'Basic {{basic_login}}' } },
        { variables: { basic_login: { kind: 'secret', secret: 'ask:BASIC_LOGIN' } } },
        'changed item[0].auth: User name and password of HTTP Basic are in variables. Holdfast asks for BASIC_LOGIN when the plan runs. To read it from your environment, write env:BASIC_LOGIN into the plan. The value is name:password in Base64.',
      ],
    ],
    ['with a key', auth('apikey', { key: 'X-K', value: 'k' }), [{ name: 'R', path: '/', headers: { 'X-K': 'k' } }]],
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
        'assumed {{v}}: The collection has no value for it. A Postman environment or a script sets it. Holdfast asks for v when the plan runs. To read it from your environment, write env:v into the plan.',
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
        'changed item[0].auth: Postman fetches a token by OAuth 2. Holdfast asks for ACCESS_TOKEN when the plan runs. To read it from your environment, write env:ACCESS_TOKEN into the plan. Or add the token request as a step, with a capture.',
      ],
    ],
    [
      'with another login',
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
      'with JSON that is said to be text',
      { method: 'POST', body: { mode: 'raw', raw: '{"a": 1}', options: { raw: { language: 'text' } } } },
      [{ name: 'R', method: 'POST', path: '/', body: '{"a": 1}' }],
    ],
    ['with an empty text', { method: 'POST', body: { mode: 'raw', raw: '' } }, [{ name: 'R', method: 'POST', path: '/' }]],
    [
      'with a body that is off',
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
      [{ name: 'R', method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, json: { query: '{ a }', variables: {} } }],
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
      'with headers that are off',
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
      'of no address',
      { url: 'ftp://a.example/' },
      [
        'refused : No request was found that a plan can send.',
        'url: The collection does not name its server. The address is in a Postman environment.',
        'item[0]: “R” has no http or https address.',
        'load: A collection defines no load.',
      ],
    ],
    [
      'of another method',
      { method: 'PROPFIND' },
      [
        'refused : No request was found that a plan can send.',
        'item[0]: Plans do not support the method PROPFIND.',
        'load: A collection defines no load.',
      ],
    ],
  ])('%s', (_name, request, expected) => {
    expect(requestOf(request)).toEqual(expected);
  });

  it.each<[string, readonly string[], unknown[]]>([
    [
      'a status',
      ['pm.response.to.have.status(201);', 'tests["ok"] = responseCode.code === 200;', 'pm.expect(pm.response.code).to.eql(202);'],
      [{ name: 'R', path: '/', expectStatus: [201, 200, 202] }],
    ],
    [
      'one of several statuses',
      ['pm.expect(pm.response.code).to.be.oneOf([200, 204, 99]);'],
      [{ name: 'R', path: '/', expectStatus: [200, 204] }],
    ],
    [
      'a time',
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
      'a captured value',
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
      'nothing',
      ['', '// A comment', 'console.log(1);', 'let x = 5;', 'if (x) {', '}'],
      [
        { name: 'R', path: '/' },
        'leftOut item[0].event: 2 lines of the test script were not understood. Holdfast never runs code from an import. Replace them with checks and captures.',
      ],
    ],
  ])('expects %s', (_name, exec, expected) => {
    expect(requestOf({}, test(...exec))).toEqual(expected);
  });

  it('takes variables, also from before it, and folders without their scripts', () => {
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
    expect(readOf({ info: { name: 'C' }, item: [folder], variable })).toEqual([
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
      'changed {{$randomEmail}}: Postman generates a value of this kind. A random UUID replaces it.',
      'secret variable.apiKey: “apiKey” may be a secret. Its value is not in the plan. Set HOLDFAST_APIKEY when the plan runs.',
    ]);
  });
});

describe('an operation of OpenAPI', () => {
  const operationOf = (operation: object, more: object = {}, path = '/x'): unknown[] =>
    readOf({
      openapi: '3.0.0',
      info: { title: 'T' },
      servers: [{ url: 'http://a.example/v1' }],
      paths: { [path]: { get: operation } },
      ...more,
    });
  const bodyOf = (content: object): unknown[] =>
    readOf({ openapi: '3.0.0', info: {}, servers: [{ url: 'http://a.example' }], paths: { '/': { post: { requestBody: { content } } } } });
  const parameter = (where: string, more: object = {}): object => ({ in: where, name: 'p', required: true, example: 'e', ...more });
  const security = (...schemes: readonly object[]): [object, object] => [
    { security: [Object.fromEntries(schemes.map((_, index) => [`s${index}`, []])), {}] },
    { components: { securitySchemes: Object.fromEntries(schemes.map((scheme, index) => [`s${index}`, scheme])) } },
  ];

  it.each<[string, object[], unknown[]]>([
    [
      'in the query, a header and a cookie',
      [parameter('query', { name: 'q' }), parameter('header', { name: 'X-A' }), parameter('cookie', { name: 'c' })],
      [
        { name: 'GET /x', path: '/v1/x', headers: { 'X-A': 'e', Cookie: { secret: 'env:HOLDFAST_COOKIE' } }, query: { q: 'e' } },
        'secret paths./x.get.parameters: “Cookie” may be a secret. Its value is not in the plan. Set HOLDFAST_COOKIE when the plan runs.',
      ],
    ],
    [
      'that may be left out',
      [parameter('query', { required: false }), parameter('header', { required: false, name: 'X-B' })],
      [{ name: 'GET /x', path: '/v1/x' }, 'leftOut paths./x.get.parameters: Optional parameters: p, X-B. They were left out.'],
    ],
    [
      'without an example',
      [parameter('query', { example: undefined, schema: { type: 'integer', minimum: 3 } })],
      [
        { name: 'GET /x', path: '/v1/x', query: { p: '3' } },
        'assumed paths./x.get.parameters: “p” has no example. The plan uses a generated value of its type. Replace it with one that your server accepts.',
      ],
    ],
    [
      'with an example in its schema',
      [parameter('query', { example: undefined, schema: { default: 'd' } })],
      [{ name: 'GET /x', path: '/v1/x', query: { p: 'd' } }],
    ],
    [
      'with named examples',
      [parameter('query', { example: undefined, examples: { one: { value: 'v' } } })],
      [{ name: 'GET /x', path: '/v1/x', query: { p: 'v' } }],
    ],
    [
      'with content',
      [parameter('query', { example: undefined, content: { 'application/json': { example: { a: 1 } } } })],
      [{ name: 'GET /x', path: '/v1/x', query: { p: '{"a":1}' } }],
    ],
    ['with a list', [parameter('query', { example: ['a', 'b'] })], [{ name: 'GET /x', path: '/v1/x', query: { p: 'a,b' } }]],
    [
      'that stand elsewhere',
      [{ $ref: 'other.yaml#/p' }],
      [
        { name: 'GET /x', path: '/v1/x' },
        'leftOut paths./x.get.parameters: It is in another document ($ref), which Holdfast does not read. It was left out.',
      ],
    ],
  ])('has parameters %s', (_name, parameters, expected) => {
    expect(operationOf({ parameters })).toEqual(expected);
  });

  it('has parameters of its path in each style', () => {
    const pathOf = (style: string | undefined, explode: boolean, example: unknown): unknown =>
      (operationOf({ parameters: [parameter('path', { style, explode, example })] }, {}, '/{p}/{q}')[0] as { path: string }).path;
    const examples = ['a b', ['a', 'b'], { r: 1, g: 2 }];
    expect(
      [undefined, 'label', 'matrix'].map((style) =>
        examples.flatMap((example) => [false, true].map((explode) => pathOf(style, explode, example))),
      ),
    ).toEqual([
      ['/v1/a%20b/example', '/v1/a%20b/example', '/v1/a,b/example', '/v1/a,b/example', '/v1/r,1,g,2/example', '/v1/r=1,g=2/example'],
      ['/v1/.a%20b/example', '/v1/.a%20b/example', '/v1/.a,b/example', '/v1/.a.b/example', '/v1/.r,1,g,2/example', '/v1/.r=1.g=2/example'],
      [
        '/v1/;p=a%20b/example',
        '/v1/;p=a%20b/example',
        '/v1/;p=a,b/example',
        '/v1/;p=a;p=b/example',
        '/v1/;p=r,1,g,2/example',
        '/v1/;r=1;g=2/example',
      ],
    ]);
  });

  it.each<[string, readonly object[], unknown[]]>([
    [
      'a name and a password',
      [{ type: 'http', scheme: 'Basic' }],
      [
        { name: 'GET /x', path: '/v1/x', headers: { Authorization: 'Basic {{basic_login}}' } },
        { variables: { basic_login: { kind: 'secret', secret: 'ask:BASIC_LOGIN' } } },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for BASIC_LOGIN when the plan runs. To read it from your environment, write env:BASIC_LOGIN into the plan. The value is name:password in Base64.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'a token',
      [{ type: 'http', scheme: 'bearer' }],
      [
        { name: 'GET /x', path: '/v1/x', headers: { Authorization: 'Bearer {{access_token}}' } },
        { variables: { access_token: { kind: 'secret', secret: 'ask:ACCESS_TOKEN' } } },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for ACCESS_TOKEN when the plan runs. To read it from your environment, write env:ACCESS_TOKEN into the plan. The value is a token.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'OAuth',
      [{ type: 'oauth2' }],
      [
        { name: 'GET /x', path: '/v1/x', headers: { Authorization: 'Bearer {{access_token}}' } },
        { variables: { access_token: { kind: 'secret', secret: 'ask:ACCESS_TOKEN' } } },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for ACCESS_TOKEN when the plan runs. To read it from your environment, write env:ACCESS_TOKEN into the plan. The value is a token.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'OpenID',
      [{ type: 'openIdConnect' }],
      [
        { name: 'GET /x', path: '/v1/x', headers: { Authorization: 'Bearer {{access_token}}' } },
        { variables: { access_token: { kind: 'secret', secret: 'ask:ACCESS_TOKEN' } } },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for ACCESS_TOKEN when the plan runs. To read it from your environment, write env:ACCESS_TOKEN into the plan. The value is a token.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'keys',
      [
        { type: 'apiKey', in: 'header', name: 'X-K' },
        { type: 'apiKey', in: 'query', name: 'k' },
        { type: 'apiKey', in: 'cookie', name: 'c' },
      ],
      [
        { name: 'GET /x', path: '/v1/x', headers: { 'X-K': '{{api_key}}', Cookie: 'c={{api_key}}' }, query: { k: '{{api_key}}' } },
        { variables: { api_key: { kind: 'secret', secret: 'ask:API_KEY' } } },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for API_KEY when the plan runs. To read it from your environment, write env:API_KEY into the plan. The value is the key.',
        'assumed components.securitySchemes.s1: The server requires authentication. Holdfast asks for API_KEY when the plan runs. To read it from your environment, write env:API_KEY into the plan. The value is the key.',
        'assumed components.securitySchemes.s2: The server requires authentication. Holdfast asks for API_KEY when the plan runs. To read it from your environment, write env:API_KEY into the plan. The value is the key.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'another way',
      [{ type: 'http', scheme: 'digest' }],
      [
        { name: 'GET /x', path: '/v1/x' },
        'leftOut paths./x.get.security: The login “s0” (http digest) has no equivalent. Requests are sent without it.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
  ])('asks for %s', (_name, schemes, expected) => {
    expect(operationOf(...security(...schemes))).toEqual(expected);
  });

  it.each<[string, object, unknown[]]>([
    [
      'JSON',
      { 'application/json': { example: { a: '{{x}}' } } },
      [{ name: 'POST /', method: 'POST', path: '/', json: { a: String.raw`\{{x}}` } }],
    ],
    [
      'JSON before others',
      { 'text/plain': {}, 'application/hal+json': { example: [1] } },
      [
        { name: 'POST /', method: 'POST', path: '/', headers: { 'Content-Type': 'application/hal+json' }, json: [1] },
        'leftOut paths./.post.requestBody: The body may also be sent as text/plain. It was left out.',
      ],
    ],
    [
      'a form',
      {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean', readOnly: true }, c: { enum: ['e'] } } },
        },
      },
      [
        { name: 'POST /', method: 'POST', path: '/', form: { a: 'example', c: 'e' } },
        'assumed paths./.post.requestBody: The body has no example. The plan uses a body generated from the schema. Replace it with one that your server accepts.',
      ],
    ],
    [
      'parts',
      { 'multipart/form-data': { schema: { properties: { f: { type: 'string', format: 'binary' }, n: { type: 'number', maximum: 0 } } } } },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'f', bytes: 1_000, fileName: 'file' },
            { name: 'n', value: '0' },
          ],
        },
        'assumed paths./.post.requestBody: The body has no example. The plan uses a body generated from the schema. Replace it with one that your server accepts.',
      ],
    ],
    [
      'a text',
      { 'text/plain': { example: 'x' } },
      [{ name: 'POST /', method: 'POST', path: '/', headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    ],
    [
      'what its schema says',
      {
        'application/json': {
          schema: {
            allOf: [
              {
                properties: {
                  date: { type: 'string', format: 'date' },
                  at: { type: 'string', format: 'date-time' },
                  time: { type: 'string', format: 'time' },
                  id: { type: 'string', format: 'uuid' },
                  mail: { type: 'string', format: 'email' },
                  uri: { type: 'string', format: 'uri' },
                  ip: { type: 'string', format: 'ipv4' },
                  bytes: { type: 'string', format: 'byte' },
                  long: { type: 'string', minLength: 8 },
                },
              },
              {
                properties: {
                  list: { type: 'array', items: { oneOf: [{ const: 'c' }, {}] } },
                  either: { anyOf: [{ type: ['null', 'integer'] }] },
                  given: { examples: ['g'] },
                  nothing: { type: 'object' },
                },
              },
            ],
          },
        },
      },
      [
        {
          name: 'POST /',
          method: 'POST',
          path: '/',
          json: {
            date: '2026-01-31',
            at: '2026-01-31T12:00:00Z',
            time: '12:00:00Z',
            id: '3f2b1c9e-5d4a-4b6f-8a7c-0e9d8c7b6a51',
            mail: 'visitor@example.org',
            uri: 'https://example.org/',
            ip: '192.0.2.7',
            bytes: 'ZXhhbXBsZQ==',
            long: 'exampleexample',
            list: ['c'],
            either: 1,
            given: 'g',
            nothing: {},
          },
        },
        'assumed paths./.post.requestBody: The body has no example. The plan uses a body generated from the schema. Replace it with one that your server accepts.',
      ],
    ],
  ])('sends %s', (_name, content, expected) => {
    expect(bodyOf(content)).toEqual(expected);
  });

  it('has no body where its method has none', () => {
    expect(operationOf({ requestBody: { content: { 'text/plain': { example: 'x' } } } })).toEqual([
      { name: 'GET /x', path: '/v1/x' },
      'leftOut paths./x.get.requestBody: A GET has no body. It is sent without one.',
    ]);
  });

  it('is sent to the server that is named first', () => {
    const serverOf = (...servers: readonly object[]): unknown[] => {
      const result = importText(JSON.stringify({ openapi: '3.0.0', info: {}, servers, paths: { '/x': { get: {} } } }));
      if (result.kind === 'refused') return result.issues.map(({ code }) => code);
      const { plan, notes } = result.imported;
      return [
        plan.targets[0]?.url,
        plan.journey[0]?.path,
        ...notes.filter(({ place }) => place === 'servers').map(({ what, instead }) => `${what} ${instead}`),
      ];
    };
    expect([
      serverOf({ url: 'https://{h}.example/v{v}/?a', variables: { h: { default: 'api' } } }),
      serverOf({ url: '//a.example/' }, { url: 'http://b.example' }),
      serverOf({ url: '/api/' }),
      serverOf({}),
      serverOf(),
      serverOf({ url: 'x' }),
    ]).toEqual([
      ['https://api.example/', '/v%7Bv%7D/x'],
      ['https://a.example/', '/x', 'It names another server. The plan uses the first one.'],
      [
        'http://localhost/',
        '/api/x',
        'The description does not name a server. http://localhost is used instead. Set your server as the plan’s target.',
      ],
      [
        'http://localhost/',
        '/x',
        'The description does not name a server. http://localhost is used instead. Set your server as the plan’s target.',
      ],
      [
        'http://localhost/',
        '/x',
        'The description does not name a server. http://localhost is used instead. Set your server as the plan’s target.',
      ],
      [
        'http://localhost/',
        '/x',
        'The description does not name a server. http://localhost is used instead. Set your server as the plan’s target.',
      ],
    ]);
  });
});
