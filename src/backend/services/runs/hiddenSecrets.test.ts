import { describe, expect, it } from 'vitest';
import { chooseEngineFor } from '#core/review/engines/engineFor.ts';
import { replaceHiddenByVariables, listHiddenReferences, revealPlan, showReferences } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { planFor } from '#backend/testing/plans.ts';
import { resolveJob } from '../resolveJob.ts';

const SECRET = 'planted-9f3a';
const URL_1 = 'http://127.0.0.1:1/';

type StepInput = PlanInput['journey'][number];

function hideAll(plan: Plan) {
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

describe('hideAll', () => {
  it.each<[string, Partial<StepInput>]>([
    ['in a query of a path', { path: `/x?id=1&access_token=${SECRET}#part` }],
    ['in a path, after its name', { path: `/reset/token/${SECRET}-longer-and-random7/now` }],
    ['in a query parameter', { query: { q: 'word', api_key: SECRET } }],
    ['in a header', { headers: { 'X-Auth': SECRET } }],
    ['in a header with a placeholder', { headers: { Authorization: `Bearer ${SECRET}{{id}}` } }],
    ['in a cookie with a placeholder', { headers: { Cookie: `lang=en; sid=${SECRET}; user={{id}}` } }],
    ['in an address in a header', { headers: { Referer: `http://h/?token=${SECRET}` } }],
    ['in a form', { form: { user: 'ada', password: SECRET } }],
    ['in a form with a placeholder', { form: { user: 'ada', password: `${SECRET}-{{id}}` } }],
    ['in a part of a form', { multipart: [{ name: 'passwd', value: SECRET }] }],
    ['in JSON', { json: { user: 'ada', login: { password: SECRET } } }],
    ['in a list in JSON', { json: { tokens: ['a', SECRET], ids: [1, 2] } }],
    ['in a JSON object whose name suggests secrets', { json: { credentials: { name: 'ada', key: SECRET } } }],
    ['in a body that is a form', { body: `user=ada&password=${SECRET}` }],
    ['in a body that is a form, with a placeholder', { body: `user={{id}}&password=${SECRET}` }],
    ['in a body that is JSON', { body: `{"user":"ada","password" : "${SECRET}"}` }],
    ['in a list of a body that is JSON', { body: `{"tokens":["${SECRET}"]}` }],
    ['in a body that is XML', { body: `<env><user>ada</user><wsse:Password Type="text">${SECRET}</wsse:Password></env>` }],
    ['in an attribute of a body', { body: `<login user="ada" password="${SECRET}"/>` }],
    ['in a body with parts', { body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${SECRET}\r\n--b--` }],
    ['in a body of unknown format', { body: `login ada; password = <<${SECRET}>>` }],
    ['in the expected value of a check', { checks: [{ kind: 'json', path: '$.token', equals: SECRET }] }],
    ['with the prefix of its issuer', { body: `hello ghp_${'a1B2'.repeat(9)}-${SECRET}` }],
    ['as a JSON Web Token in a path', { path: `/j/eyJhbGciOiJIUzI1NiJ9.${SECRET}.abc` }],
  ])('removes a secret %s from the plan, and restores it in the job', (_where, step) => {
    const plan = stepPlan(step, { variables: { id: { kind: 'uuid' } } });
    const { clean, values, text } = hideAll(plan);
    expect(text).not.toContain(SECRET);
    expect(planSchema.parse(JSON.parse(text))).toEqual(clean);
    expect(secretReferences(clean).every((reference) => values.has(reference))).toBe(true);
    const job = resolveJob(clean, { runId: 'r', version: '1', values });
    const asGiven = resolveJob(plan, { runId: 'r', version: '1', values });
    expect({ ...job, plan: null }).toEqual({ ...asGiven, plan: null });
    const [own, given] = [job.plan.journey[0], plan.journey[0]];
    expect({ ...own, headers: 0, body: 0 }).toEqual({ ...given, headers: 0, body: 0 });
  });

  it.each<[string, Partial<PlanInput>]>([
    ['in the address of a target', { targets: [{ url: `${URL_1}?token=${SECRET}` }] }],
    ['in the cookie of a target', { targets: [{ url: URL_1, cookie: `login=${SECRET}` }] }],
    ['in a variable', { variables: { password: { kind: 'item', of: ['a', SECRET] } } }],
    ['in a connection of a monitor', { monitors: [{ kind: 'postgres', connection: `postgres://app:${SECRET}@db/x` }] }],
    ['in an address of a monitor', { monitors: [{ kind: 'nginx', url: `${URL_1}status?key=1&token=${SECRET}` }] }],
    ['in the password of a monitor', { monitors: [{ kind: 'redis', address: 'db:6379', password: SECRET }] }],
    ['in a watched address', { watch: [{ name: 'rows', url: `${URL_1}n?api_key=${SECRET}` }] }],
    ['in the address of a count', { stored: [{ name: 'rows', step: 'home', url: `${URL_1}n?api_key=${SECRET}` }] }],
    [
      'in the query of a count',
      { stored: [{ name: 'n', step: 'home', sql: `select 1 where token = '${SECRET}'`, connection: 'mysql://h/d' }] },
    ],
    [
      'in a command',
      {
        stored: [
          { name: 'n', step: 'home', command: `count --password ${SECRET} http://ada:${SECRET}@h/ -H "Authorization: Bearer ${SECRET}"` },
        ],
      },
    ],
    ['in a journey that populates', { populate: { feed: 'f', journey: [{ name: 'make', method: 'POST', json: { password: SECRET } }] } }],
    ['in the command that populates', { populate: { feed: 'f', command: `API_TOKEN=${SECRET} make-user` } }],
    ['in the story', { story: `with glpat-${'x9'.repeat(9)}${SECRET}` }],
  ])('removes a secret %s from the plan, and restores it', (_where, changes) => {
    const plan = planFor(URL_1, changes);
    const { clean, values, text } = hideAll(plan);
    expect(text).not.toContain(SECRET);
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
    expect(hideAll(plan).clean).toEqual(plan);
  });

  it('does not change the engine of a plan', () => {
    const plan = stepPlan({ path: `/?token=${SECRET}`, headers: { 'X-Auth': SECRET } });
    expect(chooseEngineFor(hideAll(plan).clean)).toBe(chooseEngineFor(plan));
  });

  it('does not hide a hidden secret again', () => {
    const { clean } = hideAll(
      stepPlan({ json: { password: SECRET, pin: 123_456 }, headers: { Authorization: `Bearer ${SECRET}` }, path: `?token=${SECRET}` }),
    );
    expect(hideAll(clean).clean).toEqual(clean);
  });

  it('shows the same text for each secret, and exports secrets to other tools as variables', () => {
    const { clean } = hideAll(stepPlan({ json: { password: SECRET }, path: `?token=${SECRET}` }));
    expect(showReferences(clean.journey[0]?.path ?? '')).toBe('?token=•••');
    const exportedPlan = replaceHiddenByVariables(clean);
    expect(listHiddenReferences(exportedPlan.journey)).toEqual([]);
    expect(exportedPlan.journey[0]).toMatchObject({ path: '?token={{hidden_1|raw}}', json: { password: '{{hidden_1}}' } });
    expect(exportedPlan.variables?.['hidden_1']).toEqual({ kind: 'secret', secret: expect.stringMatching(/^session:/) });
  });
});
