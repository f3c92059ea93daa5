import { describe, expect, it } from 'vitest';
import { makeHar } from '../testing/documents.ts';
import { readImported, findRefusal } from '../testing/imported.ts';

it('importHar: treats hosts of another owner under the same public suffix as third parties', () => {
  const { plan, notes } = readImported(
    makeHar(
      { url: 'https://www.shop.co.uk/', at: 0, text: '<html></html>', resource: 'document' },
      { url: 'https://static.shop.co.uk/logo.png', at: 60, type: 'image/png', resource: 'image' },
      { url: 'https://ads.co.uk/banner.png', at: 61, type: 'image/png', resource: 'image' },
    ),
  );
  expect(JSON.stringify(notes)).toContain('static.shop.co.uk, another server of the same site');
  expect(JSON.stringify(plan)).not.toContain('ads.co.uk');
  expect(JSON.stringify(notes)).toContain('ads.co.uk, which belongs to someone else');
});

describe('importHar', () => {
  const html = '<html><form action="/login"><input type="hidden" name="_xsrf" value="2|ab12cd34|ef"></form></html>';
  const recording = makeHar(
    {
      url: 'http://shop.example.org/',
      at: 0,
      text: html,
      resource: 'document',
      response: { 'Set-Cookie': 'visitor=abcdef123; Path=/' },
      headers: { Host: 'shop.example.org', 'User-Agent': 'x', 'Accept-Language': 'es', Cookie: 'theme=dark' },
    },
    { url: 'http://shop.example.org/style.css', at: 60, type: 'text/css', resource: 'stylesheet' },
    { url: 'http://static.example.org/logo.png', at: 61, type: 'image/png', resource: 'image' },
    { url: 'https://tracker.example.com/collect?x=1', at: 62, type: 'image/gif', resource: 'image' },
    {
      url: 'http://shop.example.org/login',
      at: 5_100,
      method: 'POST',
      body: { mimeType: 'application/x-www-form-urlencoded', text: 'username=ada&password=hush-hush&_xsrf=2%7Cab12cd34%7Cef' },
      status: 302,
      response: { Location: '/home', 'Set-Cookie': 'sid=0123456789abcdef; HttpOnly' },
      resource: 'document',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'theme=dark; visitor=abcdef123' },
    },
    {
      url: 'http://shop.example.org/home',
      at: 5_160,
      resource: 'document',
      text: '<html>Welcome</html>',
      headers: { Cookie: 'theme=dark; visitor=abcdef123; sid=0123456789abcdef' },
    },
    {
      url: 'http://shop.example.org/api/session',
      at: 5_400,
      resource: 'fetch',
      type: 'application/json',
      text: '{"token":"tok-12345678","user":{"id":48151}}',
    },
    {
      url: 'http://shop.example.org/api/users/48151/orders',
      at: 5_500,
      resource: 'fetch',
      type: 'application/json',
      text: '[]',
      headers: { Authorization: 'Bearer tok-12345678' },
    },
    {
      url: 'http://shop.example.org/api/orders',
      at: 7_000,
      method: 'POST',
      resource: 'fetch',
      type: 'application/json',
      status: 409,
      text: '{}',
      body: { mimeType: 'application/json', text: '{"user":48151,"note":"hello"}' },
    },
    { url: 'http://shop.example.org/live', at: 7_100, resource: 'websocket', status: 101 },
  );
  const visit = () => readImported(recording);

  it('makes a journey with the recorded pauses', () => {
    const { plan } = visit();
    expect(plan.targets[0]?.url).toBe('http://shop.example.org/');
    expect(plan.journey.map(({ name, thinkTime }) => [name, thinkTime?.kind === 'fixed' ? thinkTime.seconds : 0])).toEqual([
      ['GET /', 5],
      ['POST /login', 0],
      ['GET /api/session', 0],
      ['GET /api/users/48151/orders', 1.5],
      ['POST /api/orders', 0],
      ['GET /live', 0],
    ]);
    expect(plan.journey[5]?.stream).toEqual({ kind: 'websocket', beside: true });
    expect(plan.journey[0]?.resources).toMatchObject({ kinds: ['css'], otherHosts: ['static.example.org'] });
    expect(plan.journey[1]?.redirects).toEqual({ follow: true, most: 10, mayEndAtLogin: false, to: ['/home'] });
    expect(plan.journey[4]?.expectStatus).toEqual([409]);
  });

  it('captures tokens and ids from the responses that contain them', () => {
    const { plan, secrets } = visit();
    expect(plan.journey[0]?.captures).toEqual([
      { from: 'between', as: '_xsrf', after: ' value="', before: '"', which: 'first', html: false },
    ]);
    expect(plan.journey[1]?.form).toEqual({ username: 'ada', password: '{{password}}', _xsrf: '{{_xsrf}}' });
    expect(plan.journey[2]?.captures).toMatchObject([
      { from: 'json', path: '$.user.id' },
      { from: 'json', path: '$.token' },
    ]);
    const [id, token] = plan.journey[2]?.captures ?? [];
    expect(plan.journey[3]?.path).toBe(`/api/users/{{${id?.as ?? ''}}}/orders`);
    expect(plan.journey[3]?.headers).toEqual({ Authorization: `Bearer {{${token?.as ?? ''}}}` });
    expect(plan.journey[4]?.json).toEqual({ user: `{{${id?.as ?? ''}|raw}}`, note: 'hello' });
    expect(secrets.get('HOLDFAST_PASSWORD')).toBe('hush-hush');
  });

  it('keeps cookies from before the recording, and lets each user get the others', () => {
    const { plan, secrets } = visit();
    expect(plan.cookies).toBe('journey');
    expect(secrets.get('HOLDFAST_COOKIE')).toBe('theme=dark');
    expect(JSON.stringify(plan)).not.toContain('0123456789abcdef');
  });

  it('notes third parties and leaves them out', () => {
    const { plan, notes } = visit();
    const reported = notes.map(({ what, instead }) => `${what} ${instead}`).join('\n');
    expect(reported).toContain('1 request is for tracker.example.com, which belongs to someone else. Test only your own servers.');
    expect(reported).toContain('static.example.org');
    expect(JSON.stringify(plan)).not.toContain('tracker');
  });

  it('cuts a recording that is longer than a journey may be, and notes it', () => {
    const many = Array.from({ length: 210 }, (_, index) => ({ url: `http://a.example/page/${index}`, at: index * 10, resource: 'fetch' }));
    const long = readImported(makeHar(...many));
    expect(long.plan.journey).toHaveLength(200);
    expect(long.notes.map(({ what }) => what)).toContain('10 requests come after the first 200.');
  });

  it('fetches with the last page of a cut recording only the files of that page', () => {
    const page = (index: number) => ({ url: `http://a.example/${index}`, at: index * 10, resource: 'document' });
    const pages = Array.from({ length: 210 }, (_, index) => page(index));
    const style = { url: 'http://a.example/a.css', at: 1_995, type: 'text/css', resource: 'stylesheet' };
    const picture = { url: 'http://a.example/b.png', at: 2_005, type: 'image/png', resource: 'image' };
    const long = readImported(makeHar(...pages, style, picture));
    expect(long.plan.journey.at(-1)).toMatchObject({ path: '/199', resources: { kinds: ['css'] } });
    expect(long.notes.map(({ what }) => what)).toContain('Pages loaded 1 files (css: 1).');
  });

  it('explains how to record the preceding page if a recording begins with a submitted form', () => {
    const body = { mimeType: 'application/x-www-form-urlencoded', text: 'a=1' };
    const reportedBy = (text: string): string =>
      readImported(text)
        .notes.map(({ instead }) => instead)
        .join();
    expect(reportedBy(makeHar({ url: 'http://a.example/login', method: 'POST', body, resource: 'document' }))).toContain('Preserve log');
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(reportedBy(makeHar({ url: 'http://a.example/', method, resource: 'fetch' })), method).not.toContain('Preserve log');
  });

  it('refuses a recording without HTTP requests', () => {
    expect(findRefusal(makeHar({ url: 'data:text/plain,x' }))).toEqual(['NO_REQUESTS log.entries']);
  });

  const bare = (...urls: string[]) => urls.map((url) => ({ request: { method: 'GET', url, headers: [] } }));

  it('imports a recording without responses and notes it', () => {
    const { plan: sent, notes: reported } = readImported(
      JSON.stringify({ log: { entries: bare('http://a.example/one', 'http://a.example/two') } }),
    );
    expect(sent.journey.map(({ path }) => path)).toEqual(['/one', '/two']);
    expect(reported.map(({ what }) => what)).toContain('2 requests have no recorded response.');
  });

  it('takes the server with most requests if the recording lists no pages, even if an ad frame is first', () => {
    const frame = { url: 'http://ads.example/frame', at: 0, resource: 'document' };
    const own = ['/', '/a', '/b'].map((path, index) => ({ url: `http://a.example${path}`, at: 10 + index * 10, resource: 'document' }));
    const recording = JSON.parse(makeHar(frame, ...own)) as { log: { pages?: unknown } };
    delete recording.log.pages;
    expect(readImported(JSON.stringify(recording)).plan.targets[0]?.url).toBe('http://a.example/');
  });
});

