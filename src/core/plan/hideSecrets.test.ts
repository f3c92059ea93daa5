import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { revealPlan } from './hiddenText.ts';
import { hideInAddress, hideSecrets, hideTargets, holdsSecret } from './hideSecrets.ts';
import { planSchema, type Plan, type PlanInput } from './schema/plan.ts';

it('secrets in WebSocket messages are hidden like those in bodies', () => {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'chat',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [
      {
        name: 'chat',
        stream: { kind: 'websocket', send: { messages: ['{"user":"ada","password":"open-sesame-17"}', 'hello'], everySeconds: 2 } },
      },
    ],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
  const kept: string[] = [];
  const hidden = hideSecrets(plan, (value) => `session:${kept.push(value)}`);
  expect(kept).toEqual(['open-sesame-17']);
  expect(JSON.stringify(hidden)).not.toContain('open-sesame-17');
  expect(hidden.journey[0]?.stream?.send).toMatchObject({ messages: [expect.stringContaining('"user":"ada"'), 'hello'], everySeconds: 2 });
});

type StepInput = NonNullable<PlanInput['journey']>[number];

/** Returns the hidden secrets of a plan in order, and the plan without them. */
function hidden(changes: Partial<PlanInput>): { readonly kept: string[]; readonly plan: Plan } {
  const kept: string[] = [];
  return { kept, plan: hideSecrets(planWith(changes), (value) => `session:${kept.push(value)}`) };
}

describe('a secret of a step', () => {
  it.each<[string, Partial<StepInput>, readonly string[]]>([
    ['in its path', { path: '/reset/token/9f8e7d6c5b4a39281706' }, ['9f8e7d6c5b4a39281706']],
    ['in its address', { path: '/a?page=2&api_key=open-sesame#top' }, ['open-sesame']],
    ['in a field of its query', { query: { page: '2', password: 'open sesame' } }, ['open sesame']],
    ['in a field of its form', { form: { user: 'ada', password: 'open-sesame' } }, ['open-sesame']],
    [
      'in the address that a redirect has to lead to',
      { redirects: { follow: true, to: ['/home?view=*', '/in?access_token=open-sesame'] } },
      ['open-sesame'],
    ],
    [
      'in a field that a page offers',
      { captures: [{ from: 'form', as: 'account', field: 'password', text: 'open-sesame' }] },
      ['open-sesame'],
    ],
    ['around a placeholder', { form: { password: ' open-{{number}}-sesame ' } }, ['open-', '-sesame']],
    ['twice', { form: { password: 'open-sesame', pwd: 'open-sesame' } }, ['open-sesame']],
    ['in a header', { headers: { Authorization: 'Bearer open-sesame', Accept: 'text/html' } }, ['Bearer open-sesame']],
    ['in a header with a placeholder', { headers: { Authorization: 'Bearer open-{{number}}' } }, ['open-']],
    ['in cookies with a placeholder', { headers: { Cookie: 'a=first; b={{number}}; c=third' } }, ['first', 'third']],
    ['in the address of a harmless header', { headers: { Referer: 'http://127.0.0.1/?token=open-sesame' } }, ['open-sesame']],
    ['in a body', { method: 'POST', body: 'user=ada&password=open-sesame' }, ['open-sesame']],
    [
      'in a part',
      {
        method: 'POST',
        multipart: [
          { name: 'password', value: 'open-sesame' },
          { name: 'user', value: 'ada' },
        ],
      },
      ['open-sesame'],
    ],
    [
      'in JSON',
      { method: 'POST', json: { user: 'ada', secret: { of: ['one-key', 'two-key'] }, max_tokens: 4_096 } },
      ['one-key', 'two-key'],
    ],
    ['as a number in JSON', { method: 'POST', json: { pin: 4_711, secret: 12, age: 4_712 } }, ['4711']],
    [
      'in what is taken where nothing is found',
      { captures: [{ from: 'json', as: 'token', path: 'a', otherwise: 'open-sesame' }] },
      ['open-sesame'],
    ],
    ['in what its response must equal', { checks: [{ kind: 'json', path: '$.user["token"]', equals: 'open-sesame' }] }, ['open-sesame']],
    ['in what is waited for', { poll: { until: [{ kind: 'json', path: 'a.token', equals: 'open-sesame' }] } }, ['open-sesame']],
    ['by its mark', { query: { q: 'see ghp_0123456789abcdefghijABCDEFGHIJ012345 there' } }, ['ghp_0123456789abcdefghijABCDEFGHIJ012345']],
  ])('is hidden %s, and nothing else is', (_where, step, secrets) => {
    const journey = [{ name: 'page', ...step }];
    const { kept, plan } = hidden({ journey });
    expect(kept).toEqual(secrets);
    for (const secret of secrets) expect(JSON.stringify(plan)).not.toContain(secret);
    const values = new Map(kept.map((value, index) => [`session:${index + 1}`, value]));
    const [back] = revealPlan(plan, values).journey;
    const [written] = planWith({ journey }).journey;
    // A whole header becomes a reference, which a run resolves.
    if (secrets[0] !== 'Bearer open-sesame') expect(back).toEqual(written);
  });

  it.each<[string, Partial<StepInput>]>([
    ['a path', { path: '/tasks/token/description?page=2' }],
    ['JSON that only counts tokens', { method: 'POST', json: { max_tokens: 4_096, tokens: 12, none: null } }],
    [
      'checks of other things',
      {
        checks: [
          { kind: 'contains', text: 'token' },
          { kind: 'json', path: '$.token', equals: 5 },
          { kind: 'json', path: '$.title', equals: 'Hello' },
        ],
      },
    ],
  ])('is not detected in %s', (_what, step) => {
    expect(hidden({ journey: [{ name: 'page', ...step }] }).kept).toEqual([]);
    expect(holdsSecret(planWith({ journey: [{ name: 'page', ...step }] }))).toBe(false);
  });
});

