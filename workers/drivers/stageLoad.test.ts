import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Cell } from '#core/measurement/window.ts';
import { drive } from '#workers/testing/drive.ts';
import { startNginx } from '#workers/testing/nginx.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { CacheWords } from './stageLoad.ts';

/** Cache headers of successive responses: two hits, one miss, and one without a statement. */
const CACHE_HEADERS_SENT: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'X-Cache': 'HIT' },
  { Age: '12', 'Cache-Control': 'max-age=60' },
  { 'X-CACHE': ['MISS', 'MISS'] },
  { 'X-Other': 'HIT' },
];

async function front(): Promise<TestServer> {
  let asked = 0;
  return httpServer((_, response) => {
    const headers = CACHE_HEADERS_SENT[asked % CACHE_HEADERS_SENT.length];
    asked += 1;
    response.writeHead(200, headers).end('page');
  });
}

const counts = ({ cache }: Cell) => cache && { fromCache: cache.fromCache, fromServer: cache.fromServer };

describe.each(['autocannon', 'native'] as const)('counting cached responses with %s', (engine) => {
  it('counts responses whose headers say that a cache sent them', async () => {
    const server = await front();
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 40 }, plan: { engine, countsCache: true } });
    await server.close();
    expect(counts(driven.cell)).toEqual({ fromCache: 20, fromServer: 10 });
    expect(driven.cell.cache?.fromCacheUs).toBeGreaterThan(0);
    expect(driven.cell.cache?.fromServerUs).toBeGreaterThan(0);
    expect(driven.cell.outcomes).toEqual({ ok: 40 });
  });

  it('counts none if the plan does not ask for the counts', async () => {
    const server = await front();
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 8 }, plan: { engine } });
    await server.close();
    expect(driven.cell).not.toHaveProperty('cache');
    expect(driven.cell.outcomes).toEqual({ ok: 8 });
  });

  it('counts them even if the same header also identifies the servers', async () => {
    const server = await front();
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 1, requests: 8 },
      plan: { engine, countsCache: true, servers: { header: 'X-Cache' } },
    });
    await server.close();
    expect(counts(driven.cell)).toEqual({ fromCache: 4, fromServer: 2 });
    expect(driven.cell.servers['HIT']).toMatchObject({ responded: 2 });
  });

  it('counts exactly what the log of a cache shows', async () => {
    const behind = await httpServer((_, response) => response.end('made'));
    const nginx = await startNginx({
      http: "proxy_cache_path kept keys_zone=kept:1m use_temp_path=off; log_format cache '$upstream_cache_status';",
      server: `access_log access.log cache;
    location /kept/ { proxy_pass ${behind.url}; proxy_cache kept; proxy_cache_valid 200 10m; add_header X-Cache $upstream_cache_status; }
    location / { return 200 "not kept"; }`,
    });
    const driven = await drive({
      targets: [nginx.url],
      stage: { connections: 4, requests: 600 },
      plan: { engine, countsCache: true, journey: ['kept/1', 'kept/2', 'other'].map((path) => ({ name: path, path })) },
    });
    const lines = await nginx.stopAndRead();
    await behind.close();
    const logged = (...words: readonly string[]): number => lines.filter((line) => words.includes(line)).length;
    expect(lines).toHaveLength(600);
    expect(counts(driven.cell)).toEqual({ fromCache: logged('HIT'), fromServer: logged('MISS') });
    // Each page is generated once, or once per concurrent request.
    expect(behind.requests).toBe(logged('MISS'));
    expect(logged('HIT', 'MISS')).toBe(400);
    expect(driven.steps.map(counts)[2]).toBeUndefined();
  });
});

const PACED: readonly PlanInput['load'][] = [
  { model: 'users', stages: [{ users: 3, seconds: 0.3 }] },
  { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 0.3 }] },
];

it.each(PACED)('stageLoad: cached responses are counted in the model of $model', async (load) => {
  const server = await front();
  const driven = await drive({ targets: [server.url], load, plan: { countsCache: true } });
  const asked = server.requests;
  await server.close();
  const { fromCache = 0, fromServer = 0 } = counts(driven.cell) ?? {};
  expect(asked).toBeGreaterThan(4);
  expect(driven.cell.outcomes).toEqual({ ok: asked });
  // The last four responses may be incomplete.
  expect(Math.abs(fromCache - asked / 2)).toBeLessThanOrEqual(1);
  expect(Math.abs(fromServer - asked / 4)).toBeLessThanOrEqual(1);
});

describe('CacheWords', () => {
  const words = new CacheWords();

  it('reads the cache headers among the kept values', () => {
    const names = ['server', 'age', 'x-cache'];
    expect(words.isCachedByHeaders(names, ['HIT', undefined, 'MISS'])).toBe(false);
    expect(words.isCachedByHeaders(names, ['HIT', '7', undefined])).toBe(true);
    // The headers of the response before are not used.
    expect(words.isCachedByHeaders(names, ['HIT', undefined, undefined])).toBeNull();
  });
});
