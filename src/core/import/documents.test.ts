import { describe, expect, it } from 'vitest';
import { importText, readText } from './importText.ts';
import { ARTILLERY, harOf, JMX, OLD_ARTILLERY, OPENAPI, POSTMAN } from './testing/documents.ts';
import { importedOf, notesOf, refusalOf } from './testing/imported.ts';

describe('an Artillery script', () => {
  const { plan, notes, kind } = importedOf(ARTILLERY);

  it('becomes arrivals, feeds and a choice among its scenarios', () => {
    expect(kind).toBe('artillery');
    expect(plan.load).toMatchObject({
      model: 'arrivals',
      stages: [
        { kind: 'constant', name: 'warm-up', perSecond: 5, seconds: 60 },
        { kind: 'ramp', name: 'ramp', fromPerSecond: 5, toPerSecond: 50, seconds: 120, maxInFlight: 200 },
        { kind: 'pause', seconds: 10 },
        { kind: 'count', arrivals: 20, seconds: 30 },
      ],
    });
    expect(plan.feeds).toMatchObject({ payload: { file: 'users.csv', order: 'sequential' } });
    expect(plan.flow).toEqual([
      {
        choose: [
          {
            weight: 3,
            flow: [
              'shop: POST /login',
              { forEach: 'items', as: 'item', flow: ['shop: GET /items/{{item}}'] },
              { repeat: 3, flow: ['shop: GET /search'] },
            ],
          },
          { weight: 1, flow: ['visit: GET /', String.raw`visit: GET /about/\{{unknownOne}}`] },
        ],
      },
    ]);
    expect(plan.tls.verify).toBe(false);
    expect(plan.timeoutSeconds).toBe(30);
    expect(plan.objectives).toMatchObject([
      { kind: 'responseTime', percentile: 95, limitMs: 500 },
      { kind: 'errors', maxShare: 0.01 },
    ]);
  });

  it('keeps requests with what they take from answers and expect', () => {
    expect(plan.journey[0]).toMatchObject({
      method: 'POST',
      path: '/login',
      json: { username: '{{payload.username}}', password: '{{payload.password}}' },
      captures: [
        { from: 'json', as: 'token', path: '$.token' },
        { from: 'json', as: 'items', path: '$.items', which: 'all' },
      ],
      thinkTime: { kind: 'fixed', seconds: 2 },
      redirects: { follow: true },
    });
    expect(plan.journey[1]).toMatchObject({
      expectStatus: [200],
      checks: [{ kind: 'json', path: '$.id' }],
      headers: { 'x-client': 'artillery', authorization: 'Bearer {{token}}' },
      thinkTime: { seconds: 1 },
    });
    expect(plan.journey[2]).toMatchObject({ path: '/search?q={{city}}&n={{randomNumber}}' });
    expect(plan.journey[2]?.redirects).toBeUndefined();
    expect(plan.variables).toMatchObject({
      city: { kind: 'item', of: ['Madrid', 'Paris'] },
      randomNumber: { kind: 'integer', from: 1, to: 9 },
    });
  });

  it('tells of the misplaced pool, of code and of what is not known', () => {
    const told = notes.map(({ place, what, instead }) => `${place}: ${what} ${instead}`).join('\n');
    for (const part of [
      'config.pool: pool stands directly under config',
      'config.processor',
      'metrics-by-endpoint',
      'before:',
      'beforeRequest',
      'ifTrue',
      'socketio',
      '{{ unknownOne }}',
      'contentType' /* expect */,
      'functions',
    ])
      expect(told, part).toContain(part === 'contentType' ? 'expect[2]' : part);
  });

  it('of version 1, in JSON, is read as well', () => {
    const old = importedOf(OLD_ARTILLERY);
    expect(old.plan.load).toMatchObject({ model: 'arrivals', spacing: 'poisson' });
    expect(old.plan.journey.map(({ name, path }) => [name, path])).toEqual([
      ['GET /a', '/a'],
      ['POST /b', '/b'],
      ['PUT /c/{{id}}', '/c/{{id}}'],
    ]);
    expect(old.plan.journey[2]).toMatchObject({ form: { a: '1' }, headers: { 'X-Key': { secret: 'env:HOLDFAST_X_KEY' } } });
  });
});

