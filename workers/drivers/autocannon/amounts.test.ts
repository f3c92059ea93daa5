import { afterEach, describe, expect, it } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { answer, httpServer, rawServer, type RawRequest, type TestServer } from '#workers/testing/servers.ts';

let server: TestServer;
afterEach(() => server.close());

describe('an amount of requests', () => {
  // autocannon refuses more connections than requests.
  it('may be smaller than the number of connections', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 10, requests: 3 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect([server.requests, server.connections]).toEqual([3, 3]);
  });

  // autocannon splits -n per connection up front: a connection that hangs keeps its part from the others.
  it('goes on while one connection is held up', async () => {
    let held: RawRequest | undefined;
    server = await rawServer((request) => {
      if (request.inAll === 1) held = request;
      else request.socket.write(answer());
      if (request.inAll === 40) held?.socket.write(answer());
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 4, requests: 40 } });
    expect(driven.cell.outcomes).toEqual({ ok: 40 });
  });

  // autocannon's own workers divide amounts with the remainder lost, and multiply overall rates.
  it.each([1, 2, 3, 5])('is the same over %i threads', async (threads) => {
    server = await httpServer((_, response) => response.end());
    for (let thread = 0; thread < threads; thread += 1) {
      await drive({ targets: [server.url], stage: { connections: 7, requests: 101 }, thread, threads });
    }
    expect(server.requests).toBe(101);
  });

  it('sends the first request too: the recorder is there before it', async () => {
    server = await httpServer((_, response) => response.end('one'));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
    expect(discrepancies(driven, 1)).toEqual([]);
    expect(driven.firstBodyLengths).toEqual([3]);
  });

  it('ends with its last answer and not with a sample tick', async () => {
    server = await httpServer((_, response) => response.end());
    let elapsedUs = 0;
    for (let run = 0; run < 20; run += 1) {
      const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
      elapsedUs += driven.elapsedUs;
    }
    // autocannon's callback waits for its next tick: 100 ms here, 1 s by default.
    expect(elapsedUs).toBeLessThan(20 * 100_000);
  });

  it('stays within a limit on started requests, to the request', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 5, seconds: 30 }, budget: 123 });
    expect(discrepancies(driven, 123)).toEqual([]);
    expect(server.requests).toBe(123);
  });
});

describe('an amount of time', () => {
  it('ends with every answer that is owed', async () => {
    server = await httpServer((_, response) => setTimeout(() => response.end('late'), 150));
    const driven = await drive({ targets: [server.url], stage: { connections: 6, seconds: 0.4 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(0);
    expect(driven.cell.outcomes).toEqual({ ok: server.requests });
  });

  it('shows as in flight what the drain did not wait for', async () => {
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

  it('can be ended early, and keeps what was measured', async () => {
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

describe('what is never used of autocannon', () => {
  // overallRate: 20 on a server that takes 200 ms made 24,390 samples of 120 requests, half of them too short.
  it('makes up no samples: one time for each answer, none shorter than the server took', async () => {
    server = await httpServer((_, response) => setTimeout(() => response.end(), 30));
    const driven = await drive({ targets: [server.url], stage: { connections: 8, requests: 80 } });
    const times = driven.cell.times.serviceOk;
    expect(times?.totalCount).toBe(80);
    expect(times?.minNonZeroValue).toBeGreaterThan(28_000);
  });

  it('never has two requests on a connection at once', async () => {
    let most = 0;
    const owed = new Map<unknown, number>();
    server = await rawServer(({ socket }) => {
      owed.set(socket, (owed.get(socket) ?? 0) + 1);
      most = Math.max(most, ...owed.values());
      setImmediate(() => {
        owed.set(socket, (owed.get(socket) ?? 0) - 1);
        socket.write(answer());
      });
    });
    await drive({ targets: [server.url], stage: { connections: 4, requests: 400 } });
    expect(most).toBe(1);
  });

  it('keeps times in microseconds, not in whole milliseconds', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 300 } });
    const shortest = driven.cell.times.serviceOk?.minNonZeroValue ?? 0;
    expect(shortest).toBeGreaterThan(0);
    expect(shortest < 1_000 || shortest % 1_000 !== 0).toBe(true);
  });
});
