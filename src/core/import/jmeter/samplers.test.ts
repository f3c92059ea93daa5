import { describe, expect, it } from 'vitest';
import { readImported } from '../testing/imported.ts';
import {
  element,
  collection,
  member,
  argument,
  request,
  withArguments,
  withFiles,
  group,
  scheduled,
  planDocument,
  readOfGroup,
} from './testing/elements.ts';

describe('importJmeter: a request', () => {
  it.each<[string, string, unknown[]]>([
    ['with another method', request({ 'HTTPSampler.method': 'DELETE' }), ['http://a.example/', { name: 'R', method: 'DELETE', path: '/' }]],
    ['with a path without a leading slash', request({ 'HTTPSampler.path': 'a b' }), ['http://a.example/', { name: 'R', path: '/a%20b' }]],
    [
      'with a path that begins with two slashes',
      request({ 'HTTPSampler.path': '//a' }),
      ['http://a.example/', { name: 'R', path: '/.//a' }],
    ],
    [
      'with a variable as its path',
      request({ 'HTTPSampler.path': '${__P(where)}' }),
      [
        'http://a.example/',
        { name: 'R', path: '{{where}}' },
        { variables: { where: { kind: 'secret', secret: 'ask:where' } }, cookies: 'ignore' },
        'assumed ${__P(where)}: It is a property from JMeter’s command line. Holdfast asks for where when the plan runs. To read it from your environment, write env:where into the plan.',
      ],
    ],
    [
      'with an absolute address as its path',
      request({ 'HTTPSampler.domain': '', 'HTTPSampler.path': 'HTTPS://b.example:8443/c?d=1' }),
      ['https://b.example:8443/', { name: 'R', path: '/c?d=1' }],
    ],
    [
      'to an IPv6 address',
      request({ 'HTTPSampler.domain': '::1', 'HTTPSampler.port': '81', 'HTTPSampler.protocol': 'https' }),
      ['https://[::1]:81/', { name: 'R', path: '/' }],
    ],
    ['to an IPv6 address in brackets', request({ 'HTTPSampler.domain': '[::1]' }), ['http://[::1]/', { name: 'R', path: '/' }]],
    [
      'without a server',
      request({ 'HTTPSampler.domain': '' }),
      [
        'http://localhost/',
        { name: 'R', path: '/' },
        'assumed HTTP Request: The test plan does not name its server, or uses a variable without a value. http://localhost is used instead. Set your server as the plan’s target.',
      ],
    ],
    [
      'to a server variable without a value',
      request({ 'HTTPSampler.domain': '${host}' }),
      [
        'http://localhost/',
        { name: 'R', path: '/' },
        'assumed HTTP Request: The test plan does not name its server, or uses a variable without a value. http://localhost is used instead. Set your server as the plan’s target.',
      ],
    ],
    [
      'that follows redirects',
      request({ 'HTTPSampler.follow_redirects': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', redirects: { follow: true, mayEndAtLogin: true } }],
    ],
    [
      'that follows redirects in Java',
      request({ 'HTTPSampler.auto_redirects': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', redirects: { follow: true, mayEndAtLogin: true } }],
    ],
    [
      'that loads the resources of its page',
      request({ 'HTTPSampler.image_parser': 'true' }),
      ['http://a.example/', { name: 'R', path: '/', resources: {} }],
    ],
    [
      'that closes its connection',
      request({ 'HTTPSampler.use_keepalive': 'false' }),
      [
        'http://a.example/',
        { name: 'R', path: '/' },
        'leftOut R: It closes its connection after the response. To do so for all requests of the plan, set connections: {reuse: never}.',
      ],
    ],
    [
      'with timeouts',
      request({ 'HTTPSampler.response_timeout': '2500', 'HTTPSampler.connect_timeout': '500' }),
      ['http://a.example/', { name: 'R', path: '/' }, { cookies: 'ignore', timeoutSeconds: 2.5, connections: { connectSeconds: 0.5 } }],
    ],
    [
      'with timeouts outside the limits of a plan',
      request({ 'HTTPSampler.response_timeout': '1', 'HTTPSampler.connect_timeout': '9999999' }),
      ['http://a.example/', { name: 'R', path: '/' }, { cookies: 'ignore', timeoutSeconds: 1, connections: { connectSeconds: 3_600 } }],
    ],
    [
      'without timeouts',
      request({ 'HTTPSampler.response_timeout': '0', 'HTTPSampler.connect_timeout': '0' }),
      ['http://a.example/', { name: 'R', path: '/' }],
    ],
    [
      'with a query',
      request({}, '', withArguments(argument('a', '1'), argument('', 'x'), argument('b', '${__UUID()}'))),
      [
        'http://a.example/',
        { name: 'R', path: '/', query: { a: '1', b: '{{uuid}}' } },
        { variables: { uuid: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
      ],
    ],
    [
      'with long parameter names',
      request({}, '', withArguments(argument('n'.repeat(200), '1'), argument('n'.repeat(201), '1'))),
      [
        'http://a.example/',
        {
          name: 'R',
          path: '/',
          query: {
            nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn:
              '1',
          },
        },
        'leftOut R: Parameter names are too long. They were left out.',
      ],
    ],
    [
      'with a form',
      request({ 'HTTPSampler.method': 'POST' }, '', withArguments(argument('a', '1'), argument('b', 'c d'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', form: { a: '1', b: 'c d' } }],
    ],
    ['without form fields', request({ 'HTTPSampler.method': 'POST' }), ['http://a.example/', { name: 'R', method: 'POST', path: '/' }]],
    [
      'with a body',
      request({ 'HTTPSampler.method': 'PUT', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', 'a='), argument('', '1'))),
      ['http://a.example/', { name: 'R', method: 'PUT', path: '/', body: 'a=1' }],
    ],
    [
      'with a JSON body',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', ' {"a": 1}'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', body: ' {"a": 1}' }],
    ],
    [
      'with a number as its body',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', '5'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', body: '5' }],
    ],
    [
      'with an empty body',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/' }],
    ],
    [
      'with a file as its body',
      request({ 'HTTPSampler.method': 'PUT' }, '', withFiles({ 'File.path': 'a.bin', 'File.paramname': '', 'File.mimetype': 'image/png' })),
      [
        'http://a.example/',
        { name: 'R', method: 'PUT', path: '/', body: { secret: 'file:a.bin' } },
        'changed R: The body is read from the file a.bin. Holdfast reads it as text, without the final line feed, when the plan runs.',
      ],
    ],
    [
      'with uploaded files',
      request(
        { 'HTTPSampler.method': 'POST' },
        '',
        withArguments(argument('a', '1')) +
          withFiles(
            { 'File.path': 'a.png', 'File.paramname': 'photo', 'File.mimetype': ' image/png ' },
            { 'File.path': '', 'File.paramname': '' },
          ),
      ),
      [
        'http://a.example/',
        {
          name: 'R',
          method: 'POST',
          path: '/',
          multipart: [
            { name: 'a', value: '1' },
            { name: 'photo', file: 'a.png', type: 'image/png' },
            { name: 'file', file: 'file' },
          ],
        },
      ],
    ],
    [
      'with multipart fields',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.DO_MULTIPART_POST': 'true' }, '', withArguments(argument('a', '1'))),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/', multipart: [{ name: 'a', value: '1' }] }],
    ],
    [
      'with an empty multipart form',
      request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.DO_MULTIPART_POST': 'true' }),
      ['http://a.example/', { name: 'R', method: 'POST', path: '/' }],
    ],
  ])('is read %s', (_name, below, expected) => {
    expect([readImported(planDocument(group(below, scheduled))).plan.targets[0]?.url, ...readOfGroup(below)]).toEqual(expected);
  });

  it('is left out if its method or address is unsupported, and is sent to its own server', () => {
    const others = [
      request({ 'HTTPSampler.domain': 'b.example' }, '', '', 'Elsewhere'),
      request({ 'HTTPSampler.method': 'PROPFIND' }, '', '', 'Odd'),
      request({ 'HTTPSampler.protocol': 'ftp' }, '', '', 'Files'),
    ];
    expect(readOfGroup(request() + others.join(''))).toEqual([
      { name: 'R', path: '/' },
      { name: 'Elsewhere', target: 'b', path: '/' },
      { cookies: 'ignore', namedTargets: { b: 'http://b.example/' } },
      'leftOut Odd: Plans do not support its method. The request was left out.',
      'leftOut Files: ftp://a.example is not an http or https address. The request was left out.',
    ]);
  });
});

describe('importJmeter: elements beside requests', () => {
  const headers = (...pairs: readonly (readonly [string, string])[]): string =>
    element(
      'HeaderManager',
      'Headers',
      {},
      '',
      collection('HeaderManager.headers', ...pairs.map(([name, value]) => member({ 'Header.name': name, 'Header.value': value }))),
    );
  const logins = (...users: readonly string[]): string =>
    element(
      'AuthManager',
      'Logins',
      {},
      '',
      collection(
        'AuthManager.auth_list',
        ...users.map((user) => member({ 'Authorization.username': user, 'Authorization.password': 'pw' })),
      ),
    );
  const cookies = (clears: string, ...members: readonly string[]): string =>
    element(
      'CookieManager',
      'Cookies',
      { 'CookieManager.clearEachIteration': clears },
      '',
      collection('CookieManager.cookies', ...members),
    );
  const once = (below: string): string => element('OnceOnlyController', 'Once', {}, below);

  it.each<[string, string, unknown[]]>([
    [
      'headers apply to all requests, and the nearest one overrides',
      headers(['X-A', '1'], ['', 'x'], ['x-b', '2']) + request({}, headers(['x-a', '3'])),
      [{ name: 'R', path: '/', headers: { 'x-a': '3', 'x-b': '2' } }],
    ],
    [
      'a Content-Type header of a form is ignored',
      headers(['Content-Type', 'text/x'], ['X-A', '1']) + request({ 'HTTPSampler.method': 'POST' }, '', withArguments(argument('a', '1'))),
      [{ name: 'R', method: 'POST', path: '/', headers: { 'X-A': '1' }, form: { a: '1' } }],
    ],
    [
      'a Content-Type header of a body is sent',
      headers(['Content-Type', 'text/x']) +
        request({ 'HTTPSampler.method': 'POST', 'HTTPSampler.postBodyRaw': 'true' }, '', withArguments(argument('', '{}'))),
      [{ name: 'R', method: 'POST', path: '/', headers: { 'Content-Type': 'text/x' }, body: '{}' }],
    ],
    [
      'a login is sent',
      logins('ada') + request(),
      [
        { name: 'R', path: '/', auth: { user: 'ada', password: '{{password}}' } },
        { cookies: 'ignore', variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'secret R: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'the first of several logins is sent',
      logins('ada', 'bob') + request(),
      [
        { name: 'R', path: '/', auth: { user: 'ada', password: '{{password}}' } },
        { cookies: 'ignore', variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'leftOut Logins: It contains logins for several addresses. The plan uses the first for all.',
        'secret R: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'a login of variables is sent',
      logins('${user}') + request(),
      [
        { name: 'R', path: '/', auth: { user: '${user}', password: '{{password}}' } },
        { cookies: 'ignore', variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } } },
        'leftOut ${user}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
        'secret R: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'a login is not sent to another server',
      logins('ada') + request() + request({ 'HTTPSampler.domain': 'b.example' }, '', '', 'Elsewhere'),
      [
        { name: 'R', path: '/', auth: { user: 'ada', password: '{{password}}' } },
        { name: 'Elsewhere', target: 'b', path: '/' },
        {
          cookies: 'ignore',
          namedTargets: { b: 'http://b.example/' },
          variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } },
        },
        'secret R: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    ['an empty login manager sends no login', logins() + request(), [{ name: 'R', path: '/' }]],
    ['cookies last for a journey', cookies('true') + request(), [{ name: 'R', path: '/' }, { cookies: 'journey' }]],
    [
      'cookies last for a user',
      cookies('false', member({})) + request() + once(request()),
      [
        { name: 'R', path: '/' },
        { name: 'R (2)', path: '/', once: true },
        { cookies: 'user' },
        'leftOut Cookies: It sets cookies by hand. Set them as the cookie of the plan’s target.',
      ],
    ],
    [
      'a once-only sampler runs in each journey if cookies are cleared',
      cookies('true') + once(request()),
      [
        { name: 'R', path: '/' },
        { cookies: 'journey' },
        'changed R: It runs once for each thread. Users drop their cookies after each journey, so it runs in each journey.',
      ],
    ],
    [
      'a cache manager is left out',
      element('CacheManager', 'Cache') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut Cache: It caches responses as browsers do. A plan that fetches the files of pages caches them too.',
      ],
    ],
    [
      'listeners are left out',
      element('Summariser', 'S') + element('kg.apc.jmeter.vizualizers.X', 'K') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut S: A listener shows or stores results. Holdfast has its own results.',
        'leftOut K: A listener shows or stores results. Holdfast has its own results.',
      ],
    ],
    [
      'code is left out',
      element('JSR223PreProcessor', 'C') + element('BeanShellSampler', 'B') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut C: It runs code. Holdfast never runs code from an import.',
        'leftOut B: It runs code. Holdfast never runs code from an import.',
      ],
    ],
    [
      'other samplers are left out',
      element('JDBCSampler', 'D') + element('org.example.DNSCacheManager', 'N') + request(),
      [
        { name: 'R', path: '/' },
        'leftOut D: JDBCSampler has no equivalent. Holdfast supports HTTP only.',
        'leftOut N: DNSCacheManager has no equivalent. It was left out.',
      ],
    ],
    [
      'a config element of an unknown type sets no defaults',
      element('ConfigTestElement', 'Defaults', { 'HTTPSampler.port': '81' }) + request(),
      [{ name: 'R', path: '/' }, 'leftOut Defaults: ConfigTestElement has no equivalent. It was left out.'],
    ],
  ])('%s', (_name, below, expected) => {
    expect(readOfGroup(below)).toEqual(expected);
  });
});