describe('a Postman collection', () => {
  const { plan, secrets, notes } = importedOf(JSON.stringify(POSTMAN));

  it('becomes a journey with its folders in the names', () => {
    expect(plan.targets[0]?.url).toBe('http://127.0.0.1:8080/');
    expect(plan.journey.map(({ name, method, path }) => [name, method, path])).toEqual([
      ['Account › Log in', 'POST', '/v1/login'],
      ['Items', 'GET', '/v1/items/7?size=20'],
      ['Upload', 'POST', '/v1/photos'],
      ['Form', 'PUT', '/v1/form'],
      ['Graph', 'POST', '/v1/graphql'],
    ]);
  });

  it('keeps bodies, logins, and what its scripts take and expect', () => {
    expect(plan.journey[0]).toMatchObject({
      body: '{"user": "ada", "password": "{{password}}"}',
      expectStatus: [200],
      captures: [{ from: 'json', as: 'token', path: '$.data.token' }],
    });
    expect(plan.journey[0]?.headers).toEqual({ 'Content-Type': 'application/json' });
    expect(plan.journey[1]?.headers).toEqual({ Authorization: 'Bearer {{token}}' });
    expect(plan.journey[2]).toMatchObject({
      headers: { 'X-Key': { secret: 'env:HOLDFAST_X_KEY' } },
      multipart: [
        { name: 'photo', file: '/home/me/photo.jpg' },
        { name: 'note', value: '{{uuid}}' },
      ],
    });
    expect(plan.journey[3]).toMatchObject({ form: { a: '{{fromEnvironment}}' } });
    expect(plan.journey[4]).toMatchObject({ json: { query: 'query { me { id } }', variables: { a: 1 } } });
    expect(secrets.get('HOLDFAST_PASSWORD')).toBe('hush-hush');
    expect(secrets.get('HOLDFAST_X_KEY')).toBe('k3y');
  });

  it('tells of scripts, of other servers and of values that an environment holds', () => {
    const told = notes.map(({ place, what }) => `${place}: ${what}`).join('\n');
    for (const part of ['One line of the test script', 'before the request', 'other.example', '{{fromEnvironment}}', 'switched off'])
      expect(told).toContain(part);
  });
});

describe('requests that a journey has no room for', () => {
  const secretOf = (index: number): string => (index < 50 ? 'k3y' : `k3y-${index}`);
  const sixty = Array.from({ length: 60 }, (_, index) => index);
  const collection = {
    info: {},
    item: sixty.map((index) => ({
      name: `R${index}`,
      request: { method: 'GET', url: `http://a.example/${index}`, header: [{ key: 'X-Api-Key', value: secretOf(index) }] },
    })),
  };
  const flow = sixty.map((index) => ({ get: { url: `/${index}`, headers: { 'X-Api-Key': secretOf(index) } } }));

  it.each([
    ['a Postman collection', JSON.stringify(collection)],
    ['an Artillery script', JSON.stringify({ config: { target: 'http://a.example' }, scenarios: [{ flow }] })],
  ])('leave no secret of theirs, in %s', (_name, text) => {
    const { plan, secrets, notes } = importedOf(text);
    expect(plan.journey).toHaveLength(50);
    expect([...secrets]).toEqual([['HOLDFAST_X_API_KEY', 'k3y']]);
    expect(notes.filter(({ kind }) => kind === 'secret').every(({ instead }) => instead.includes('HOLDFAST_X_API_KEY holds'))).toBe(true);
    expect(notes.filter(({ what }) => what.includes('more than 50 steps'))).toHaveLength(10);
  });
});

