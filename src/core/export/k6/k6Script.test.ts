import { describe, expect, it } from 'vitest';
import { plannedJourneysOf } from '#core/load/planned.ts';
import { planOf } from '#core/plan/parse.ts';
import type { Plan, PlanInput } from '#core/plan/schema.ts';
import { playK6, type AskedRequest } from '../testing/k6StandIn.ts';
import { k6Script, type K6ScriptOptions } from './k6Script.ts';

/*
 * k6 itself is no part of what tests may take for granted: a stand-in for its modules runs the scripts here, on a clock of its own. bench/exports runs them
 * with an installed k6 and compares with the logs of servers.
 */

const target = { url: 'http://127.0.0.1:8080/shop/' };

function made(input: Omit<PlanInput, 'holdfast' | 'name' | 'targets'> & Partial<PlanInput>, options: K6ScriptOptions = {}) {
  const { plan, issues } = planOf({ holdfast: 1, name: 'A plan', targets: [target], ...input });
  if (plan === null) throw new Error(JSON.stringify(issues, null, 1));
  return { plan, ...k6Script(plan, options) };
}

const page = [{ name: 'page', path: 'page' }];
/** One journey. */
const brief: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 1, seconds: 1 }] };

function countBy(requests: readonly AskedRequest[], tag: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tags } of requests) counts[tags[tag] ?? ''] = (counts[tags[tag] ?? ''] ?? 0) + 1;
  return counts;
}

describe('arrivals as a script of k6', () => {
  it('come as often and when they come in Holdfast', () => {
    const { plan, script } = made({
      journey: page,
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'constant', perSecond: 2.5, seconds: 10 },
          { kind: 'pause', seconds: 3 },
          { kind: 'count', arrivals: 7, seconds: 3 },
          { kind: 'count', arrivals: 8, seconds: 1 },
          { kind: 'constant', perSecond: 5, seconds: 0.6 },
          { kind: 'ramp', fromPerSecond: 0, toPerSecond: 20, seconds: 10 },
          { kind: 'steps', fromPerSecond: 1, toPerSecond: 9, steps: 3, secondsEach: 4 },
          { kind: 'spike', basePerSecond: 0.5, peakPerSecond: 30, secondsBefore: 4, rampSeconds: 1, peakSeconds: 2, secondsAfter: 4 },
          { kind: 'constant', perSecond: 0.3, seconds: 10 },
        ],
      },
    });
    const { requests } = playK6(script);
    const counts = countBy(requests, 'holdfast_stage');
    for (const [index, stage] of plan.load.stages.entries()) {
      const planned = plannedJourneysOf(plan, index) ?? 0;
      // k6 begins where the area below a ramp is 1, Holdfast where it is a half.
      const tolerance = 'kind' in stage && /constant|count|pause/.test(stage.kind) ? 0 : 1;
      expect(Math.abs((counts[index] ?? 0) - planned), `stage ${index}`).toBeLessThanOrEqual(tolerance);
    }
    expect(requests.slice(0, 3).map(({ atSecond }) => atSecond)).toEqual(
      [0.2, 0.6, 1].map((second) => expect.closeTo(second, 3) as unknown),
    );
    expect(requests.every(({ tags }) => tags['holdfast_step'] === '0' && tags['name'] === 'page')).toBe(true);
  });

  it.each([0.1, 0.25, 1 / 3, 3, 17.5, 12_345.678])('at %s a second are as many as planned', (perSecond) => {
    const seconds = Math.max(1, Math.round(300 / perSecond));
    const { plan, script } = made({ journey: page, load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds }] } });
    const { requests } = playK6(script, { latencySeconds: 0 });
    expect(Math.abs(requests.length - (plannedJourneysOf(plan, 0) ?? 0))).toBeLessThanOrEqual(1);
  });

  it('do not begin beyond what may be on its way, and pause between steps only', () => {
    const steps = [{ name: 'one' }, { name: 'two', path: '2' }];
    const load: PlanInput['load'] = {
      model: 'arrivals',
      maxInFlight: 2,
      thinkTime: { kind: 'fixed', seconds: 5 },
      stages: [{ kind: 'constant', perSecond: 1, seconds: 10 }],
    };
    const { requests, iterations } = playK6(made({ journey: steps, load }).script, { latencySeconds: 1 });
    // Each of two takes 1 + 5 + 1 seconds.
    expect(iterations).toBe(4);
    const [first, second] = [requests.find(({ tags }) => tags['name'] === 'one'), requests.find(({ tags }) => tags['name'] === 'two')];
    expect((second?.atSecond ?? 0) - (first?.atSecond ?? 0)).toBeCloseTo(6, 6);
  });

  it('tell each request by the stage in which it is sent', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      thinkTime: { kind: 'fixed', seconds: 4 },
      stages: [
        { kind: 'count', arrivals: 2, seconds: 2 },
        { kind: 'count', arrivals: 2, seconds: 2 },
        { kind: 'pause', seconds: 2 },
      ],
    };
    const { requests } = playK6(made({ journey: [{ name: 'a' }, { name: 'b' }], load }).script, { latencySeconds: 0.1 });
    expect(requests.map(({ tags }) => `${tags['name']}${tags['holdfast_stage']}`)).toEqual([
      'a0',
      'a0',
      'a1',
      'a1',
      'b2',
      'b2',
      'b2',
      'b2',
    ]);
  });
});

