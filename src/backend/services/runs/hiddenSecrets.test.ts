import { describe, expect, it } from 'vitest';
import { chooseEngineFor } from '#core/review/engines/engineFor.ts';
import { replaceHiddenByVariables, listHiddenReferences, revealPlan, showReferences } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { planFor } from '#backend/testing/plans.ts';
import { resolveJob } from '../resolveJob.ts';

const S = 'planted-9f3a';
const URL_1 = 'http://127.0.0.1:1/';

type StepInput = PlanInput['journey'][number];

function hidden(plan: Plan) {
  const values = new Map<string, string>([['env:TOKEN', 'from-env']]);
  const clean = hideSecrets(plan, (value) => {
    const reference = `session:id-${values.size}`;
    values.set(reference, value);
    return reference;
  });
  return { clean, values, text: JSON.stringify(clean) };
}

const stepPlan = (step: Partial<StepInput>, others: Partial<PlanInput> = {}): Plan =>
  planFor(URL_1, { journey: [{ name: 'home', method: 'POST', ...step }], ...others });

describe('a secret in clear text', () => {
  it.each<[string, Partial<StepInput>]>([
    ['in a query of a path', { path: `/x?id=1&access_token=${S}#part` }],
    ['in a path, behind its name', { path: `/reset/token/${S}-longer-and-random7/now` }],
    ['as a parameter', { query: { q: 'word', api_key: S } }],
    ['in a header', { headers: { 'X-Auth': S } }],
    ['in a header with a placeholder', { headers: { Authorization: `Bearer ${S}{{id}}` } }],
    ['in a cookie with a placeholder', { headers: { Cookie: `lang=en; sid=${S}; user={{id}}` } }],
    ['in an address of a header', { headers: { Referer: `http://h/?token=${S}` } }],
    ['in a form', { form: { user: 'ada', password: S } }],
    ['in a form with a placeholder', { form: { user: 'ada', password: `${S}-{{id}}` } }],
    ['in a part of a form', { multipart: [{ name: 'passwd', value: S }] }],
    ['in JSON', { json: { user: 'ada', login: { password: S } } }],
    ['in a list in JSON', { json: { tokens: ['a', S], ids: [1, 2] } }],
    ['in an object that is called so, in JSON', { json: { credentials: { name: 'ada', key: S } } }],
    ['in a body that is a form', { body: `user=ada&password=${S}` }],
    ['in a body that is a form, with a placeholder', { body: `user={{id}}&password=${S}` }],
    ['in a body that is JSON', { body: `{"user":"ada","password" : "${S}"}` }],
    ['in a list of a body that is JSON', { body: `{"tokens":["${S}"]}` }],
    ['in a body that is XML', { body: `<env><user>ada</user><wsse:Password Type="text">${S}</wsse:Password></env>` }],
    ['in an attribute of a body', { body: `<login user="ada" password="${S}"/>` }],
    ['in a body with parts', { body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${S}\r\n--b--` }],
    ['in a body that nobody can read', { body: `login ada; password = <<${S}>>` }],
    ['in what an answer is to hold', { checks: [{ kind: 'json', path: '$.token', equals: S }] }],
    ['by the mark of who issued it', { body: `hello ghp_${'a1B2'.repeat(9)}-${S}` }],
    ['as a JSON Web Token in a path', { path: `/j/eyJhbGciOiJIUzI1NiJ9.${S}.abc` }],
  ])('%s is removed from the plan, and restored in the job', (_where, step) => {
    const plan = stepPlan(step, { variables: { id: { kind: 'uuid' } } });
    const { clean, values, text } = hidden(plan);
    expect(text).not.toContain(S);
    expect(planSchema.parse(JSON.parse(text))).toEqual(clean);
    expect(secretReferences(clean).every((reference) => values.has(reference))).toBe(true);
    const job = resolveJob(clean, { runId: 'r', version: '1', values });
    const asGiven = resolveJob(plan, { runId: 'r', version: '1', values });
    expect({ ...job, plan: null }).toEqual({ ...asGiven, plan: null });
    const [own, given] = [job.plan.journey[0], plan.journey[0]];
    expect({ ...own, headers: 0, body: 0 }).toEqual({ ...given, headers: 0, body: 0 });
  });

  it.each<[string, Partial<PlanInput>]>([
    ['in the address of a target', { targets: [{ url: `${URL_1}?token=${S}` }] }],
    ['in the cookie of a target', { targets: [{ url: URL_1, cookie: `login=${S}` }] }],
    ['in a variable', { variables: { password: { kind: 'item', of: ['a', S] } } }],
    ['in a connection of a monitor', { monitors: [{ kind: 'postgres', connection: `postgres://app:${S}@db/x` }] }],
    ['in an address of a monitor', { monitors: [{ kind: 'nginx', url: `${URL_1}status?key=1&token=${S}` }] }],
    ['in the password of a monitor', { monitors: [{ kind: 'redis', address: 'db:6379', password: S }] }],
    ['in what is watched', { watch: [{ name: 'rows', url: `${URL_1}n?api_key=${S}` }] }],
    ['in the address of a count', { stored: [{ name: 'rows', step: 'home', url: `${URL_1}n?api_key=${S}` }] }],
    ['in the query of a count', { stored: [{ name: 'n', step: 'home', sql: `select 1 where token = '${S}'`, connection: 'mysql://h/d' }] }],
    [
      'in a command',
      { stored: [{ name: 'n', step: 'home', command: `count --password ${S} http://ada:${S}@h/ -H "Authorization: Bearer ${S}"` }] },
    ],
    ['in what populates', { populate: { feed: 'f', journey: [{ name: 'make', method: 'POST', json: { password: S } }] } }],
    ['in the command that populates', { populate: { feed: 'f', command: `API_TOKEN=${S} make-user` } }],
    ['in words', { story: `with glpat-${'x9'.repeat(9)}${S}` }],
  ])('%s is removed from the plan, and restored', (_where, changes) => {
    const plan = planFor(URL_1, changes);
    const { clean, values, text } = hidden(plan);
    expect(text).not.toContain(S);
    const back = revealPlan(clean, values);
    const whole = JSON.stringify(back, (_name, value: unknown) => {
      const reference = typeof value === 'object' && value !== null && 'secret' in value ? String(value.secret) : null;
      return reference === null ? value : values.get(reference);
    });
    expect(JSON.parse(whole)).toEqual(JSON.parse(JSON.stringify(plan)));
  });

  it('leaves a plan without secrets unchanged', () => {
    const plan = planFor(`${URL_1}api/token/refresh?page=2&shipping=fast`, {
      story: 'A plan about the secret: tokens and passwords, key by key.',
      variables: { id: { kind: 'uuid' }, city: { kind: 'item', of: ['Rome'] } },
      journey: [
        { name: 'a', path: '/session/morning/4f1c2d3e?q=password', headers: { Accept: 'text/html', 'X-Trace': 'load-{{id}}' } },
        { name: 'b', method: 'POST', json: { max_tokens: 2048, text: 'my token', pinned: true } },
        { name: 'c', method: 'POST', body: 'answer=42&bypass=1' },
        { name: 'd', method: 'POST', body: '{"token":null,"password":"{{id}}"}' },
        { name: 'e', headers: { Authorization: 'Bearer {{id}}', Cookie: 'a={{id}}' } },
      ],
    });
    expect(hidden(plan).clean).toEqual(plan);
  });

  it('does not change the engine of a plan', () => {
    const plan = stepPlan({ path: `/?token=${S}`, headers: { 'X-Auth': S } });
    expect(chooseEngineFor(hidden(plan).clean)).toBe(chooseEngineFor(plan));
  });

  it('is hidden only once', () => {
    const { clean } = hidden(
      stepPlan({ json: { password: S, pin: 123_456 }, headers: { Authorization: `Bearer ${S}` }, path: `?token=${S}` }),
    );
    expect(hidden(clean).clean).toEqual(clean);
  });

  it('is shown as the same text each time, and becomes a variable for other tools', () => {
    const { clean } = hidden(stepPlan({ json: { password: S }, path: `?token=${S}` }));
    expect(showReferences(clean.journey[0]?.path ?? '')).toBe('?token=•••');
    const exported = replaceHiddenByVariables(clean);
    expect(listHiddenReferences(exported.journey)).toEqual([]);
    expect(exported.journey[0]).toMatchObject({ path: '?token={{hidden_1|raw}}', json: { password: '{{hidden_1}}' } });
    expect(exported.variables?.['hidden_1']).toEqual({ kind: 'secret', secret: expect.stringMatching(/^session:/) });
  });
});