describe('an OpenAPI description', () => {
  it('becomes the operations that only read', () => {
    const { plan, choices, notes } = importedOf(OPENAPI);
    expect(plan.targets[0]?.url).toBe('https://api.example.org/');
    expect(plan.journey).toMatchObject([
      { name: 'listPets', path: '/v2/pets', query: { limit: '5' }, headers: { 'X-Key': '{{api_key}}' } },
      { name: 'getPet', path: '/v2/pets/12' },
    ]);
    expect(plan.journey[1]?.headers).toEqual({});
    expect(choices).toEqual([
      { id: 'listPets', label: 'GET /pets', isTaken: true },
      { id: 'addPet', label: 'POST /pets', isTaken: false },
      { id: 'getPet', label: 'GET /pets/{id}', isTaken: true },
      { id: 'removePet', label: 'DELETE /pets/{id}', isTaken: false },
    ]);
    expect(notes.some(({ what }) => what.includes('addPet, removePet'))).toBe(true);
  });

  it('becomes the operations that were chosen, with bodies after their schemas', () => {
    const { plan } = importedOf(OPENAPI, { operations: ['addPet'] });
    expect(plan.journey).toMatchObject([
      { name: 'addPet', method: 'POST', json: { name: 'Rex', born: '2026-01-31', friend: { name: 'Rex' } } },
    ]);
    expect(refusalOf(OPENAPI, { operations: ['nothing'] })).toEqual(['NO_SUCH_OPERATION']);
    expect(importedOf(OPENAPI, { operations: ['all'] }).plan.journey).toHaveLength(4);
  });

  it('of more operations than a journey has steps says which of them it took', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`/read/${index}`, { get: { operationId: `read${index}` } }]),
    );
    const { plan, choices, notes } = importedOf(JSON.stringify({ openapi: '3.0.0', paths }));
    expect(plan.journey).toHaveLength(50);
    expect(choices?.filter(({ isTaken }) => isTaken).map(({ id }) => id)).toEqual(plan.journey.map(({ name }) => name));
    expect(notes.filter(({ what }) => what.includes('more than 50 steps'))).toHaveLength(10);
  });

  it('makes of each choice among its operations what it would make of that choice alone', () => {
    const makePlan = readText(OPENAPI);
    for (const operations of [null, ['addPet'], ['nothing'], ['all']])
      expect(makePlan(operations)).toEqual(importText(OPENAPI, { operations }));
  });

  it('of Swagger 2 is refused with what to do', () => {
    expect(refusalOf('swagger: "2.0"\npaths: {}')).toEqual(['OLD_OPENAPI swagger']);
  });
});

