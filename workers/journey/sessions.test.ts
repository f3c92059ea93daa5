import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

/**
 * Starts a server that issues OAuth tokens for client credentials, and has an API that requires them. A token is valid for a time, or for a
 * number of requests if a busy machine must not change the outcome.
 */
async function serve(
  life: { readonly ms: number } | { readonly uses: number },
): Promise<{ server: TestServer; counts: Map<string, number>; grants: Set<string> }> {
  const counts = new Map<string, number>();
  const grants = new Set<string>();
  const tokens = new Map<string, { readonly untilMs: number; usesLeft: number }>();
  const server = await httpServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? '';
      const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
      if (path === '/token') {
        grants.add(`${request.headers.authorization ?? ''} ${body}`);
        const token = `T${tokens.size}`;
        tokens.set(token, {
          untilMs: 'ms' in life ? performance.now() + life.ms : Number.POSITIVE_INFINITY,
          usesLeft: 'uses' in life ? life.uses : Number.POSITIVE_INFINITY,
        });
        count('/token');
        response.end(JSON.stringify({ access_token: token }));
        return;
      }
      const known = tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
      const status = known !== undefined && known.usesLeft > 0 && performance.now() < known.untilMs ? 200 : 401;
      if (known !== undefined) known.usesLeft -= 1;
      count(`${path} ${status}`);
      response.writeHead(status).end('{}');
    });
  });
  opened.push(server);
  return { server, counts, grants };
}

const load: PlanInput['load'] = {
  model: 'users',
  thinkTime: { kind: 'fixed', seconds: 0.05 },
  stages: [{ users: 4, startUpSeconds: 0.3, startUpCounts: true, seconds: 1.6 }],
};

/** Returns a journey with OAuth 2.0 client credentials (RFC 6749, section 4.4) and optional renewal. */
function journeyWith(renew?: object): PlanInput['journey'] {
  return [
    {
      name: 'token',
      method: 'POST',
      path: '/token',
      once: true,
      auth: { user: 'client-1', password: '{{secret}}' },
      form: { grant_type: 'client_credentials', scope: 'orders' },
      captures: [{ from: 'json', as: 'token', path: '$.access_token' }],
      ...(renew === undefined ? {} : { renew }),
    },
    { name: 'orders', path: '/orders', headers: { Authorization: 'Bearer {{token}}' } },
    { name: 'items', path: '/items', headers: { Authorization: 'Bearer {{token}}' } },
  ];
}

const secrets = {
  plan: { variables: { secret: { kind: 'secret' as const, secret: 'env:CLIENT_SECRET' } } },
  secrets: { secret: 'päss:wörd' },
};

describe('an expiring login', () => {
  it('fails all later requests, and records the age of the login', async () => {
    const { server, counts, grants } = await serve({ ms: 600 });
    const driven = await drive({
      targets: [server.url],
      load,
      plan: { ...secrets.plan, journey: journeyWith() },
      secrets: secrets.secrets,
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(counts.get('/token')).toBe(4);
    expect([...grants]).toEqual([
      `Basic ${Buffer.from('client-1:päss:wörd').toString('base64')} grant_type=client_credentials&scope=orders`,
    ]);
    const ages = driven.steps.map(({ times }) => times.sessionAge);
    expect(ages[0]).toBeUndefined();
    // Each expired login is recorded once, at the first step that is refused.
    expect((ages[1]?.totalCount ?? 0) + (ages[2]?.totalCount ?? 0)).toBe(4);
    for (const age of ages.slice(1)) {
      if (age === undefined) continue;
      expect(age.minNonZeroValue / 1_000).toBeGreaterThan(550);
      // The whole load takes only 1.6 s.
      expect(age.maxValue / 1_000).toBeLessThan(2_600);
    }
  });

  it('is renewed after a refusal, and then the refused request is repeated', async () => {
    const { server, counts } = await serve({ uses: 5 });
    const plan = { ...secrets.plan, journey: journeyWith({ onStatus: [401] }) };
    const driven = await drive({ targets: [server.url], load, plan, secrets: secrets.secrets });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    const refused = (counts.get('/orders 401') ?? 0) + (counts.get('/items 401') ?? 0);
    expect(refused).toBeGreaterThanOrEqual(4);
    // The load may end between a refusal and the login after it, at most once for each user.
    const logins = counts.get('/token') ?? 0;
    expect(logins).toBeLessThanOrEqual(4 + refused);
    expect(logins).toBeGreaterThanOrEqual(refused);
    // A refusal that leads to a new login is not a failure.
    expect(driven.steps.map(({ outcomes }) => Object.keys(outcomes))).toEqual([['ok'], ['ok'], ['ok']]);
    expect(driven.journeys.abandoned).toBe(0);
    expect(driven.steps.every(({ times }) => times.sessionAge === undefined)).toBe(true);
  });

  it('is renewed at the planned age, before it expires', async () => {
    const { server, counts } = await serve({ ms: 60_000 });
    const plan = { ...secrets.plan, journey: journeyWith({ afterSeconds: 0.4 }) };
    const driven = await drive({ targets: [server.url], load, plan, secrets: secrets.secrets });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect([counts.get('/orders 401'), counts.get('/items 401')]).toEqual([undefined, undefined]);
    expect(counts.get('/token')).toBeGreaterThanOrEqual(4 * 2);
    expect(counts.get('/token')).toBeLessThanOrEqual(4 * 5);
  });

  it('fails if the request is refused again after the new login', async () => {
    const { server, counts } = await serve({ ms: 0 });
    const plan = { ...secrets.plan, journey: journeyWith({ onStatus: [401] }) };
    const driven = await drive({ targets: [server.url], load, plan, secrets: secrets.secrets });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    // Each request is sent twice, with one login in between.
    const { ok = 0, httpError = 0 } = driven.steps[1]?.outcomes ?? {};
    // The load may end between the two requests.
    expect(ok - httpError).toBeLessThanOrEqual(4);
    expect(httpError).toBeGreaterThan(8);
    expect(counts.get('/orders 401')).toBeGreaterThan(8);
  });
});
