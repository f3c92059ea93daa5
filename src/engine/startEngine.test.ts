import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#lab/freePort.ts';
import { loadWorkerEntry } from '#tools/testing/threads.ts';
import { responseText, httpServer, rawServer, type TestServer } from '#workers/testing/servers.ts';
import { crashingWorkerEntry, buildJob, runLoad, type LoadResult } from './testing/runLoad.ts';

let server: TestServer;
beforeEach(async () => {
  server = await httpServer((_, response) => response.end('hello world'));
});
afterEach(() => server.close());

function expectExact(result: LoadResult, serverRequests: number): void {
  const settled = Object.values(result.cell.outcomes).reduce((sum, count) => sum + count, 0);
  expect(result.cell.started).toBe(settled + result.inFlight);
  expect(result.cell.started).toBe(serverRequests);
  expect(result.cell.times.serviceOk?.totalCount).toBe(result.cell.outcomes.ok);
  expect(result.windows.map(({ second }) => second)).toEqual(result.windows.map((_, index) => index));
}

describe('a run', () => {
  it.each([1, 3])('sends exactly the planned requests over %i threads', async (threads) => {
    const stages = [{ connections: 7, requests: 2_003 }];
    const result = await runLoad(buildJob([server.url], { threads, load: { model: 'connections', stages } }));
    expect(result.end).toMatchObject({ reason: 'completed', problem: null, firstBodyLengths: [11], serverSoftware: null });
    expect(result.threads).toBe(threads);
    expectExact(result, server.requests);
    expect(server.requests).toBe(2_003);
    expect(server.connections).toBe(7);
  });

  it('counts every request of a stage with a duration', async () => {
    const stages = [{ connections: 6, seconds: 0.3 }];
    const result = await runLoad(buildJob([server.url], { threads: 2, load: { model: 'connections', stages } }));
    expectExact(result, server.requests);
    expect(result.inFlight).toBe(0);
  });

  it('runs its stages in order, with no request in flight between them', async () => {
    const stages = [
      { connections: 2, requests: 50 },
      { connections: 5, seconds: 0.3 },
      { connections: 1, requests: 5 },
    ];
    const result = await runLoad(buildJob([server.url], { threads: 2, load: { model: 'connections', stages } }));
    expectExact(result, server.requests);
    expect(result.stagesReported).toEqual([0, 1, 2]);
    const countStarted = (stage: number): number =>
      result.windows.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + (cell.stage === stage ? cell.started : 0), 0);
    expect([countStarted(0), countStarted(2)]).toEqual([50, 5]);
    const [first, second, third] = result.end.stages;
    expect(second?.startedAtSecond).toBeGreaterThanOrEqual(first?.endedAtSecond ?? Number.NaN);
    expect(third?.startedAtSecond).toBeGreaterThanOrEqual((second?.startedAtSecond ?? Number.NaN) + 0.3);
    expect(result.end.endedAtSecond).toBeGreaterThanOrEqual(third?.endedAtSecond ?? Number.NaN);
  });

  it('records that the system clock was set, and its own times stay correct', async () => {
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    const stages = [{ connections: 2, seconds: 1.5 }];
    const started = runLoad(buildJob([server.url], { threads: 1, load: { model: 'connections', stages } }), () => {
      Date.now = () => now() - 3_600_000;
    });
    const { events, end } = await started;
    expect(events).toMatchObject([{ kind: 'clockStep', text: expect.stringContaining('was set back by 1 h') }]);
    expect(end.endedAtSecond).toBeLessThan(60);
  });

  it('sends every step in turn, and distributes journeys over several targets', async () => {
    const paths = new Map<string, number>();
    const shard = await httpServer((request, response) => {
      paths.set(request.url ?? '', (paths.get(request.url ?? '') ?? 0) + 1);
      response.end();
    });
    try {
      const journey = [{ name: 'home' }, { name: 'login', path: '/login?next=1' }, { name: 'task', path: 'task', method: 'POST' as const }];
      const stages = [{ connections: 4, requests: 121 }];
      const job = buildJob([`${shard.url}a/`, `${shard.url}b/`], { threads: 2, journey, load: { model: 'connections', stages } });
      const result = await runLoad(job);
      expectExact(result, 121);
      // 121 requests are 41 journeys; the last journey has only one step.
      expect(result.journeys).toMatchObject({ started: 41, finished: 41, abandoned: 0 });
      const of = (path: string): number => paths.get(path) ?? 0;
      expect(of('/a/') + of('/b/')).toBe(41);
      expect(of('/login?next=1')).toBe(40);
      expect(of('/a/task') + of('/b/task')).toBe(40);
      expect(Math.abs(of('/a/') - of('/b/'))).toBeLessThanOrEqual(1);
      const stepCounts = result.windows.flatMap(({ cells }) => cells).map(({ step, started }) => ({ step, started }));
      expect(stepCounts.filter(({ step }) => step === 1).reduce((sum, { started }) => sum + started, 0)).toBe(40);
    } finally {
      await shard.close();
    }
  });

  it('counts exactly if the server closes the connection after each response', async () => {
    const closing = await rawServer(({ socket }) => socket.end(responseText(5, ['Server: sync/1', 'Connection: close'])));
    try {
      const stages = [{ connections: 4, requests: 300 }];
      const result = await runLoad(buildJob([closing.url], { threads: 2, load: { model: 'connections', stages } }));
      expectExact(result, closing.requests);
      expect(result.end.serverSoftware).toBe('sync/1');
    } finally {
      await closing.close();
    }
  });

  it('reports the state of this machine every second', async () => {
    const stages = [{ connections: 2, seconds: 1.2 }];
    const { readings, windows } = await runLoad(buildJob([server.url], { load: { model: 'connections', stages } }));
    expect(readings.map(({ second, overloadedBy }) => ({ second, overloadedBy }))).toEqual(
      windows.map(({ second, overloadedBy }) => ({ second, overloadedBy })),
    );
    for (const { threadCpu, eventLoopDelayMs, garbageCollectionMs, memoryBytes, scheduleLagMs } of readings) {
      expect(threadCpu).toBeGreaterThan(0);
      expect(eventLoopDelayMs).toBeGreaterThanOrEqual(0);
      expect(garbageCollectionMs).toBeGreaterThanOrEqual(0);
      expect(memoryBytes).toBeGreaterThan(10_000_000);
      expect(scheduleLagMs).toBeNull();
    }
  });

  it('sends its name as User-Agent', async () => {
    let agent: string | undefined;
    const listening = await httpServer((request, response) => {
      agent = request.headers['user-agent'];
      response.end();
    });
    await runLoad(buildJob([listening.url], { load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }));
    await listening.close();
    expect(agent).toBe('Holdfast/test (run test)');
  });
});