describe('a secret outside the steps', () => {
  it.each<[string, Partial<PlanInput>, readonly string[]]>([
    [
      'of a target',
      { targets: [{ url: 'http://127.0.0.1/?token=open-sesame', headers: { 'X-Key': 'of-header' }, cookie: 'sid=of-cookie' }] },
      ['open-sesame', 'of-header', 'sid=of-cookie'],
    ],
    [
      'of a variable',
      { variables: { password: { kind: 'item', of: ['open-sesame', 5] }, colour: { kind: 'item', of: ['red'] } } },
      ['open-sesame'],
    ],
    [
      'of an answer',
      { answers: { password: 'open-sesame', pages: 'http://a.example/?token=of-page\nhttp://b.example/', count: 5 } },
      ['open-sesame', 'of-page'],
    ],
    [
      'of services that are watched',
      {
        monitors: [
          { kind: 'postgres', connection: 'postgres://ada:open-sesame@127.0.0.1/db' },
          { kind: 'redis', password: 'of-redis' },
          { kind: 'redis' },
          { kind: 'haproxy', address: 'http://127.0.0.1/?token=of-haproxy' },
          { kind: 'nginx', url: 'http://127.0.0.1/status?token=of-nginx' },
        ],
      },
      ['postgres://ada:open-sesame@127.0.0.1/db', 'of-redis', 'of-haproxy', 'of-nginx'],
    ],
    [
      'of what is counted in a database or by a command',
      {
        stored: [
          {
            step: 'page',
            name: 'rows',
            sql: "select 1 from a where name = 'ada' and password = 'of-query'",
            connection: 'mysql://127.0.0.1/db',
          },
          { step: 'page', name: 'lines', command: 'count --password of-command --rows 5' },
        ],
      },
      ['mysql://127.0.0.1/db', 'of-query', 'of-command'],
    ],
  ])('is hidden: %s', (_where, changes, secrets) => {
    const { kept, plan } = hidden(changes);
    expect(kept).toEqual(secrets);
    for (const secret of secrets) expect(JSON.stringify(plan)).not.toContain(secret);
    expect(holdsSecret(planWith(changes))).toBe(true);
    expect(holdsSecret(plan)).toBe(false);
  });

  it('is hidden in targets and in an address', () => {
    const { targets } = planWith({ targets: [{ url: 'http://127.0.0.1/?token=open-sesame' }] });
    expect(hideTargets(targets, () => 'session:1')[0]?.url).toBe('http://127.0.0.1/?token={{session:1}}');
    expect(hideInAddress('/a?token=open-sesame&b=2', (secret) => `<${secret.length}>`)).toBe('/a?token=<11>&b=2');
  });
});