describe('users as a script of k6', () => {
  const load: PlanInput['load'] = {
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 1 },
    stages: [
      { users: 4, startUpSeconds: 4, seconds: 10 },
      { users: 2, restSeconds: 3, seconds: 5 },
    ],
  };

  it('start one after the other, pause, and stop in time', () => {
    const { script } = made({ journey: page, load });
    const { requests } = playK6(script, { latencySeconds: 0.25 });
    // Start-ups are told apart by numbers of their own: as many stages later.
    expect(Object.keys(countBy(requests, 'holdfast_stage'))).toEqual(['0', '1', '2']);
    const [firstStage, secondStage] = ['0', '1'].map((stage) => requests.filter(({ tags }) => tags['holdfast_stage'] === stage));
    expect(firstStage?.length).toBe(4 * (10 / 1.25));
    expect(secondStage?.length).toBe(2 * (5 / 1.25));
    expect(firstStage?.at(-1)?.atSecond).toBeLessThan(14);
    expect(secondStage?.[0]?.atSecond).toBe(17);
    expect(new Set(requests.map(({ vu }) => vu)).size).toBe(6);
  });

  it('go on into the next stage with what they know', () => {
    const { script } = made({
      cookies: 'user',
      journey: [
        { name: 'login', once: true },
        { name: 'read', path: 'read' },
      ],
      load: {
        model: 'users',
        stages: [
          { users: 2, startUpSeconds: 2, startUpCounts: true, seconds: 2 },
          { users: 2, seconds: 3, continues: true },
        ],
      },
    });
    const { requests, options } = playK6(script, {
      latencySeconds: 0.5,
      server: ({ tags }) => (tags['name'] === 'login' ? { cookies: ['sid=1'] } : {}),
    });
    expect(options).toMatchObject({ noCookiesReset: true });
    expect(countBy(requests, 'name')['login']).toBe(2);
    expect(requests.filter(({ tags }) => tags['name'] === 'read').every(({ cookies }) => cookies['sid'] === '1')).toBe(true);
    expect(Object.keys(countBy(requests, 'holdfast_stage'))).toEqual(['0', '1']);
  });

  it('send what is due beside the journey in their pauses', () => {
    const { script, notes } = made({
      cookies: 'user',
      journey: [
        { name: 'login', once: true },
        { name: 'read', thinkTime: { kind: 'fixed', seconds: 4 } },
        { name: 'news', path: 'news', background: { everySeconds: 2, after: 'login' } },
      ],
      load: { model: 'users', stages: [{ users: 3, seconds: 60 }] },
    });
    const { requests } = playK6(script);
    const news = requests.filter(({ tags }) => tags['name'] === 'news');
    expect(news.length).toBeGreaterThanOrEqual(3 * 28);
    expect(news.length).toBeLessThanOrEqual(3 * 30);
    expect(notes.join(' ')).toContain('beside a journey');
  });
});

