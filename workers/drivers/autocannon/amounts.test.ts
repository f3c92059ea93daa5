import { afterEach, describe, expect, it } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { responseText, httpServer, rawServer, type RawRequest, type TestServer } from '#workers/testing/servers.ts';

let server: TestServer;
afterEach(() => server.close());

describe('autocannon with a fixed number of requests', () => {
  // autocannon refuses to use more connections than requests.
  it('accepts fewer requests than connections', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 10, requests: 3 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect([server.requests, server.connections]).toEqual([3, 3]);
  });

  // autocannon divides -n among its connections in advance, so a hanging connection keeps its part from the others.
  it('completes the load while one connection hangs', async () => {
    let held: RawRequest | undefined;
    server = await rawServer((request) => {
      if (request.inAll === 1) held = request;
      else request.socket.write(responseText());
      if (request.inAll === 40) held?.socket.write(responseText());
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 4, requests: 40 } });
    expect(driven.cell.outcomes).toEqual({ ok: 40 });
  });

  // autocannon's own workers lose the remainder of the division, and each of them sends at the whole rate.
  it.each([1, 2, 3, 5])('sends the planned number of requests in total on %i threads', async (threads) => {
    server = await httpServer((_, response) => response.end());
    for (let thread = 0; thread < threads; thread += 1) {
      await drive({ targets: [server.url], stage: { connections: 7, requests: 101 }, thread, threads });
    }
    expect(server.requests).toBe(101);
  });

  it('records the first request', async () => {
    server = await httpServer((_, response) => response.end('one'));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
    expect(discrepancies(driven, 1)).toEqual([]);
    expect(driven.firstBodyLengths).toEqual([3]);
  });

  it('ends with the last response, not with a sampling interval', async () => {
    server = await httpServer((_, response) => response.end());
    let elapsedUs = 0;
    for (let run = 0; run < 20; run += 1) {
      const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
      elapsedUs += driven.elapsedUs;
    }
    // The callback of autocannon waits for its next interval: 100 ms here, 1 s by default.
    expect(elapsedUs).toBeLessThan(20 * 100_000);
  });

  it('sends exactly as many requests as the budget allows', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 5, seconds: 30 }, budget: 123 });
    expect(discrepancies(driven, 123)).toEqual([]);
    expect(server.requests).toBe(123);
  });
});

describe('autocannon with a fixed duration', () => {
  it('waits for every response in flight at its end', async () => {
    server = await httpServer((_, response) => setTimeout(() => response.end('late'), 150));
    const driven = await drive({ targets: [server.url], stage: { connections: 6, seconds: 0.4 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(0);
    expect(driven.cell.outcomes).toEqual({ ok: server.requests });
  });

  it('reports requests as in flight if the drain time ends before them', async () => {
    server = await httpServer(() => {});
    const driven = await drive({ targets: [server.url], stage: { connections: 6, seconds: 0.2 }, plan: { drainSeconds: 0 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(6);
    expect(driven.journeys).toMatchObject({ started: 6, finished: 0, abandoned: 0 });
  });

  it.each(['autocannon', 'native'] as const)(
    'does not count requests as sent whose TLS handshake is incomplete at the end (%s)',
    async (engine) => {
      server = await rawServer(() => {});
      const driven = await drive({
        targets: [server.url.replace('http:', 'https:')],
        stage: { connections: 6, seconds: 0.2 },
        plan: { engine, drainSeconds: 0 },
      });
      expect(driven.inFlight).toBe(0);
      expect(driven.cell.outcomes).toEqual({ neverSent: 6 });
    },
  );

  it('keeps its measurements when it is stopped early', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 3, seconds: 30 },
      onRun: (run) => setTimeout(() => run.drain(), 100),
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(server.requests).toBeGreaterThan(3);
  });
});

describe('autocannon as Holdfast drives it', () => {
  // With `overallRate: 20` and a server that takes 200 ms, autocannon made 24,390 samples of 120 requests. Half of them were too short.
  it('adds no corrected samples: each response has one time, which is not shorter than the server took', async () => {
    server = await httpServer((_, response) => setTimeout(() => response.end(), 30));
    const driven = await drive({ targets: [server.url], stage: { connections: 8, requests: 80 } });
    const times = driven.cell.times.serviceOk;
    expect(times?.totalCount).toBe(80);
    expect(times?.minNonZeroValue).toBeGreaterThan(28_000);
  });

  it('never sends two requests at once on a connection', async () => {
    let most = 0;
    const outstanding = new Map<unknown, number>();
    server = await rawServer(({ socket }) => {
      outstanding.set(socket, (outstanding.get(socket) ?? 0) + 1);
      most = Math.max(most, ...outstanding.values());
      setImmediate(() => {
        outstanding.set(socket, (outstanding.get(socket) ?? 0) - 1);
        socket.write(responseText());
      });
    });
    await drive({ targets: [server.url], stage: { connections: 4, requests: 400 } });
    expect(most).toBe(1);
  });

  it('does not round times to whole milliseconds', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 300 } });
    const shortest = driven.cell.times.serviceOk?.minNonZeroValue ?? 0;
    expect(shortest).toBeGreaterThan(0);
    expect(shortest < 1_000 || shortest % 1_000 !== 0).toBe(true);
  });
});
