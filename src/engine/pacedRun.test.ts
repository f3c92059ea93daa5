import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countPlannedJourneys } from '#core/work/load/planned.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { buildRunResult } from './testing/resultOf.ts';
import { crashingWorkerEntry, buildJob, runLoad } from './testing/runLoad.ts';

let server: TestServer;
beforeEach(async () => {
  server = await httpServer((_, response) => response.end('hello world'));
});
afterEach(() => server.close());

const phases = [
  { kind: 'ramp' as const, name: 'up', fromPerSecond: 0, toPerSecond: 100, seconds: 0.8, counted: false },
  { kind: 'pause' as const, seconds: 0.3 },
  { kind: 'constant' as const, name: 'hold', perSecond: 150, seconds: 0.8 },
];

describe('a run of arrivals', () => {
  it.each(['uniform', 'poisson'] as const)('balances over two threads in each stage: %s', async (spacing) => {
    const job = buildJob([server.url], { threads: 2, load: { model: 'arrivals', spacing, stages: phases } });
    const run = await runLoad(job);
    const planned = countPlannedJourneys(job.plan) ?? 0;
    expect(run.end).toMatchObject({ reason: 'completed', problem: null });
    expect(run.threads).toBe(2);
    expect(run.stagesReported).toEqual([0, 1, 2]);
    expect(server.requests).toBe(planned);
    const result = buildRunResult(job, run);
    expect(result.balances).toBe(true);
    expect(result.outcomes.journeys).toEqual({
      planned,
      started: planned,
      notStarted: { target: 0, generator: 0, stopped: 0 },
      finished: planned,
      abandoned: 0,
      running: 0,
    });
    expect(result.outcomes.requests).toMatchObject({ sent: planned, ok: planned });
    const sent = result.stages.map(({ journeys }) => journeys.planned);
    if (spacing === 'uniform') expect(sent).toEqual([40, 0, 120]);
    for (const [stage, { journeys, latency }] of result.stages.entries()) {
      expect(latency.response.count).toBe(sent[stage]);
      expect(journeys).toMatchObject({ started: sent[stage], notStartedTarget: 0, notStartedGenerator: 0 });
    }
    const spans = result.stages.map(({ startedAtSecond, endedAtSecond }) => [startedAtSecond, endedAtSecond]);
    expect(spans[0]).toEqual([0, 0.8]);
    expect(spans[1]?.[0]).toBeCloseTo(0.8, 6);
    expect(spans[1]?.[1]).toBeCloseTo(1.1, 6);
    expect(spans[2]?.[0]).toBeCloseTo(1.1, 6);
    expect(spans[2]?.[1]).toBeGreaterThanOrEqual(1.898);
    expect(run.readings.some(({ scheduleLagMs }) => scheduleLagMs !== null)).toBe(true);
  });

  it("counts the journeys that could not start because the target's responses were outstanding", async () => {
    const hanging = await httpServer(() => {});
    const stages = [{ kind: 'count' as const, arrivals: 50, seconds: 0.5 }];
    const job = buildJob([hanging.url], { threads: 2, drainSeconds: 0.3, load: { model: 'arrivals', maxInFlight: 7, stages } });
    const run = await runLoad(job);
    const result = buildRunResult(job, run);
    expect(hanging.requests).toBe(7);
    await hanging.close();
    expect(result.balances).toBe(true);
    expect(result.outcomes.journeys).toMatchObject({
      planned: 50,
      started: 7,
      notStarted: { target: 43, generator: 0, stopped: 0 },
      running: 7,
    });
    expect(result.outcomes.requests).toMatchObject({ sent: 7, inFlight: 7 });
    expect(result.stages[0]?.journeys).toMatchObject({ planned: 50, started: 7, notStartedTarget: 43, notStartedGenerator: 0 });
    expect(run.drainingReported).toBe(1);
  });

  it('counts the journeys that were not started after a stop', async () => {
    const stages = [{ kind: 'constant' as const, perSecond: 200, seconds: 4 }];
    const job = buildJob([server.url], { threads: 2, load: { model: 'arrivals', stages } });
    const run = await runLoad(job, (_, going) => going.stop());
    const result = buildRunResult(job, run);
    expect(run.end.reason).toBe('stopped');
    expect(result.balances).toBe(true);
    expect(result.outcomes.requests.sent).toBe(server.requests);
    expect(result.outcomes.journeys.notStarted.stopped).toBe(800 - server.requests);
  });

  it('keeps all measurements if a thread is lost', async () => {
    const stages = [{ kind: 'constant' as const, perSecond: 100, seconds: 4 }];
    const job = buildJob([server.url], { threads: 2, load: { model: 'arrivals', stages } });
    const run = await runLoad(job, () => {}, crashingWorkerEntry);
    const result = buildRunResult(job, run);
    expect(run.end).toMatchObject({ reason: 'failed', problem: { code: 'WORKER_LOST' } });
    expect(result.outcomes.journeys.started).toBeGreaterThan(50);
    expect(result.outcomes.journeys.planned).toBe(400);
    expect(result.balances).toBe(true);
  });

  it('ends exactly at its limit on requests', async () => {
    const stages = [{ kind: 'constant' as const, perSecond: 300, seconds: 4 }];
    const job = buildJob([server.url], { threads: 2, safety: { maxRequests: 101 }, load: { model: 'arrivals', stages } });
    const run = await runLoad(job);
    expect(run.end).toMatchObject({ reason: 'safety', problem: { code: 'SAFETY_MAX_REQUESTS' } });
    expect(server.requests).toBe(101);
    expect(buildRunResult(job, run).balances).toBe(true);
  });
});

describe('a run of users', () => {
  it('runs all stages, and measures each stage from the moment at which all its users run', async () => {
    const stages = [2, 5].map((users) => ({ users, restSeconds: 0.1, startUpSeconds: 0.3, seconds: 0.5 }));
    const load = { model: 'users' as const, thinkTime: { kind: 'fixed' as const, seconds: 0.02 }, stages };
    const job = buildJob([server.url], { threads: 2, load });
    const run = await runLoad(job);
    const result = buildRunResult(job, run);
    expect(run.end.reason).toBe('completed');
    expect(run.stagesReported).toEqual([0, 1]);
    expect(result.balances).toBe(true);
    expect(result.outcomes.requests).toMatchObject({ sent: server.requests, ok: server.requests });
    const counted = result.stages.map(({ latency }) => latency.response.count);
    for (const count of counted) expect(count).toBeGreaterThan(0);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBeLessThan(server.requests);
    for (const { startedAtSecond, endedAtSecond } of result.stages) {
      expect((endedAtSecond ?? 0) - (startedAtSecond ?? 0)).toBeGreaterThanOrEqual(0.498);
    }
    expect(result.stages[0]?.startedAtSecond).toBeCloseTo(0.4, 6);
  });
});
