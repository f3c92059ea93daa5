import { describe, expect, it } from 'vitest';
import type { ServerCount } from '#core/measurement/window.ts';
import { drive } from '#workers/testing/drive.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

/** Starts one address that represents two servers in turn, like a proxy. The second server fails. */
async function front(): Promise<TestServer> {
  let asked = 0;
  return httpServer((_, response) => {
    asked += 1;
    const shard = (asked % 2) + 1;
    response.writeHead(shard === 2 ? 500 : 200, { 'X-Shard': `shard-${shard}` }).end('page');
  });
}

const counts = ({ responded, failed, withoutResponse }: ServerCount) => ({ responded, failed, withoutResponse });

describe.each(['autocannon', 'native'] as const)('the counts per server with the engine %s', (engine) => {
  it('use the header in the plan', async () => {
    const server = await front();
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 2, requests: 40 },
      plan: { engine, servers: { header: 'x-SHARD' } },
    });
    await server.close();
    expect(Object.keys(driven.cell.servers).sort()).toEqual(['shard-1', 'shard-2']);
    expect(driven.cell.servers['shard-1']).toMatchObject({ responded: 20, failed: 0, withoutResponse: 0 });
    expect(driven.cell.servers['shard-2']).toMatchObject({ responded: 20, failed: 20, withoutResponse: 0 });
    expect(driven.cell.servers['shard-1']?.serviceUs).toBeGreaterThan(0);
  });

  it('separate servers by target, including an unreachable target', async () => {
    const [here, gone] = [await httpServer((_, response) => response.end('page')), await httpServer(() => {})];
    const [host, goneHost] = [new URL(here.url).host, new URL(gone.url).host];
    const targets = [here.url, gone.url];
    await gone.close();
    const driven = await drive({ targets, stage: { connections: 2, seconds: 0.3 }, plan: { engine } });
    await here.close();
    const [one, other] = [driven.cell.servers[host], driven.cell.servers[goneHost]];
    if (one === undefined || other === undefined) throw new Error('a target was not told');
    expect(counts(one)).toEqual({ responded: here.requests, failed: 0, withoutResponse: 0 });
    expect(other.responded).toBe(0);
    expect(other.withoutResponse).toBe(driven.cell.outcomes.refused);
    expect(other.withoutResponse).toBeGreaterThan(0);
  });

  it('have no server name if there is only one server', async () => {
    const server = await front();
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 4 }, plan: { engine } });
    await server.close();
    expect(driven.cell.servers).toEqual({});
  });
});

it('ServerNames counts all servers beyond its maximum number under one name', async () => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked += 1;
    response.writeHead(200, { 'X-Request-Id': String(asked) }).end();
  });
  const driven = await drive({
    targets: [server.url],
    stage: { connections: 1, requests: 300 },
    plan: { servers: { header: 'X-Request-Id' } },
  });
  await server.close();
  expect(Object.keys(driven.cell.servers)).toHaveLength(201);
  expect(driven.cell.servers['others']?.responded).toBe(100);
});

describe.each(['autocannon', 'native'] as const)('names of this computer in %s', (engine) => {
  it('include all names below localhost, without a request to a name server', async () => {
    const server = await httpServer((_, response) => response.end('page'));
    const driven = await drive({
      targets: [server.url.replace('127.0.0.1', 'shop.localhost')],
      stage: { connections: 2, requests: 10 },
      plan: { engine },
    });
    await server.close();
    expect([driven.settled, driven.cell.errors]).toEqual([10, {}]);
  });
});