describe('a test plan of JMeter', () => {
  const { plan, notes } = importedOf(JMX);

  it('becomes users with their pauses, cookies and files', () => {
    expect(plan.name).toBe('Shop of 2013');
    expect(plan.targets[0]?.url).toBe('http://127.0.0.1:8080/');
    expect(plan.load).toMatchObject({ model: 'users', stages: [{ users: 25, startUpSeconds: 10, seconds: 120 }] });
    expect(plan.cookies).toBe('user');
    expect(plan.timeoutSeconds).toBe(20);
    expect(plan.feeds).toMatchObject({ accounts: { file: 'accounts.csv', separator: ';' } });
    expect(plan.flow).toEqual(['Log in', { repeat: 3, flow: ['Task'] }, 'Search', 'Maybe']);
  });

  it('keeps samplers with extractors, assertions and timers', () => {
    expect(plan.journey).toMatchObject([
      {
        name: 'Log in',
        method: 'POST',
        once: true,
        form: { username: '{{accounts.username}}', password: '{{accounts.password}}' },
        captures: [{ from: 'body', as: 'task', pattern: String.raw`href="/tasks/(\w+)/`, which: 'random' }],
        checks: [{ kind: 'contains', text: 'Welcome {{accounts.username}}' }],
        headers: { 'Accept-Language': 'es' },
        thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 },
        redirects: { follow: true },
      },
      { name: 'Task', path: '/tasks/{{task}}/description', resources: {} },
      {
        name: 'Search',
        path: '/search',
        query: { q: 'a & b', r: '{{random}}' },
        expectStatus: [200],
        budgetMs: 900,
        captures: [{ from: 'json', path: '$.items[0].id' }],
      },
      { name: 'Maybe', path: '/maybe/{{first}}' },
    ]);
  });

  it('tells of what it leaves out', () => {
    const told = notesOf({ ...importedOf(JMX), notes });
    expect(told).toEqual(
      expect.arrayContaining([
        'leftOut Off',
        'changed If',
        'leftOut View Results Tree',
        'leftOut Code',
        'changed CSV Data Set “Accounts”',
        'changed Fast',
      ]),
    );
  });

  it('that is cut off, or no test plan, is refused', () => {
    expect(refusalOf(JMX.slice(0, JMX.length / 2))).toEqual(['NO_XML']);
    expect(refusalOf('<html><body></body></html>')).toEqual(['NOT_A_JMX html']);
  });

  it('fetches nothing that a document type names', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]>${JMX.slice(JMX.indexOf('<jmeterTestPlan')).replace('Shop of 2013', '&b;&e;')}`;
    const { plan: read } = importedOf(bomb);
    expect(read.name).toBe('&b;&e;');
  });
});

describe('a recording', () => {
  const html = '<html><form action="/login"><input type="hidden" name="_xsrf" value="2|ab12cd34|ef"></form></html>';
  const recording = harOf(
    {
      url: 'http://shop.example.org/',
      at: 0,
      text: html,
      resource: 'document',
      answer: { 'Set-Cookie': 'visitor=abcdef123; Path=/' },
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
      answer: { Location: '/home', 'Set-Cookie': 'sid=0123456789abcdef; HttpOnly' },
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
  const { plan, secrets, notes } = importedOf(recording);

  it('becomes a journey with the pauses of the person', () => {
    expect(plan.targets[0]?.url).toBe('http://shop.example.org/');
    expect(plan.journey.map(({ name, thinkTime }) => [name, thinkTime?.kind === 'fixed' ? thinkTime.seconds : 0])).toEqual([
      ['GET /', 5],
      ['POST /login', 0],
      ['GET /api/session', 0],
      ['GET /api/users/48151/orders', 1.5],
      ['POST /api/orders', 0],
    ]);
    expect(plan.journey[0]?.resources).toMatchObject({ kinds: ['css'], otherHosts: ['static.example.org'] });
    expect(plan.journey[1]?.redirects).toMatchObject({ follow: true });
    expect(plan.journey[4]?.expectStatus).toEqual([409]);
  });

  it('takes tokens and numbers from the answers that brought them', () => {
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

  it('keeps cookies that were there before, and leaves others to each user', () => {
    expect(plan.cookies).toBe('journey');
    expect(secrets.get('HOLDFAST_COOKIE')).toBe('theme=dark');
    expect(JSON.stringify(plan)).not.toContain('0123456789abcdef');
  });

  it('names third parties and leaves them out', () => {
    const told = notes.map(({ what, instead }) => `${what} ${instead}`).join('\n');
    expect(told).toContain('1 request goes to tracker.example.com, which is somebody else’s. It was left out');
    expect(told).toContain('static.example.org');
    expect(JSON.stringify(plan)).not.toContain('tracker');
  });

  it('that is longer than a journey may be is cut, which is told', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ url: `http://a.example/page/${index}`, at: index * 10, resource: 'fetch' }));
    const long = importedOf(harOf(...many));
    expect(long.plan.journey).toHaveLength(50);
    expect(long.notes.map(({ what }) => what)).toContain('10 requests come after the first 50.');
  });

  it('that is cut fetches with its last page what belonged to that one, and not to those after it', () => {
    const page = (index: number) => ({ url: `http://a.example/${index}`, at: index * 10, resource: 'document' });
    const pages = Array.from({ length: 60 }, (_, index) => page(index));
    const style = { url: 'http://a.example/a.css', at: 495, type: 'text/css', resource: 'stylesheet' };
    const picture = { url: 'http://a.example/b.png', at: 505, type: 'image/png', resource: 'image' };
    const long = importedOf(harOf(...pages, style, picture));
    expect(long.plan.journey.at(-1)).toMatchObject({ path: '/49', resources: { kinds: ['css'] } });
    expect(long.notes.map(({ what }) => what)).toContain('Pages loaded 1 files (css: 1).');
  });

  it('without any request of http is refused', () => {
    expect(refusalOf(harOf({ url: 'data:text/plain,x' }))).toEqual(['NO_REQUESTS log.entries']);
  });
});
