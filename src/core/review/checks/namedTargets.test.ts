import { describe, expect, it } from 'vitest';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { describePlan } from '../describe.ts';
import { chooseEngineFor } from '../engines/engineFor.ts';
import { askKey, listAsks } from '../asks/ask.ts';
import { parsePlan } from '../check.ts';

const input = (rest: Partial<PlanInput> = {}): PlanInput => ({
  holdfast: 1,
  name: 'Shop',
  targets: [{ url: 'http://shop.example.org/' }],
  namedTargets: {
    api: { url: 'https://api.example.org/v1/', headers: { Authorization: { secret: 'env:API_TOKEN' } } },
    login: 'https://login.example.org/',
  },
  journey: [
    { name: 'log in', method: 'POST', target: 'login', path: 'token' },
    { name: 'home', path: '/' },
    { name: 'orders', target: 'api', path: 'orders?page=1' },
  ],
  load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 10 }] },
  ...rest,
});

function problems(rest: Record<string, unknown>): string[] {
  return parsePlan(JSON.stringify({ ...input(), ...rest })).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);
}

describe('named targets', () => {
  it('are accepted as an address or with headers, and run by the native engine', () => {
    expect(problems({})).toEqual([]);
    expect(chooseEngineFor(planSchema.parse(input()))).toBe('native');
    expect(
      chooseEngineFor(
        planSchema.parse(
          input({ load: { model: 'connections', stages: [{ connections: 1, requests: 3 }] }, journey: [{ name: 'a', target: 'api' }] }),
        ),
      ),
    ).toBe('native');
    expect(problems({ engine: 'autocannon', load: { model: 'connections', stages: [{ connections: 3, requests: 30 }] } })).toContain(
      'error JOURNEY_NOT_SUPPORTED journey[0]',
    );
  });

  it('require an entry in the plan, a valid name and a valid address', () => {
    const step = { name: 'a', target: 'ap' };
    expect(problems({ journey: [...input().journey, step] })).toEqual(['error UNKNOWN_TARGET journey[3].target']);
    expect(problems({ journey: [...input().journey, { ...step, target: 'constructor' }] })).toEqual([
      'error UNKNOWN_TARGET journey[3].target',
    ]);
    expect(problems({ namedTargets: { ...input().namedTargets, spare: 'http://a.example/' } })).toEqual([
      'warning TARGET_UNUSED namedTargets.spare',
    ]);
    for (const name of ['_api', 'a b', '', '1', '*', 'a,b'])
      expect(
        problems({
          namedTargets: JSON.parse(
            `{ "api": "http://a.example/", "login": "http://b.example/", ${JSON.stringify(name)}: "http://c.example/" }`,
          ),
        }),
      ).not.toEqual([]);
    for (const url of [
      '*',
      'http://*/',
      'http://a,b/',
      'http://user:pw@a.example/',
      'file:///etc/passwd',
      '//a.example/',
      'http://a.example:99999/',
    ])
      expect(problems({ namedTargets: { ...input().namedTargets, api: url } }).join()).toMatch(/^error/);
    expect(
      problems({ journey: [{ ...input().journey[2], path: 'https://shop.example.org/x' }, ...input().journey.slice(0, 1)] }),
    ).toContain('error STEP_LEAVES_TARGET journey[0].path');
    expect(problems({ journey: [{ ...input().journey[2], path: '//evil.example/' }, ...input().journey.slice(0, 1)] })).toContain(
      'error STEP_LEAVES_TARGET journey[0].path',
    );
  });

  it('need consent before a run, and their secrets are resolved and hidden', () => {
    const plan = planSchema.parse(input());
    expect(listAsks({ plan }).map(askKey)).toEqual([
      'host:shop.example.org',
      'host:api.example.org',
      'host:login.example.org',
      'env:API_TOKEN',
    ]);
    expect(secretReferences(plan)).toEqual(['env:API_TOKEN']);
    const clear = planSchema.parse(
      input({ namedTargets: { api: { url: 'https://a.example/?token=s3cret', cookie: 'sid=12345' }, login: 'http://b.example/' } }),
    );
    const kept: string[] = [];
    const hidden = hideSecrets(clear, (value) => `session:${kept.push(value)}`);
    expect(kept).toEqual(['s3cret', 'sid=12345']);
    expect(JSON.stringify(hidden)).not.toMatch(/s3cret|12345/);
  });

  it('have their own user name and password, and no export can log in again during a load', () => {
    const plan = planSchema.parse(
      input({
        targets: [{ url: 'http://shop.example.org/', auth: { user: 'anna', password: 'hunter2' } }],
        journey: [
          { name: 'log in', target: 'login', once: true, auth: { user: 'a', password: 'hunter3' }, renew: { onStatus: [401] } },
          { name: 'x', target: 'api' },
        ],
      }),
    );
    const kept: string[] = [];
    expect(JSON.stringify(hideSecrets(plan, (value) => `session:${kept.push(value)}`))).not.toContain('hunter');
    expect(kept.toSorted()).toEqual(['hunter2', 'hunter3']);
    const refused = exportPlan('curl', plan);
    expect(refused.kind === 'refused' && refused.issues.map(({ path }) => path)).toEqual(['journey[0].renew']);
    expect(describePlan(plan).sentences.join(' ')).toContain(
      'Each user takes “log in” again after a response with 401, whose request is then sent again.',
    );
    expect(problems({ journey: [...input().journey, { name: 'again', renew: { afterSeconds: 5 } }] })).toEqual([
      'error RENEW_WITHOUT_ONCE journey[3].renew',
    ]);
    expect(problems({ journey: [...input().journey, { name: 'again', once: true, renew: {} }] })[0]).toMatch(/^error .*journey\[3\].renew/);
  });

  it('appear in the description of the plan', () => {
    const { sentences } = describePlan(planSchema.parse(input()));
    expect(sentences.join(' ')).toContain(
      'The load is sent to shop.example.org. Steps that name them are sent to: api (api.example.org), login (login.example.org).',
    );
    expect(sentences.join(' ')).toContain('“orders” (GET orders?page=1 at api)');
  });

  it('are the base URLs of exported requests, with only their own headers', () => {
    const plan = planSchema.parse(input({ targets: [{ url: 'http://shop.example.org/', headers: { 'X-Shop': '1' } }] }));
    const text = (kind: Parameters<typeof exportPlan>[0], of = plan): string => {
      const result = exportPlan(kind, of);
      return result.kind === 'refused' ? result.issues.map(({ path }) => path).join() : result.exported.text;
    };
    const curl = text('curl');
    expect(curl).toMatch(/curl -H 'X-Shop: 1'.*http:\/\/shop\.example\.org\//);
    expect(curl).toMatch(/curl .*Authorization.*https:\/\/api\.example\.org\/v1\/orders\?page=1/);
    expect(
      curl
        .split('\n')
        .filter((line) => /api\.example|login\.example/.test(line))
        .join(),
    ).not.toContain('X-Shop');
    const k6 = text('k6');
    expect(k6).toContain("'https://api.example.org/v1/orders?page=1'");
    expect(k6).toMatch(/'https:\/\/login\.example\.org\/token'/);
    expect(k6).toContain("'http://shop.example.org/'");
    expect(k6).toMatch(/Authorization: .*API_TOKEN/);
    expect(text('artillery')).toBe('namedTargets');
    expect(text('artillery', planSchema.parse(input()))).toMatch(/url: https:\/\/api\.example\.org\/v1\/orders\?page=1/);
  });
});
