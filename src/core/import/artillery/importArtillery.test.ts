import { describe, expect, it } from 'vitest';
import { ARTILLERY, OLD_ARTILLERY } from '../testing/documents.ts';
import { readImported, findRefusal } from '../testing/imported.ts';

describe('importArtillery', () => {
  const shop = () => readImported(ARTILLERY);

  it('adds consecutive pauses, and notes where the sum is not exact', () => {
    const imported = readImported(`
config: { target: "http://one.example", phases: [{ duration: 5, arrivalRate: 1 }] }
scenarios:
  - flow:
      - get: { url: /a }
      - think: "{{ $randomNumber(1, 3) }}s"
      - think: 2
      - get: { url: /b }
      - think: 1
      - think: 1.5
      - get: { url: /c }
      - think: "{{ $randomNumber(1, 3) }}s"
      - think: "{{ $randomNumber(2, 4) }}s"
`);
    expect(imported.plan.journey.map(({ thinkTime }) => thinkTime)).toEqual([
      { kind: 'uniform', fromSeconds: 3, toSeconds: 5 },
      { kind: 'fixed', seconds: 2.5 },
      { kind: 'uniform', fromSeconds: 3, toSeconds: 7 },
    ]);
    expect(imported.notes.filter(({ kind }) => kind === 'changed').map(({ what }) => what)).toEqual([
      'Two pauses of random length follow each other.',
    ]);
  });

  it('makes arrivals, feeds and a choice among the scenarios', () => {
    const { plan, kind } = shop();
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
    expect(plan.criteria).toMatchObject([
      { kind: 'responseTime', percentile: 95, maxMs: 500 },
      { kind: 'errors', maxShare: 0.01 },
    ]);
  });

  it('keeps captures and expectations of requests', () => {
    const { plan } = shop();
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

  it('notes a misplaced pool, code and unknown settings', () => {
    const { notes } = shop();
    const reported = notes.map(({ location, what, instead }) => `${location}: ${what} ${instead}`).join('\n');
    for (const part of [
      'config.pool: pool is set under config',
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
      expect(reported, part).toContain(part === 'contentType' ? 'expect[2]' : part);
  });

  it('names the values that a flow before the test sets', () => {
    const { notes } = readImported(`
config: { target: "http://127.0.0.1:8080", phases: [{ duration: 1, arrivalRate: 1 }] }
before:
  flow:
    - post: { url: /login, json: { user: a }, capture: [{ json: $.token, as: token }, { json: $.id, as: userId }] }
scenarios: [{ flow: [{ get: { url: "/orders?of={{ userId }}" } }] }]
`);
    expect(notes.find(({ location }) => location === 'before')).toMatchObject({
      what: 'It runs a flow once before the test. It sets token, userId for all users.',
      instead: 'Add its request as a step with once: true: each user then sends it once. Or enter the value when the plan runs.',
    });
  });

  it('interprets ranges, lists, groups and pauses like Artillery', () => {
    const imported = readImported(`
config: { target: "http://127.0.0.1:8080", phases: [{ duration: 1500ms, arrivalRate: 4 }, { pause: 500ms }] }
scenarios:
  - flow:
      - get:
          url: /list
          capture:
            - { json: "$.items[*]", as: one }
            - { json: "$.items[*]", multiple: false, as: every }
            - { json: "$.all", as: all }
            - { regexp: 'id=([0-9]+)', as: whole }
            - { regexp: 'id=([0-9]+)', group: 1, as: id }
          expect: [{ matchesRegexp: "ok" }]
      - think: "{{ $randomNumber(500, 1500) }}ms"
      - loop: [{ get: { url: "/a/{{ $loopElement }}" } }]
        over: all
      - loop: [{ get: { url: /b } }]
        count: "3-7"
      - loop: [{ get: { url: /c } }]
        count: "{{ $randomNumber(2, 5) }}"
      - loop: [{ get: { url: /d } }]
        count: 0
`);
    expect(imported.plan.load.stages).toMatchObject([{ seconds: 1.5 }, { kind: 'pause', seconds: 0.5 }]);
    expect(imported.plan.journey[0]).toMatchObject({
      captures: [
        { as: 'one', which: 'random' },
        { as: 'every', which: 'all' },
        { as: 'all', path: '$.all', which: 'all' },
        { as: 'whole', group: 0 },
        { as: 'id' },
      ],
      checks: [{ kind: 'matches', pattern: 'ok' }],
      thinkTime: { kind: 'uniform', fromSeconds: 0.5, toSeconds: 1.5 },
    });
    expect(imported.plan.flow).toMatchObject([
      'GET /list',
      { forEach: 'all' },
      { repeat: 4, flow: ['GET /b'] },
      { repeat: { from: 2, to: 5 }, flow: ['GET /c'] },
      'GET /d',
    ]);
    expect(imported.notes.map(({ what }) => what)).toContain('The loop has no valid count.');
  });

  it('notes a loop over a value that is not a list', () => {
    const { plan: made, notes: reported } = readImported(`
config: { target: "http://127.0.0.1:8080", phases: [{ duration: 1, arrivalRate: 4 }] }
scenarios:
  - flow:
      - get: { url: /list, capture: { json: "$.items[*]", as: items } }
      - loop: [{ get: { url: "/a/{{ $loopElement }}" } }]
        over: items
`);
    expect(made.flow).toMatchObject(['GET /list', { forEach: 'items' }]);
    expect(reported.map(({ what }) => what).join()).toContain('Artillery never runs this loop');
  });

  it('reads version 1 in JSON', () => {
    const old = readImported(OLD_ARTILLERY);
    expect(old.plan.load).toMatchObject({ model: 'arrivals', spacing: 'poisson' });
    expect(old.plan.journey.map(({ name, path }) => [name, path])).toEqual([
      ['GET /api/a', '/api/a'],
      ['POST /api/b', '/api/b'],
      ['PUT /api/c/{{id}}', '/api/c/{{id}}'],
    ]);
    expect(old.plan.journey[2]).toMatchObject({ form: { a: '1' }, headers: { 'X-Key': { secret: 'env:HOLDFAST_X_KEY' } } });
  });

  const scriptDocument = (config: unknown, ...flow: unknown[]): string => JSON.stringify({ config, scenarios: [{ flow }] });

  it('joins the target’s path with the path of each request, like Artillery', () => {
    const { plan: joined, notes: stated } = readImported(
      scriptDocument(
        { target: 'http://one.example/api/v1' },
        { get: { url: '/users' } },
        { get: { url: 'http://one.example/plain' } },
        { get: { url: '{{ path }}' } },
      ),
    );
    expect(joined.journey.map(({ path }) => path)).toEqual(['/api/v1/users', '/plain', String.raw`/api/v1\{{path}}`]);
    expect(stated.filter(({ location }) => location.startsWith('config.target'))).toEqual([]);
    const ended = readImported(scriptDocument({ target: 'http://one.example/' }, { get: { url: '/a' } }, { get: { url: 'b' } }));
    expect(ended.plan.journey.map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(ended.notes.filter(({ what }) => what.includes('does not begin with a slash'))).toHaveLength(1);
  });

  it('reads triple braces like double braces', () => {
    const { plan: three } = readImported(
      scriptDocument({ target: 'http://one.example', variables: { id: [7] } }, { get: { url: '/users/{{{ id }}}' } }),
    );
    expect(three.journey[0]?.path).toBe('/users/{{id}}');
    const everywhere = readImported(
      scriptDocument(
        { target: 'http://one.example' },
        { get: { url: '/', capture: { json: '$.id', as: 'id' } } },
        { post: { url: '/', headers: { 'x-id': '{{{ id }}}' }, qs: { q: '{{{id}}}' }, json: { id: '{{{ id }}}' } } },
        { post: { url: '/', body: '{{{ id }}} {{{ $randomNumber(1, 3) }}}' } },
      ),
    ).plan;
    expect(everywhere.journey.slice(1)).toMatchObject([
      { headers: { 'x-id': '{{id}}' }, query: { q: '{{id}}' }, json: { id: '{{id_json|raw}}' } },
      { body: '{{id}} {{randomNumber}}' },
    ]);
  });

  it('offers the environments and applies the chosen one, like artillery run -e', () => {
    const config = {
      phases: [{ duration: 10, arrivalRate: 1 }],
      environments: {
        local: { target: 'http://127.0.0.1:3000' },
        staging: { target: 'https://staging.example', phases: [{ arrivalRate: 20 }] },
      },
    };
    const script = scriptDocument(config, { get: { url: '/' } });
    const first = readImported(script);
    expect(first.plan.targets[0]?.url).toBe('http://127.0.0.1:3000/');
    expect(first.chooses).toBe('environment');
    expect(first.choices?.map(({ id, isTaken }) => [id, isTaken])).toEqual([
      ['local', true],
      ['staging', false],
    ]);
    const staging = readImported(script, { chosen: { kind: 'environment', ids: ['staging'] } });
    expect(staging.plan.targets[0]?.url).toBe('https://staging.example/');
    expect(staging.plan.load).toMatchObject({ stages: [{ kind: 'constant', perSecond: 20, seconds: 10 }] });
    const { choices } = readImported(scriptDocument({ ...config, target: 'http://own.example' }, { get: { url: '/' } }));
    expect(choices?.find(({ isTaken }) => isTaken)?.id).toBe('none');
    expect(findRefusal(script, { chosen: { kind: 'environment', ids: ['production'] } })).toEqual([
      'NO_SUCH_ENVIRONMENT config.environments',
    ]);
  });

  it.each([
    ['{{ $processEnvironment.TARGET_URL }}', 'http://localhost/', '/a'],
    ['{{ $env.BASE }}/api', 'http://localhost/', '/api/a'],
    ['https://{{ $processEnvironment.HOST }}:8443', 'https://localhost:8443/', '/a'],
    ['{{ base }}', 'http://given.example/', '/a'],
  ])('uses %s as a placeholder for a server that only an environment variable defines', (target, url, path) => {
    const variables = { base: 'http://given.example' };
    const { plan: given, notes: reported } = readImported(scriptDocument({ target, variables }, { get: { url: '/a' } }));
    expect([given.targets[0]?.url, given.journey[0]?.path]).toEqual([url, path]);
    expect(reported.some(({ kind: stated, location }) => stated === 'assumed' && location === 'config.target')).toBe(
      url.includes('localhost'),
    );
  });
});