describe('connections as a script of k6', () => {
  it('ask again until their requests are sent, stage after stage', () => {
    const { script, notes } = made({
      journey: [{ name: 'a' }, { name: 'b' }],
      load: {
        model: 'connections',
        stages: [
          { connections: 2, requests: 4 },
          { connections: 2, requests: 10 },
        ],
      },
    });
    const { requests } = playK6(script);
    expect(countBy(requests, 'holdfast_stage')).toEqual({ '0': 4, '1': 10 });
    expect(notes.join(' ')).toContain('told apart by the number of the journey');
  });

  it('ask for as long as their time goes on', () => {
    const { script } = made({
      journey: page,
      load: {
        model: 'connections',
        stages: [
          { connections: 3, seconds: 2, counted: false },
          { connections: 5, seconds: 4 },
        ],
      },
    });
    expect(countBy(playK6(script, { latencySeconds: 0.125 }).requests, 'holdfast_stage')).toEqual({ '0': 3 * 16, '1': 5 * 32 });
  });

  it('are refused where nobody knows when a stage begins', () => {
    const stages = [
      { connections: 1, requests: 4 },
      { connections: 2, seconds: 4 },
    ];
    expect(() => made({ journey: page, load: { model: 'connections', stages } })).toThrow('k6 knows only times');
    expect(() => made({ journey: page, load: brief, connections: { socketPath: '/run/x.sock' } })).toThrow('Unix socket');
  });
});

