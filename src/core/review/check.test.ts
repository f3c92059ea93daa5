import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { checkPlan } from './check.ts';
import { hostReach } from '../plan/hosts/generatorNames.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';

const found = (changes: Partial<PlanInput>): string[] =>
  checkPlan(planWith(changes)).map(({ level, code, path }) => `${level} ${code} ${path}`);
const page = { name: 'page' };
const p95 = { kind: 'responseTime', percentile: 95, maxMs: 800 } as const;

describe('checkPlan', () => {
  it('returns no issue for a valid plan', () => {
    expect(found({})).toEqual([]);
    expect(found({ criteria: [p95, { kind: 'throughput', minPerSecond: 5 }], load: stages({ connections: 10, requests: 590 }) })).toEqual(
      [],
    );
  });

  it('requires results of the demand to belong to a step that polls', () => {
    const poll = { until: [{ kind: 'contains' as const, text: 'done' }] };
    const demanding = (step: string): string[] =>
      found({ journey: [page, { name: 'result', poll }], demand: { results: { step, count: 5, overSeconds: 10 } } });
    expect(demanding('result')).not.toContain('error UNKNOWN_STEP demand.results.step');
    expect(demanding('reslt')).toContain('error UNKNOWN_STEP demand.results.step');
    expect(demanding('page')).toContain('error STEP_NOT_POLLED demand.results.step');
  });

  it.each<[string, Partial<PlanInput>, string]>([
    ['a stage without an end', { load: stages({ connections: 1 }) }, 'error STAGE_NEEDS_ONE_END load.stages[0]'],
    ['streams of HTTP/1.1', { connections: { streams: 10 } }, 'error STREAMS_UNUSED connections.streams'],
    [
      'streams that users would share',
      { connections: { protocol: 'h2', streams: 10 }, load: { model: 'users', stages: [{ users: 2, startUpSeconds: 0, seconds: 5 }] } },
      'error STREAMS_UNUSED connections.streams',
    ],
    ['a stage with two', { load: stages({ connections: 1, requests: 1, seconds: 1 }) }, 'error STAGE_NEEDS_ONE_END load.stages[0]'],
    [
      'more connections than requests',
      { load: stages({ connections: 11, requests: 10 }) },
      'error CONNECTIONS_OVER_REQUESTS load.stages[0].connections',
    ],
    [
      'half a journey',
      { journey: [page, { name: 'b' }], load: stages({ connections: 1, requests: 5 }) },
      'error REQUESTS_NOT_WHOLE_JOURNEYS load.stages[0].requests',
    ],
    [
      'fewer connections than targets',
      { targets: [{ url: 'http://[::1]:1/' }, { url: 'http://[::1]:2/' }], load: stages({ connections: 1, seconds: 1 }) },
      'warning FEWER_CONNECTIONS_THAN_TARGETS load.stages[0].connections',
    ],
    [
      'two stages of one name',
      { load: stages({ name: 'a', connections: 1, seconds: 1 }, { name: 'a', connections: 1, seconds: 1 }) },
      'error DUPLICATE_STAGE_NAME load.stages[1].name',
    ],
    [
      'a stage that is named as another one without a name is called',
      { load: stages({ name: 'stage 2', connections: 1, seconds: 1 }, { connections: 5, seconds: 1 }) },
      'error DUPLICATE_STAGE_NAME load.stages[1].name',
    ],
    ['two steps of one name', { journey: [page, page] }, 'error DUPLICATE_STEP_NAME journey[1].name'],
    [
      'two targets of one name',
      {
        targets: [
          { name: 'a', url: 'http://[::1]:1/' },
          { name: 'a', url: 'http://[::1]:2/' },
        ],
      },
      'error DUPLICATE_TARGET_NAME targets[1].name',
    ],
    [
      'HEAD by autocannon',
      { engine: 'autocannon', journey: [{ name: 'page', method: 'HEAD' }] },
      'error HEAD_NOT_SUPPORTED journey[0].method',
    ],
    ['GET with a body', { journey: [{ name: 'page', body: 'x' }] }, 'warning BODY_WITHOUT_MEANING journey[0].body'],
    ['a path to another host', { journey: [{ name: 'page', path: '//evil.example/' }] }, 'error STEP_LEAVES_TARGET journey[0].path'],
    ['a whole address as path', { journey: [{ name: 'page', path: 'http://evil.example/' }] }, 'error STEP_LEAVES_TARGET journey[0].path'],
    ['a blank in a path', { journey: [{ name: 'page', path: 'a b' }] }, 'error PATH_INVALID journey[0].path'],
    [
      'a line break in a header',
      { targets: [{ url: 'http://[::1]/', headers: { 'X-A': 'a\r\nB: c' } }] },
      'error HEADER_VALUE_INVALID targets[0].headers.X-A',
    ],
    [
      'a letter that no header can carry',
      { journey: [{ name: 'page', headers: { 'X-A': '€' } }] },
      'error HEADER_VALUE_INVALID journey[0].headers.X-A',
    ],
    [
      'a bare line feed in a header',
      { targets: [{ url: 'http://[::1]/', headers: { 'X-B': 'a\nb' } }] },
      'error HEADER_VALUE_INVALID targets[0].headers.X-B',
    ],
    [
      'a length of its own',
      { journey: [{ name: 'page', headers: { 'content-length': '5' } }] },
      'error HEADER_RESERVED journey[0].headers.content-length',
    ],
    [
      'two cookies',
      { targets: [{ url: 'http://[::1]/', cookie: { secret: 'env:C' }, headers: { COOKIE: { secret: 'env:D' } } }] },
      'error TWO_COOKIES targets[0].cookie',
    ],
    [
      'a token in clear',
      { targets: [{ url: 'http://[::1]/', headers: { Authorization: 'Bearer x' } }] },
      'warning SECRET_IN_CLEAR targets[0].headers.Authorization',
    ],
    ['a cookie in clear', { targets: [{ url: 'http://[::1]/', cookie: 'login=x' }] }, 'warning SECRET_IN_CLEAR targets[0].cookie'],
    [
      'a password in clear in a body',
      { journey: [{ name: 'page', method: 'POST', body: 'user=a&password=b' }] },
      'warning SECRET_IN_CLEAR journey[0].body',
    ],
    [
      'https without verifying',
      { targets: [{ url: 'https://localhost/' }], tls: { verify: false } },
      'warning CERTIFICATE_NOT_VERIFIED tls.verify',
    ],
    [
      'criteria and nothing counted',
      { load: stages({ connections: 1, seconds: 1, counted: false }), criteria: [p95] },
      'error NOTHING_COUNTED load.stages',
    ],
    ['a criterion for no step', { criteria: [{ ...p95, step: 'pag' }] }, 'error UNKNOWN_STEP criteria[0].step'],
    ['a criterion for no stage', { criteria: [{ ...p95, stage: 'main' }] }, 'error UNKNOWN_STAGE criteria[0].stage'],
    [
      'a criterion for the warm-up',
      {
        load: stages({ name: 'w', connections: 1, seconds: 1, counted: false }, { connections: 1, seconds: 1 }),
        criteria: [{ ...p95, stage: 'w' }],
      },
      'error STAGE_NOT_COUNTED criteria[0].stage',
    ],
    [
      'too few requests for p95',
      { load: stages({ connections: 10, requests: 58 }), criteria: [p95] },
      'warning TOO_FEW_REQUESTS criteria[0]',
    ],
    [
      'too few requests for 1 in 100',
      { load: stages({ connections: 10, requests: 298 }), criteria: [{ kind: 'errors', maxShare: 0.01 }] },
      'warning TOO_FEW_REQUESTS criteria[0]',
    ],
    [
      'a safety limit below the plan',
      { load: stages({ connections: 1, requests: 100 }), safety: { maxRequests: 50 } },
      'warning SAFETY_BELOW_PLAN safety.maxRequests',
    ],
    ['a time limit below the plan', { safety: { maxSeconds: 10 } }, 'warning SAFETY_BELOW_PLAN safety.maxSeconds'],
  ])('reports %s', (_, changes, expected) => {
    expect(found(changes)).toEqual([expected]);
  });

  it('suggests the nearest number of requests for whole journeys', () => {
    const hint = (requests: number): string | undefined =>
      checkPlan(planWith({ journey: [page, { name: 'b' }, { name: 'c' }], load: stages({ connections: 1, requests }) }))[0]?.hint;
    expect([2, 4, 5, 100].map(hint).map((text) => /nearest is ([\d,]+)/.exec(text ?? '')?.[1])).toEqual(['3', '3', '6', '99']);
  });

  it('counts the requests of each step separately', () => {
    const changes = (requests: number): Partial<PlanInput> => ({
      journey: [page, { name: 'b' }],
      load: stages({ connections: 1, requests }),
      criteria: [p95],
    });
    expect(found(changes(116))).toEqual(['warning TOO_FEW_REQUESTS criteria[0]']);
    expect(found(changes(118))).toEqual([]);
  });

  it('never prints a plain-text secret', () => {
    const issues = checkPlan(
      planWith({ targets: [{ url: 'http://[::1]/', cookie: 'login=hunter2', headers: { 'X-Api-Key': 'hunter2\n' } }] }),
    );
    expect(issues.length).toBe(3);
    expect(JSON.stringify(issues)).not.toContain('hunter2');
  });
});

describe('hostReach', () => {
  const makeReach = (host: string): string => hostReach(new URL(`http://${host}/`).hostname);

  it.each([
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '127.9.9.9',
    '[::1]',
    '0.0.0.0',
    'LOCALHOST',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
  ])('classifies %s as this computer', (host) => expect(makeReach(host)).toBe('loopback'));

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '100.127.0.1',
    '[fe80::1]',
    '[fd00::1]',
    '[fc00::1]',
    '[::ffff:10.0.0.1]',
    'printer.local',
    'db.internal',
    'nas.home.arpa',
  ])('classifies %s as a private network', (host) => expect(makeReach(host)).toBe('private'));

  it.each([
    'example.org',
    'contest.example.org',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '11.0.0.1',
    '[2001:db8::1]',
    '[::ffff:8.8.8.8]',
    'localhost.example.org',
    'local.example',
    'example.org.',
    'internal.example.com',
    'intranet',
    'ai',
    'local',
  ])('classifies %s as public', (host) => expect(makeReach(host)).toBe('public'));
});
