import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { createSharedClock } from './clock.ts';
import type { WorkerData } from './messages.ts';
import { warmUp } from './warmUp.ts';

function workerData(load: PlanInput['load'], changes: Partial<PlanInput> = {}): WorkerData {
  const url = 'http://127.0.0.1:9/';
  const plan = planSchema.parse({ holdfast: 1, name: 'test', targets: [{ url }], journey: [{ name: 'page' }], load, ...changes });
  return {
    runId: 'test',
    plan,
    targets: [{ url, headers: {} }],
    steps: [{ headers: {}, body: null }],
    secrets: {},
    feeds: {},
    files: {},
    sampling: 'failures',
    userAgent: null,
    clientCertificate: null,
    thread: 1,
    threads: 2,
    generator: { index: 0, count: 1 },
    firstBodyLengths: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
    budget: new Int32Array(new SharedArrayBuffer(4)).fill(50),
    journeysInFlight: new Int32Array(new SharedArrayBuffer(4)),
    rowsTaken: new Int32Array(new SharedArrayBuffer(4)),
  };
}

const BELL: Partial<PlanInput> = { journey: [{ name: 'page', gate: 'ten' }], bells: { ten: { atSeconds: 0.5 } } };

const sockets = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP/.test(name));

describe('warmUp', () => {
  // Each request and each response is one write. The open load models add 100 requests.
  it.each<[string, number, PlanInput['load'], Partial<PlanInput>]>([
    ['autocannon', 200, { model: 'connections', stages: [{ connections: 3, requests: 50 }] }, { engine: 'autocannon' }],
    ['native', 200, { model: 'connections', stages: [{ connections: 3, seconds: 60 }] }, { engine: 'native' }],
    ['users', 400, { model: 'users', stages: [{ users: 3, seconds: 1 }] }, {}],
    ['users at a bell', 500, { model: 'users', stages: [{ users: 3, seconds: 1 }] }, BELL],
    ['arrivals at a bell', 500, { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 1 }] }, BELL],
    ['arrivals', 400, { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 1 }] }, {}],
  ])('changes no shared counters and leaves no socket open: %s', async (_name, writes, load, changes) => {
    const data = workerData(load, changes);
    const write = vi.spyOn(Socket.prototype, 'write');
    await warmUp(data, createSharedClock());
    expect(write.mock.calls.length).toBeGreaterThanOrEqual(writes);
    write.mockRestore();
    expect([data.firstBodyLengths[0], data.budget?.[0], data.journeysInFlight[0]]).toEqual([-1, 50, 0]);
    await expect.poll(sockets).toEqual([]);
  });

  it('repeats the load more often before long tests, with one result per repetition', async () => {
    const seconds = async (length: number): Promise<number> =>
      (await warmUp(workerData({ model: 'connections', stages: [{ connections: 3, seconds: length }] }), createSharedClock(), 1)).length;
    expect([await seconds(4), await seconds(5)]).toEqual([1, 3]);
  });

  it.each(['autocannon', 'native'] as const)('ends at its time limit and leaves no socket open: %s', async (engine) => {
    const write = vi.spyOn(Socket.prototype, 'write');
    await warmUp(workerData({ model: 'connections', stages: [{ connections: 3, seconds: 60 }] }, { engine }), createSharedClock(), 1);
    expect(write.mock.calls.length).toBeLessThan(10_000);
    write.mockRestore();
    await expect.poll(sockets).toEqual([]);
  });
});