describe('what a step says', () => {
  const login: PlanInput['journey'] = [
    { name: 'form', path: '/login' },
    {
      name: 'log in',
      method: 'POST',
      path: '/login',
      form: { user: 'u{{number}}', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' },
      redirects: { follow: true },
      checks: [{ kind: 'contains', text: 'Hello u{{number}}' }],
      captures: [{ from: 'body', as: 'task', pattern: 'href="/tasks/([^"]+)"' }],
    },
    { name: 'task', path: '/tasks/{{task}}/text', query: { of: '{{task}} & more' }, headers: { 'X-Task': '{{task}}' } },
  ];
  const variables: PlanInput['variables'] = {
    number: { kind: 'number', from: 5 },
    password: { kind: 'secret', secret: 'ask:Password' },
  };

  it('is sent with cookies, values out of answers and redirects, and its secrets come from outside', () => {
    const { script, environment, secrets } = made({ journey: login, variables, load: brief });
    const { requests, errors, failedChecks, added } = playK6(script, {
      environment: { HOLDFAST_PASSWORD: 'hush' },
      server: ({ method, url, tags }) => {
        if (tags['name'] === 'form') return { cookies: ['_xsrf=x1'] };
        if (method === 'POST') return { status: 302, headers: { Location: 'home?a=1' }, cookies: ['sid=7'] };
        return url.includes('home') ? { body: 'Hello u5 <a href="/tasks/a b">' } : {};
      },
    });
    expect({ errors, failedChecks }).toEqual({ errors: [], failedChecks: [] });
    expect(requests.map(({ method, url, tags }) => [method, url, tags['holdfast_step']])).toEqual([
      ['GET', 'http://127.0.0.1:8080/login', '0'],
      ['POST', 'http://127.0.0.1:8080/login', '1'],
      ['GET', 'http://127.0.0.1:8080/home?a=1', '3'],
      ['GET', 'http://127.0.0.1:8080/tasks/a%20b/text?of=a%20b%20%26%20more', '2'],
    ]);
    expect(requests[1]?.body).toEqual({ user: 'u5', password: 'hush', _xsrf: 'x1' });
    expect(requests[3]).toMatchObject({ headers: { 'X-Task': 'a b' }, cookies: { sid: '7', _xsrf: 'x1' } });
    expect(added.get('failed_requests')?.map(({ value }) => value)).toEqual([0, 0, 0, 0]);
    expect(environment).toEqual(['HOLDFAST_PASSWORD']);
    expect(secrets).toEqual([{ name: 'HOLDFAST_PASSWORD', reference: 'ask:Password' }]);
    expect(script).not.toContain('hush');
    expect(() => playK6(script)).toThrow('Set these environment variables: HOLDFAST_PASSWORD');
  });

  it.each([
    ['nothing to capture', { body: 'Hello u5' }, 'log in: finds “task”'],
    ['the wrong words', { body: 'href="/tasks/a"' }, 'log in: contains “Hello u{{number}}”'],
    ['another server', { status: 302, headers: { Location: 'http://evil.example/' } }, 'log in: is not sent astray'],
    ['a login page', { status: 302, headers: { Location: '/?next=%2F' } }, null],
    ['a circle', { status: 307, headers: { Location: '/login' } }, 'log in: is not sent astray'],
  ])('ends the journey where an answer has %s', (_what, answer, failing) => {
    const { script } = made({ journey: login, variables, load: brief });
    const { requests, failedChecks, added } = playK6(script, {
      environment: { HOLDFAST_PASSWORD: 'x' },
      server: ({ method }) => (method === 'POST' ? answer : { cookies: ['_xsrf=1'], body: '' }),
    });
    expect(requests.some(({ tags }) => tags['name'] === 'task')).toBe(false);
    if (failing !== null) expect(failedChecks).toContain(failing);
    expect(added.get('failed_requests')?.at(-1)?.value).toBe(1);
  });

  it('holds its checks against the body', () => {
    const checks = [
      { kind: 'contains', text: 'good' },
      { kind: 'contains', text: 'bad', not: true },
      { kind: 'matches', pattern: '^\\{/?', flags: 'i' },
      { kind: 'json', path: '$.list[1]["a b"]', equals: 2 },
      { kind: 'json', path: '$.missing', not: true },
      { kind: 'json', path: '$.list' },
      { kind: 'size', minBytes: 5, maxBytes: 60 },
    ] as const;
    const { script } = made({ journey: [{ name: 'p', checks: [...checks], expectStatus: [200, 203] }], load: brief });
    const failedOf = (body: string, status = 203): readonly string[] => playK6(script, { server: () => ({ body, status }) }).failedChecks;
    expect(failedOf('{"good":1,"list":[0,{"a b":2}]}')).toEqual([]);
    expect(failedOf('{"good":"bad","missing":1,"list":[]}').length).toBe(3);
    expect(failedOf('good')).toHaveLength(5);
    expect(failedOf('{"good":1,"list":[0,{"a b":2}]}', 204)).toEqual(['p: status 200 or 203']);
  });

  it('is asked again until what it waits for is there, or in vain', () => {
    const journey: PlanInput['journey'] = [
      { name: 'wait', poll: { until: [{ kind: 'contains', text: 'done' }], firstSeconds: 1, factor: 2, mostSeconds: 10 } },
      { name: 'after', path: 'after' },
    ];
    const { script } = made({ journey, load: brief });
    const answered = playK6(script, { latencySeconds: 0, server: ({ atSecond }) => ({ body: atSecond >= 3 ? 'done' : '' }) });
    expect(answered.requests.map(({ atSecond }) => atSecond)).toEqual([0.5, 1.5, 3.5, 3.5]);
    const inVain = playK6(script, { latencySeconds: 0 });
    expect(inVain.requests.map(({ atSecond }) => atSecond)).toEqual([0.5, 1.5, 3.5, 7.5]);
    expect(inVain.failedChecks).toEqual(['wait: comes within 10 s']);
  });

  it('fetches what a page links to, once for each visitor', () => {
    const html =
      '<link rel="stylesheet" href="a.css"><script src="/b.js"><img src="http://cdn.example/c.png"><img src="d.png"><img src="data:x">';
    const journey: PlanInput['journey'] = [
      { name: 'one', path: 'x/one', resources: { kinds: ['css', 'script', 'image'] } },
      { name: 'two', path: 'x/two', resources: { kinds: ['css', 'script', 'image'] } },
    ];
    const objectives: PlanInput['objectives'] = [{ kind: 'apdex', of: 'pages', thresholdMs: 500, min: 0.85 }];
    const { script } = made({ journey, load: brief, objectives });
    const { requests, added } = playK6(script, { server: ({ url }) => (url.endsWith('.js') ? { status: 404 } : { body: html }) });
    expect(requests.map(({ url, tags }) => [url.replace('http://127.0.0.1:8080/', ''), tags['holdfast_step']])).toEqual([
      ['shop/x/one', '0'],
      ['shop/x/a.css', '2'],
      ['b.js', '3'],
      ['shop/x/d.png', '4'],
      ['shop/x/two', '1'],
      // What failed is asked for again.
      ['b.js', '6'],
    ]);
    expect(added.get('incomplete_pages')?.map(({ value }) => value)).toEqual([1, 1]);
    expect(added.get('page_apdex_500')?.map(({ value }) => value)).toEqual([0, 0]);
  });

  it('sends files, made-up ones and those of a folder', () => {
    const journey: PlanInput['journey'] = [
      {
        name: 'up',
        method: 'POST',
        multipart: [
          { name: 'note', value: 'n' },
          { name: 'a', file: '/tmp/right.cpp', type: 'text/plain' },
          { name: 'b', folder: '/tmp/many' },
          { name: 'c', bytes: 10, type: 'image/jpeg', fileName: 'c.jpg' },
        ],
      },
      { name: 'fields', method: 'POST', multipart: [{ name: 'x', value: '1' }] },
    ];
    const uploads = { '/tmp/right.cpp': 'YQ==', '/tmp/many/1.txt': 'Yg==', '/tmp/many/2.txt': 'Yw==' };
    const { script, files } = made({ journey, load: brief }, { uploads });
    expect(files.map(({ path, content, encoding }) => `${path} ${content} ${encoding}`)).toEqual([
      'uploads/1-right.cpp YQ== base64',
      'uploads/2-1.txt Yg== base64',
      'uploads/3-2.txt Yw== base64',
    ]);
    const { requests, errors } = playK6(script, { files: Object.fromEntries(files.map(({ path, content }) => [path, content])) });
    expect(errors).toEqual([]);
    expect(requests[0]?.body).toMatchObject({
      note: 'n',
      a: { data: 'YQ==', fileName: 'right.cpp', type: 'text/plain' },
      b: { fileName: expect.stringMatching(/^[12]\.txt$/) as unknown },
      c: { fileName: 'c.jpg', type: 'image/jpeg' },
    });
    expect(requests[1]?.headers['Content-Type']).toBe('multipart/form-data; boundary=holdfast-boundary-7d91c05e420');
    expect(requests[1]?.body).toContain('name="x"\r\n\r\n1\r\n');
    expect(() => made({ journey, load: brief })).toThrow('The files of the folder /tmp/many are not known');
  });
});

describe('values of a script', () => {
  const feeds: NonNullable<Plan['feeds']> = { accounts: { file: 'a.csv', separator: ',', order: 'unique', secret: [] } };
  const rows = {
    accounts: {
      columns: ['name', 'pass word'],
      rows: [
        ['ada', '1'],
        ['bob', '2'],
        ['eve', '3'],
      ],
      order: 'unique' as const,
    },
  };
  const journey = [
    { name: 'p', method: 'POST' as const, json: { n: '{{accounts.name}}', id: '{{id}}', again: '{{id}}', fix: [1, null, 'x`${y}\\'] } },
  ];
  const variables: PlanInput['variables'] = { id: { kind: 'uuid' } };

  it('are rows of feeds, each user’s own', () => {
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 3, seconds: 1 }] };
    const { script, files } = made({ journey, variables, feeds, load }, { feeds: rows });
    expect(files.map(({ path }) => path)).toEqual(['accounts.json']);
    const { requests } = playK6(script, { files: { 'accounts.json': files[0]?.content ?? '' }, latencySeconds: 0.6 });
    const bodies = requests.map(({ body }) => JSON.parse(String(body)) as { n: string; id: string; again: string; fix: unknown });
    expect(new Set(bodies.map(({ n }) => n))).toEqual(new Set(['ada', 'bob', 'eve']));
    expect(bodies.every(({ id, again }) => id === again)).toBe(true);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(6);
    expect(bodies[0]?.fix).toEqual([1, null, 'x`${y}\\']);
  });

  it('come to an end with the rows of arrivals', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      stages: [
        { kind: 'count', arrivals: 2, seconds: 1 },
        { kind: 'count', arrivals: 2, seconds: 1 },
      ],
    };
    const { script, files } = made({ journey, variables, feeds, load }, { feeds: rows });
    const { requests } = playK6(script, { files: { 'accounts.json': files[0]?.content ?? '' } });
    expect(requests.map(({ body }) => (JSON.parse(String(body)) as { n: string }).n)).toEqual(['ada', 'bob', 'eve']);
  });

  it('are drawn by the weights of a flow', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      stages: [
        { name: 'early', kind: 'count', arrivals: 400, seconds: 400 },
        { name: 'late', kind: 'count', arrivals: 400, seconds: 400 },
      ],
    };
    const { script } = made({
      journey: [
        { name: 'list', captures: [{ from: 'json', as: 'items', path: '$', which: 'all' }] },
        { name: 'item', path: 'item/{{item}}' },
        { name: 'rare', path: 'rare' },
      ],
      flow: [
        'list',
        {
          choose: [
            { weight: 3, flow: [{ forEach: 'items', as: 'item', atMost: 2, flow: ['item'] }] },
            { weight: 1, flow: ['rare'], weightIn: { late: 0 } },
          ],
        },
      ],
      load,
    });
    const { requests } = playK6(script, { server: ({ tags }) => (tags['name'] === 'list' ? { body: '["a","b/c",3]' } : {}) });
    const early = requests.filter(({ tags, atSecond }) => tags['name'] === 'rare' && atSecond < 400).length;
    expect(early).toBeGreaterThan(60);
    expect(early).toBeLessThan(140);
    expect(requests.filter(({ tags, atSecond }) => tags['name'] === 'rare' && atSecond > 401)).toEqual([]);
    expect(new Set(requests.filter(({ tags }) => tags['name'] === 'item').map(({ url }) => url.split('item/')[1]))).toEqual(
      new Set(['a', 'b%2Fc']),
    );
  });
});