it.each([
  [
    'http://a.example/x',
    [
      { name: 'a b', value: 'c&d' },
      { name: '', value: '' },
    ],
    '/x?a+b=c%26d',
  ],
  ['http://a.example/x#top', [{ name: 'a', value: '1' }], '/x?a=1'],
  ['http://a.example/x?a=1', [{ name: 'a', value: '1' }], '/x?a=1'],
])('importHar: requests %s with parameters that are listed beside it once', (url, queryString, path) => {
  const recording = { log: { entries: [{ request: { method: 'GET', url, headers: [], queryString } }] } };
  expect(readImported(JSON.stringify(recording)).plan.journey[0]?.path).toBe(path);
});

describe('importHar with a page and an API on two hosts', () => {
  const entry = (url: string, more: object = {}) => ({
    request: { method: 'GET', url, headers: [], ...more },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"items":[{"id":90812}]}' } },
  });
  const page = {
    ...entry('https://app.shop.test/'),
    pageref: 'p',
    _resourceType: 'document',
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'text/html' }],
      content: { mimeType: 'text/html', text: '<html></html>' },
    },
  };
  const text = JSON.stringify({
    log: {
      pages: [{ id: 'p' }],
      entries: [
        page,
        entry('https://api.shop.test/v1/orders'),
        entry('https://api.shop.test/v1/orders/90812'),
        entry('https://ads.example/x'),
      ],
    },
  });

  it('offers both hosts and takes the host of the page by default', () => {
    const { choices, chooses, plan } = readImported(text);
    expect(chooses).toBe('hosts');
    expect(choices).toEqual([
      { id: 'app.shop.test', label: 'app.shop.test (1 request)', isTaken: true },
      { id: 'api.shop.test', label: 'api.shop.test (2 requests)', isTaken: false },
    ]);
    expect(plan.journey).toHaveLength(1);
  });

  it.each([
    [['all'], 'https://app.shop.test/', ['/', 'api /v1/orders', 'api /v1/orders/{{order}}']],
    [['api.shop.test'], 'https://api.shop.test/', ['/v1/orders', '/v1/orders/{{order}}']],
  ])('takes the chosen hosts: %s', (ids, url, steps) => {
    const { plan } = readImported(text, { chosen: { kind: 'hosts', ids } });
    expect(plan.targets[0]?.url).toBe(url);
    expect(
      plan.journey.map(({ target, path }) => `${target === undefined ? '' : `${target} `}${path.replace(/\{\{\w+\}\}/, '{{order}}')}`),
    ).toEqual(steps);
  });

  it('refuses a host without requests', () => {
    expect(findRefusal(text, { chosen: { kind: 'hosts', ids: ['other.test'] } })).toEqual(['NO_SUCH_HOST']);
  });
});

it('importHar: keeps secrets of addresses out of the notes', () => {
  const socket = {
    _resourceType: 'websocket',
    request: { method: 'GET', url: 'wss://a.test/live?token=SECRET-7731', headers: [] },
    response: { status: 101, headers: [] },
  };
  const lost = {
    request: { method: 'GET', url: 'https://a.test/x?api_key=SECRET-9953', headers: [] },
    response: { status: 0, headers: [] },
  };
  const first = {
    request: { method: 'GET', url: 'https://a.test/', headers: [] },
    response: { status: 200, headers: [], content: { mimeType: 'text/html', text: '' } },
  };
  expect(JSON.stringify(readImported(JSON.stringify({ log: { entries: [first, socket, lost] } })).notes)).not.toContain('SECRET');
});
