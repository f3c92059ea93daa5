import { describe, expect, it } from 'vitest';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Sample } from './schema.ts';
import { limitToAccount, hasSeveralAccounts, trialPlan, trialProblem } from './trial.ts';

function trialPlanWith(changes: Partial<PlanInput>): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'contest',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: [
      { name: 'home' },
      { name: 'login', method: 'POST', path: 'login', form: { name: 'ada', password: 'x' } },
      { name: 'read' },
      { name: 'form' },
      { name: 'submit', method: 'POST', path: 'submit', form: { text: '1' } },
      { name: 'list' },
      { name: 'news', background: { everySeconds: 5 } },
      { name: 'why', measured: false, explains: { step: 'submit', pattern: 'x' } },
    ],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
    ...changes,
  });
}

const names = (plan: Plan | null): string[] | undefined => plan?.journey.map(({ name }) => name);

describe('trialPlan', () => {
  it('keeps the steps before the first storing step, and their background steps', () => {
    expect(names(trialPlan(trialPlanWith({})))).toEqual(['home', 'login', 'read', 'form', 'news']);
    const { journey } = trialPlanWith({});
    const reading = journey.map((step) => (step.name === 'submit' ? { ...step, stores: false } : step));
    expect(names(trialPlan(trialPlanWith({ journey: reading })))).toContain('list');
  });

  it('sends a login once for its only journey, without renewing it', () => {
    const { journey } = trialPlanWith({});
    const renewed = journey.map((step) => (step.name === 'login' ? { ...step, once: true, renew: { onStatus: [401] } } : step));
    const login = trialPlan(trialPlanWith({ journey: renewed }))?.journey[1];
    expect([login?.name, login?.once, login?.renew]).toEqual(['login', undefined, undefined]);
  });

  it('keeps the flow up to the first storing step', () => {
    const flow: PlanInput['flow'] = [
      'home',
      'login',
      {
        choose: [
          { weight: 1, flow: ['form', 'submit', 'list'] },
          { weight: 1, flow: ['read'] },
          { weight: 1, flow: ['submit'] },
        ],
      },
      'list',
    ];
    const trial = trialPlan(trialPlanWith({ flow }));
    expect(trial?.flow).toEqual([
      'home',
      'login',
      {
        choose: [
          { weight: 1, flow: ['form'] },
          { weight: 1, flow: ['read'] },
        ],
      },
    ]);
    expect(names(trial)).toEqual(['home', 'login', 'read', 'form', 'news']);
  });

  it('returns null if there is no login before data are stored', () => {
    const journey: PlanInput['journey'] = [{ name: 'home' }, { name: 'submit', method: 'POST', form: { csrf_token: '1' } }];
    expect(trialPlan(trialPlanWith({ journey }))).toBeNull();
  });

  it('identifies a login by its field, a secret, or a feed column', () => {
    const login = (form: Record<string, string>, changes: Partial<PlanInput> = {}): boolean =>
      trialPlan(trialPlanWith({ journey: [{ name: 'login', method: 'POST', form }], ...changes })) !== null;
    expect(login({ pwd: '1' })).toBe(true);
    expect(login({ key: '{{key}}' }, { variables: { key: { kind: 'secret', secret: 'env:KEY' } } })).toBe(true);
    expect(login({ key: '{{people.password}}' }, { feeds: { people: { file: 'people.csv' } } })).toBe(true);
    expect(login({ key: '{{people.name}}' }, { feeds: { people: { file: 'people.csv' } } })).toBe(false);
  });

  it('uses one of several accounts', () => {
    const plan = trialPlanWith({ variables: { number: { kind: 'number', from: 1, to: 101 }, id: { kind: 'uuid' } } });
    expect([0, 0.5, 1].map((share) => limitToAccount(plan, share).variables?.['number'])).toEqual(
      [1, 51, 101].map((from) => ({ kind: 'number', from, to: 101 })),
    );
    expect([hasSeveralAccounts(plan), hasSeveralAccounts(trialPlanWith({}))]).toEqual([true, false]);
  });

  it('tries several accounts only if the load uses several', () => {
    const feeds: PlanInput['feeds'] = { account: { file: 'a.csv', order: 'unique' } };
    const several = [1, 2].map((users) =>
      hasSeveralAccounts(trialPlanWith({ feeds, load: { model: 'users', stages: [{ users, seconds: 1 }] } })),
    );
    expect(several).toEqual([false, true]);
    expect(hasSeveralAccounts(trialPlanWith({ feeds: { account: { file: 'a.csv' } } }))).toBe(true);
  });
});

describe('trialProblem', () => {
  it('quotes the reason that a server gives in JSON', () => {
    const body = '{"result":"failure","errors":[{"code":"0200","text":"Unknown user or incorrect password."}]}';
    const sample: Sample = {
      request: 'login',
      failure: 'JSON_OTHER $.result',
      says: 'Unknown user or incorrect password. (0200)',
      sent: null,
      received: { head: 'HTTP/1.1 200 OK', body, bodyBytes: body.length, isCut: false },
      serviceMs: 1,
      captured: [],
    };
    const problem = trialProblem(trialPlanWith({}), { samples: [sample], isGood: false, notReached: [], problem: null }, 0);
    expect(problem?.message).toContain('The server says: “Unknown user or incorrect password. (0200)”');
  });
});