describe('the limits of a plan', () => {
  it('are thresholds, each where it is judged', () => {
    const { script } = made({
      journey: [{ name: 'a', budgetMs: 300 }, { name: 'b' }],
      load: {
        model: 'arrivals',
        stages: [
          { name: 'warm', kind: 'constant', perSecond: 1, seconds: 5, counted: false },
          { name: 'main', kind: 'constant', perSecond: 10, seconds: 60 },
        ],
      },
      objectives: [
        { kind: 'responseTime', step: 'b', percentile: 99, limitMs: 800 },
        { kind: 'errors', maxShare: 0.01 },
        { kind: 'throughput', stage: 'main', minPerSecond: 9 },
        { kind: 'apdex', thresholdMs: 250, min: 0.9 },
      ],
      safety: { stopAtErrorShare: 0.5, maxRequests: 5_000 },
    });
    const { options } = playK6(script, { latencySeconds: 0.3 });
    expect(options['thresholds']).toEqual({
      'http_req_duration{holdfast_step:0,holdfast_stage:1}': ['p(95)<=300'],
      'http_req_duration{holdfast_step:1,holdfast_stage:1}': ['p(99)<=800'],
      'failed_requests{holdfast_step:0,holdfast_stage:1}': ['rate<=0.01'],
      'failed_requests{holdfast_step:1,holdfast_stage:1}': ['rate<=0.01'],
      'good_answers{holdfast_stage:1}': ['count>=540'],
      'apdex_250{holdfast_step:0,holdfast_stage:1}': ['avg>=0.9'],
      'apdex_250{holdfast_step:1,holdfast_stage:1}': ['avg>=0.9'],
      failed_requests: [{ threshold: 'rate<=0.5', abortOnFail: true, delayAbortEval: '10s' }],
      http_reqs: [{ threshold: 'count<5000', abortOnFail: true }],
    });
  });
});
