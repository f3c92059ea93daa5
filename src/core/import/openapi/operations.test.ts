import { describe, expect, it } from 'vitest';
import { importText } from '../importText.ts';
import { listMade } from '../testing/imported.ts';

describe('importOpenApi: an operation', () => {
  const readOperation = (operation: object, more: object = {}, path = '/x'): unknown[] =>
    listMade({
      openapi: '3.0.0',
      info: { title: 'T' },
      servers: [{ url: 'http://a.example/v1' }],
      paths: { [path]: { get: operation } },
      ...more,
    });
  const bodyOf = (content: object): unknown[] =>
    listMade({
      openapi: '3.0.0',
      info: {},
      servers: [{ url: 'http://a.example' }],
      paths: { '/': { post: { requestBody: { content } } } },
    });
  const parameter = (where: string, more: object = {}): object => ({ in: where, name: 'p', required: true, example: 'e', ...more });
  const security = (...schemes: readonly object[]): [object, object] => [
    { security: [Object.fromEntries(schemes.map((_, index) => [`s${index}`, []])), {}] },
    { components: { securitySchemes: Object.fromEntries(schemes.map((scheme, index) => [`s${index}`, scheme])) } },
  ];

  it('has a generated XML body with the names of its schema', () => {
    const schema = {
      type: 'object',
      xml: { name: 'order' },
      properties: {
        id: { type: 'integer', xml: { attribute: true } },
        note: { type: 'string', example: 'a<b & "c"' },
        tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', example: 'x', xml: { name: 'tag' } } },
      },
    };
    const [step] = bodyOf({ 'application/xml': { schema } });
    expect(step).toMatchObject({
      headers: { 'Content-Type': 'application/xml' },
      body: '<?xml version="1.0" encoding="UTF-8"?><order id="1"><note>a&lt;b &amp; &quot;c&quot;</note><tags><tag>x</tag></tags></order>',
    });
    expect(bodyOf({ 'text/xml': { example: '<a/>', schema } })[0]).toMatchObject({ body: '<a/>' });
  });

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
      'that are optional',
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
    ['with a list', [parameter('query', { example: ['a', 'b'] })], [{ name: 'GET /x', path: '/v1/x?p=a&p=b' }]],
    [
      'in another document',
      [{ $ref: 'other.yaml#/p' }],
      [
        { name: 'GET /x', path: '/v1/x' },
        'leftOut paths./x.get.parameters: It is in another document ($ref), which Holdfast does not read. It was left out.',
      ],
    ],
  ])('has parameters %s', (_name, parameters, expected) => {
    expect(readOperation({ parameters })).toEqual(expected);
  });

  it('writes path parameters in each style', () => {
    const pathOf = (style: string | undefined, explode: boolean, example: unknown): unknown =>
      (readOperation({ parameters: [parameter('path', { style, explode, example })] }, {}, '/{p}/{q}')[0] as { path: string }).path;
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
        { name: 'GET /x', path: '/v1/x', auth: { user: '{{login_name}}', password: '{{login_password}}' } },
        {
          variables: {
            login_name: { kind: 'secret', secret: 'ask:LOGIN_NAME' },
            login_password: { kind: 'secret', secret: 'ask:LOGIN_PASSWORD' },
          },
        },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for LOGIN_NAME when the plan runs. To read it from your environment, write env:LOGIN_NAME into the plan. The value is the user name.',
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for LOGIN_PASSWORD when the plan runs. To read it from your environment, write env:LOGIN_PASSWORD into the plan. The value is the password.',
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
      'client credentials',
      [{ type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://login.example/token' } } }],
      [
        {
          name: 'token',
          method: 'POST',
          target: 'login',
          path: '/token',
          auth: { user: '{{client_id}}', password: '{{client_secret}}' },
          form: { grant_type: 'client_credentials' },
          captures: [{ from: 'json', as: 'access_token', path: '$.access_token' }],
          once: true,
          renew: { onStatus: [401] },
        },
        { name: 'GET /x', path: '/v1/x', headers: { Authorization: 'Bearer {{access_token}}' } },
        {
          namedTargets: { login: 'https://login.example/' },
          variables: {
            client_id: { kind: 'secret', secret: 'ask:CLIENT_ID' },
            client_secret: { kind: 'secret', secret: 'ask:CLIENT_SECRET' },
          },
        },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for CLIENT_ID when the plan runs. To read it from your environment, write env:CLIENT_ID into the plan. The value is the id of the client.',
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for CLIENT_SECRET when the plan runs. To read it from your environment, write env:CLIENT_SECRET into the plan. The value is its secret.',
        'changed components.securitySchemes.s0: A token is fetched by OAuth 2, with client credentials. Each user of the plan fetches one, and another after a response with 401.',
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
        { name: 'GET /x', path: '/v1/x', headers: { 'X-K': '{{api_key_s0}}', Cookie: 'c={{api_key_s2}}' }, query: { k: '{{api_key_s1}}' } },
        {
          variables: {
            api_key_s0: { kind: 'secret', secret: 'ask:API_KEY_S0' },
            api_key_s1: { kind: 'secret', secret: 'ask:API_KEY_S1' },
            api_key_s2: { kind: 'secret', secret: 'ask:API_KEY_S2' },
          },
        },
        'assumed components.securitySchemes.s0: The server requires authentication. Holdfast asks for API_KEY_S0 when the plan runs. To read it from your environment, write env:API_KEY_S0 into the plan. The value is the key.',
        'assumed components.securitySchemes.s1: The server requires authentication. Holdfast asks for API_KEY_S1 when the plan runs. To read it from your environment, write env:API_KEY_S1 into the plan. The value is the key.',
        'assumed components.securitySchemes.s2: The server requires authentication. Holdfast asks for API_KEY_S2 when the plan runs. To read it from your environment, write env:API_KEY_S2 into the plan. The value is the key.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
    [
      'no credentials of an unsupported login',
      [{ type: 'http', scheme: 'digest' }],
      [
        { name: 'GET /x', path: '/v1/x' },
        'leftOut paths./x.get.security: The login “s0” (http digest) has no equivalent. Requests are sent without it.',
        'leftOut paths./x.get.security: There are other ways to log in. The plan uses the first one.',
      ],
    ],
  ])('asks for %s', (_name, schemes, expected) => {
    expect(readOperation(...security(...schemes))).toEqual(expected);
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
      'a value generated from its schema',
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

  it('has no body if its method allows none', () => {
    expect(readOperation({ requestBody: { content: { 'text/plain': { example: 'x' } } } })).toEqual([
      { name: 'GET /x', path: '/v1/x' },
      'leftOut paths./x.get.requestBody: A GET has no body. It is sent without one.',
    ]);
  });

  it('is sent to the first server', () => {
    const importServers = (...servers: readonly object[]): unknown[] => {
      const result = importText(JSON.stringify({ openapi: '3.0.0', info: {}, servers, paths: { '/x': { get: {} } } }));
      if (result.kind === 'refused') return result.issues.map(({ code }) => code);
      const { plan, notes } = result.imported;
      return [
        plan.targets[0]?.url,
        plan.journey[0]?.path,
        ...notes.filter(({ location }) => location === 'servers').map(({ what, instead }) => `${what} ${instead}`),
      ];
    };
    expect([
      importServers({ url: 'https://{h}.example/v{v}/?a', variables: { h: { default: 'api' } } }),
      importServers({ url: '//a.example/' }, { url: 'http://b.example' }),
      importServers({ url: '/api/' }),
      importServers({}),
      importServers(),
      importServers({ url: 'x' }),
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