describe('a run with a regular expression', () => {
  it('continues after a text that needs excessive backtracking', async () => {
    // Without a limit, backtracking would practically never end for this text.
    const writing = await httpServer((_, response) => response.end(`${'a'.repeat(60)}b`));
    try {
      const journey = [{ name: 'page', checks: [{ kind: 'matches' as const, pattern: '^(a+)+$' }] }];
      const result = await runLoad(
        buildJob([writing.url], { journey, load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] } }),
      );
      expect(result.end).toMatchObject({ reason: 'completed' });
      expect(result.cell.outcomes).toEqual({ wrongBody: 5 });
    } finally {
      await writing.close();
    }
  });
});

describe('a run that ends early', () => {
  it('because it was stopped keeps all measurements and counts the requests that were not started', async () => {
    const slow = await httpServer((_, response) => setTimeout(() => response.end(), 20));
    try {
      const stages = [
        { connections: 4, requests: 100_000 },
        { connections: 1, requests: 10 },
      ];
      const result = await runLoad(buildJob([slow.url], { threads: 2, load: { model: 'connections', stages } }), (_, run) => run.stop());
      expect(result.end).toMatchObject({ reason: 'stopped', problem: null });
      expectExact(result, slow.requests);
      expect(result.inFlight).toBe(0);
      expect(result.journeys.started + result.journeys.notStartedStopped).toBe(100_010);
      expect(result.end.stages).toHaveLength(1);
      expect(result.drainingReported).toBe(1);
    } finally {
      await slow.close();
    }
  });

  it('at the limit on requests sends exactly that many', async () => {
    const stages = [{ connections: 8, seconds: 4 }];
    const safety = { maxRequests: 1_234 };
    const result = await runLoad(buildJob([server.url], { threads: 2, safety, load: { model: 'connections', stages } }));
    expect(result.end).toMatchObject({ reason: 'safety', problem: { code: 'SAFETY_MAX_REQUESTS' } });
    expectExact(result, server.requests);
    expect(server.requests).toBe(1_234);
    expect(result.events).toMatchObject([{ kind: 'safety' }]);
  });

  it('at its last planned request counts as complete, even if the limit on requests is the same', async () => {
    const stages = [{ connections: 3, requests: 50 }];
    const result = await runLoad(buildJob([server.url], { safety: { maxRequests: 50 }, load: { model: 'connections', stages } }));
    expect(result.end.reason).toBe('completed');
  });

  it('at the limit on time includes the drain', async () => {
    const hanging = await httpServer(() => {});
    try {
      const stages = [{ connections: 3, seconds: 4 }];
      const result = await runLoad(buildJob([hanging.url], { safety: { maxSeconds: 0.5 }, load: { model: 'connections', stages } }));
      expect(result.end).toMatchObject({ reason: 'safety', problem: { code: 'SAFETY_MAX_SECONDS' } });
      expect(result.inFlight).toBe(3);
      expect(result.cell.started).toBe(hanging.requests);
    } finally {
      await hanging.close();
    }
  });

  it('at the limit on the share of errors reports this safety limit', async () => {
    const failing = await httpServer((_, response) => setTimeout(() => response.writeHead(500).end(), 10));
    try {
      const stages = [{ connections: 3, seconds: 4 }];
      const safety = { stopAtErrorShare: 0.5, errorWindowSeconds: 1 };
      const result = await runLoad(buildJob([failing.url], { safety, load: { model: 'connections', stages } }));
      expect(result.end).toMatchObject({ reason: 'safety', problem: { code: 'SAFETY_ERROR_SHARE' } });
      expect(result.cell.outcomes).toEqual({ httpError: failing.requests });
    } finally {
      await failing.close();
    }
  });

  it('at a request that the driver cannot send reports the problem', async () => {
    const stages = [{ connections: 2, requests: 10 }];
    const journey = [{ name: 'page', method: 'HEAD' as const }];
    const result = await runLoad(buildJob([server.url], { journey, engine: 'autocannon', load: { model: 'connections', stages } }));
    expect(result.end).toMatchObject({ reason: 'failed', problem: { code: 'METHOD_NOT_DRIVEN' }, stages: [] });
    expect(server.requests).toBe(0);
  });

  it('at a crashed worker thread keeps all measurements', async () => {
    const stages = [{ connections: 4, seconds: 4 }];
    const result = await runLoad(
      buildJob([server.url], { threads: 2, load: { model: 'connections', stages } }),
      () => {},
      crashingWorkerEntry,
    );
    expect(result.end).toMatchObject({ reason: 'failed', problem: { code: 'WORKER_LOST' } });
    expect(result.cell.outcomes.ok).toBeGreaterThan(0);
    expect(result.events).toMatchObject([{ kind: 'failed' }]);
  });

  it('at its time limit counts the requests that were not started', async () => {
    const slow = await httpServer((_, response) => setTimeout(() => response.end(), 50));
    const stages = [{ connections: 2, requests: 10_000, seconds: 0.3 }];
    const result = await runLoad(buildJob([slow.url], { load: { model: 'connections', stages } }));
    await slow.close();
    expect(result.end.reason).toBe('completed');
    expect(result.journeys.started).toBe(slow.requests);
    expect(result.journeys.started + result.journeys.notStartedStopped).toBe(10_000);
  });

  it('before its start sends nothing', async () => {
    const stages = [{ connections: 1, requests: 10 }];
    const job = buildJob([server.url], { load: { model: 'connections', stages } });
    const { startEngine } = await import('./startEngine.ts');
    const nothing = (): void => {};
    const sink = { onDraining: nothing, onStage: nothing, onWindow: nothing, onEvent: nothing };
    const run = startEngine(job, { workerEntry: loadWorkerEntry }, sink);
    run.stop();
    expect(await run.done).toMatchObject({ reason: 'stopped', endedAtSecond: 0, stages: [] });
    expect(server.requests).toBe(0);
  });
});

describe('a missing target', () => {
  it('is counted as refused', async () => {
    const stages = [{ connections: 2, requests: 4 }];
    const result = await runLoad(buildJob([`http://127.0.0.1:${await freePort()}/`], { load: { model: 'connections', stages } }));
    expect(result.end.reason).toBe('completed');
    expect(result.cell.outcomes).toEqual({ refused: 4 });
    expect(result.end).toMatchObject({ firstBodyLengths: [null], serverSoftware: null });
  });
});
