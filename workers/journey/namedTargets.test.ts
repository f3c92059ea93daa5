import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive, type DriveResult } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

interface SeenRequest {
  readonly line: string;
  readonly host: string | undefined;
  readonly cookie: string | undefined;
  readonly authorization: string | undefined;
  readonly site: string | undefined;
}

/** Starts a server at a separate address, so that cookies of other servers do not match it. */
async function serve(address: string, redirects: Record<string, () => string> = {}): Promise<{ server: TestServer; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = await httpServer((request, response) => {
    const path = request.url ?? '';
    void text(request).then(() => {
      const { host, cookie, authorization } = request.headers;
      seen.push({ line: `${request.method} ${path}`, host, cookie, authorization, site: request.headers['x-site']?.toString() });
      response.setHeader('Set-Cookie', `of${address.at(-1)}=1; Path=/`);
      const to = redirects[path]?.();
      if (to !== undefined) response.writeHead(302, { Location: to });
      response.end(JSON.stringify({ token: 'T-1' }));
    });
  }, address);
  opened.push(server);
  return { server, seen };
}

const load: PlanInput['load'] = {
  model: 'users',
  thinkTime: { kind: 'fixed', seconds: 0.05 },
  // The duration is long enough for several journeys of each user on a busy machine.
  stages: [{ users: 3, seconds: 2 }],
};

const allRequests = (): number => opened.reduce((sum, { requests }) => sum + requests, 0);

function listOutcomes(driven: DriveResult): Record<string, number>[] {
  return driven.steps.map(({ outcomes }) => outcomes);
}

describe('a journey with named targets', () => {
  it("sends each step to its target with only that target's cookies and headers", async () => {
    const [site, api, login] = [await serve('127.0.0.1'), await serve('127.0.0.2'), await serve('127.0.0.3')];
    const driven = await drive({
      targets: [site.server.url],
      headers: { 'X-Site': 'main' },
      load,
      plan: {
        cookies: 'user',
        namedTargets: { api: { url: `${api.server.url}v1/`, headers: { 'X-Site': 'api' } }, login: login.server.url },
        journey: [
          {
            name: 'log in',
            method: 'POST',
            target: 'login',
            path: '/token',
            once: true,
            captures: [{ from: 'json', as: 'token', path: '$.token' }],
          },
          { name: 'home', path: '/' },
          { name: 'orders', target: 'api', path: 'orders', headers: { Authorization: 'Bearer {{token}}' } },
        ],
      },
    });
    expect(discrepancies(driven, allRequests())).toEqual([]);
    expect(listOutcomes(driven)).toEqual([{ ok: login.seen.length }, { ok: site.seen.length }, { ok: api.seen.length }]);
    expect(login.seen).toHaveLength(3);
    expect(new Set(api.seen.map(({ line }) => line))).toEqual(new Set(['GET /v1/orders']));
    expect(new Set(api.seen.map(({ authorization, site: own }) => `${authorization} ${own}`))).toEqual(new Set(['Bearer T-1 api']));
    expect(new Set([...site.seen, ...login.seen].map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
    expect(new Set(login.seen.map(({ site: own }) => own))).toEqual(new Set([undefined]));
    expect(new Set(site.seen.map(({ cookie }) => cookie))).toEqual(new Set([undefined, 'of1=1']));
    expect(new Set(api.seen.map(({ cookie }) => cookie))).toEqual(new Set([undefined, 'of2=1']));
    expect(api.seen.every(({ host }) => host === new URL(api.server.url).host)).toBe(true);
  });

  it('follows redirects between its targets but to no other host, and forwards no credentials', async () => {
    const stranger = await serve('127.0.0.4');
    const login = await serve('127.0.0.3', { '/authorize': () => `${site.server.url}callback?code=1` });
    const site = await serve('127.0.0.1', { '/start': () => `${login.server.url}authorize`, '/away': () => stranger.server.url });
    const driven = await drive({
      targets: [site.server.url],
      headers: { 'X-Site': 'main' },
      load,
      plan: {
        cookies: 'user',
        namedTargets: { login: login.server.url },
        journey: [
          { name: 'sign in', path: '/start', headers: { Authorization: 'Basic abc' }, redirects: { follow: true, mayEndAtLogin: true } },
          { name: 'away', path: '/away', redirects: { follow: true } },
        ],
      },
    });
    expect(discrepancies(driven, allRequests())).toEqual([]);
    const [signIn, away, hops] = listOutcomes(driven);
    expect(signIn).toEqual({ ok: login.seen.length });
    expect(hops).toEqual({ ok: 2 * login.seen.length });
    expect(Object.keys(away ?? {})).toEqual(['wrongBody']);
    expect(stranger.seen).toEqual([]);
    expect(login.seen.length).toBeGreaterThan(3);
    expect(new Set(login.seen.map(({ authorization, site: own }) => `${authorization} ${own}`))).toEqual(new Set(['undefined undefined']));
    expect(new Set(site.seen.filter(({ line }) => line.startsWith('GET /callback')).map(({ site: own }) => own))).toEqual(
      new Set(['main']),
    );
  });

  it('fetches a page from one target and its resources from the others', async () => {
    const files = await serve('127.0.0.2');
    const page = await httpServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<link rel=stylesheet href="${files.server.url}a.css"><img src="http://127.0.0.9:1/b.png">`);
    }, '127.0.0.3');
    opened.push(page);
    const site = await serve('127.0.0.1', { '/go': () => `${page.url}landing` });
    const driven = await drive({
      targets: [site.server.url],
      load,
      plan: {
        namedTargets: { files: files.server.url, page: page.url },
        journey: [
          { name: 'page', target: 'page', path: '/', resources: {} },
          { name: 'landing', path: '/go', redirects: { follow: true }, resources: {} },
        ],
      },
    });
    expect(discrepancies(driven, allRequests())).toEqual([]);
    expect(files.seen.length).toBeGreaterThan(3);
    expect(driven.cell.outcomes).toEqual({ ok: allRequests() });
  });

  it('sends background requests to their target', async () => {
    const [site, api] = [await serve('127.0.0.1'), await serve('127.0.0.2')];
    const driven = await drive({
      targets: [site.server.url],
      load,
      plan: {
        cookies: 'user',
        namedTargets: { api: api.server.url },
        journey: [{ name: 'home' }, { name: 'news', target: 'api', path: '/news', background: { everySeconds: 0.2 } }],
      },
    });
    expect(discrepancies(driven, allRequests())).toEqual([]);
    expect(listOutcomes(driven)).toEqual([{ ok: site.seen.length }, { ok: api.seen.length }]);
    expect(api.seen.length).toBeGreaterThan(5);
    expect(new Set(api.seen.map(({ line }) => line))).toEqual(new Set(['GET /news']));
  });

  it('uses separate connections per target in the model `connections`', async () => {
    const [site, api] = [await serve('127.0.0.1'), await serve('127.0.0.2')];
    const driven = await drive({
      targets: [site.server.url],
      stage: { connections: 2, requests: 40 },
      plan: { namedTargets: { api: api.server.url }, journey: [{ name: 'home' }, { name: 'data', target: 'api', path: '/data' }] },
    });
    expect(discrepancies(driven, allRequests())).toEqual([]);
    expect([site.seen.length, api.seen.length]).toEqual([20, 20]);
    expect([site.server.connections, api.server.connections]).toEqual([2, 2]);
  });
});
