import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { HealthyPace } from './loadDriver.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Starts a server that refuses requests: the first `healthy` take 40 ms and succeed, and all others are refused at once. */
async function refusingServer(healthy: number): Promise<TestServer> {
  let count = 0;
  server = await httpServer((_, response) => {
    count += 1;
    if (count <= healthy) setTimeout(() => response.end('page'), 40);
    else response.writeHead(503).end();
  });
  return server;
}

describe.each(['autocannon', 'native'] as const)('immediate failures with %s', (engine) => {
  const plan: Partial<PlanInput> = { engine };

  it('come no faster than successful responses did, and each of them is counted', async () => {
    const { url } = await refusingServer(4);
    const driven = await drive({ targets: [url], stage: { connections: 2, seconds: 1 }, plan });
    expect(driven.cell.outcomes.ok).toBe(4);
    // 2 connections × 1 s / 40 ms = 50. Without a pause there would be more than 5,000.
    expect(driven.cell.started).toBeLessThanOrEqual(55);
    expect(driven.cell.started).toBeGreaterThan(15);
    expect(discrepancies(driven, server?.requests ?? 0)).toEqual([]);
    expect(driven.inFlight).toBe(0);
  });

  it('are not slowed down before the first success, and a fixed number of requests is sent in full', async () => {
    const { url } = await refusingServer(0);
    const driven = await drive({ targets: [url], stage: { connections: 2, requests: 500 }, plan });
    expect(driven.cell.outcomes).toEqual({ httpError: 500 });
    expect(discrepancies(driven, 500)).toEqual([]);
  });

  it('do not delay the end of the load', async () => {
    const { url } = await refusingServer(2);
    const driven = await drive({
      targets: [url],
      stage: { connections: 2, seconds: 600 },
      plan,
      onRun: (run) => setTimeout(() => run.drain(), 300),
    });
    expect(driven.inFlight).toBe(0);
    expect(driven.elapsedUs).toBeLessThan(60_000_000);
  });
});

describe('users without pauses', () => {
  it('retry a page that fails at once no faster than it succeeded before', async () => {
    const { url } = await refusingServer(4);
    const driven = await drive({ targets: [url], load: { model: 'users', stages: [{ users: 2, seconds: 1 }] } });
    expect(driven.cell.outcomes.ok).toBe(4);
    expect(driven.cell.started).toBeLessThanOrEqual(55);
    expect(discrepancies(driven, server?.requests ?? 0)).toEqual([]);
  });
});

describe('ConnectionPace', () => {
  it('pauses for the time by which failures were faster than successes, in whole milliseconds, up to one second', () => {
    const healthy = new HealthyPace();
    const pace = healthy.ofConnection();
    expect(pace.pauseMsAfter(0, 100, false)).toBe(0);
    pace.pauseMsAfter(0, 2_000, true);
    pace.pauseMsAfter(0, 4_000, true);
    expect(pace.pauseMsAfter(0, 500, false)).toBe(2);
    expect(pace.pauseMsAfter(0, 2_600, false)).toBe(0);
    expect(pace.pauseMsAfter(0, 2_900, false)).toBe(1);
    expect(pace.pauseMsAfter(0, 9_000, false)).toBe(0);
    expect(pace.pauseMsAfter(1, 0, false)).toBe(0);
    healthy.ofConnection().pauseMsAfter(1, 60_000_000, true);
    expect(pace.pauseMsAfter(1, 0, false)).toBe(1_000);
  });
});
