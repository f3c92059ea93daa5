import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema.ts';
import { sharedClock } from './clock.ts';
import type { WorkerData } from './messages.ts';
import { newTerminationLock } from './terminationLock.ts';
import { warmUp } from './warmUp.ts';

function dataOf(load: PlanInput['load'], changes: Partial<PlanInput> = {}): WorkerData {
  const url = 'http://127.0.0.1:9/';
  const plan = planSchema.parse({ holdfast: 1, name: 'test', targets: [{ url }], journey: [{ name: 'page' }], load, ...changes });
  return {
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
    terminationLock: newTerminationLock(),
  };
}

const sockets = (): string[] => process.getActiveResourcesInfo().filter((name) => /TCP/.test(name));

describe('warming up', () => {
  it.each<[string, PlanInput['load'], Partial<PlanInput>]>([
    ['autocannon', { model: 'connections', stages: [{ connections: 3, requests: 50 }] }, { engine: 'autocannon' }],
    ['native', { model: 'connections', stages: [{ connections: 3, seconds: 60 }] }, { engine: 'native' }],
    ['users', { model: 'users', stages: [{ users: 3, seconds: 1 }] }, {}],
    ['arrivals', { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 1 }] }, {}],
  ])('takes nothing from what the threads share, and leaves no socket open: %s', async (_name, load, changes) => {
    const data = dataOf(load, changes);
    const write = vi.spyOn(Socket.prototype, 'write');
    await warmUp(data, sharedClock());
    expect(write.mock.calls.length).toBeGreaterThanOrEqual(200);
    write.mockRestore();
    expect([data.firstBodyLengths[0], data.budget?.[0], data.journeysInFlight[0]]).toEqual([-1, 50, 0]);
    await expect.poll(sockets).toEqual([]);
  });
});
