import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { makeStandIn, putOnPath, type StandIn } from '#engine/k6/testing/standIn.ts';

const PLAN = planSchema.parse({
  holdfast: 1,
  name: 'by k6',
  engine: 'k6',
  targets: [{ url: 'http://127.0.0.1:1/' }],
  journey: [{ name: 'page' }],
  load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 40, seconds: 2 }] },
  criteria: [{ kind: 'errors', maxShare: 0.01 }],
});

describe('a run with the engine k6 (imitated by a program that writes the output of k6)', () => {
  let backend: TestBackend;
  let standIn: StandIn;
  let restorePath: () => void;

  beforeEach(async () => {
    standIn = await makeStandIn({ journeys: 40, perSecond: 20 });
    restorePath = putOnPath(standIn.folder);
    backend = await startTestBackend();
  });
  afterEach(async () => {
    await backend.close();
    restorePath();
    await standIn.remove();
  });

  it('ends with an ordinary result that names k6', async () => {
    const { client } = backend;
    expect(await client.call('app.k6', {})).toEqual({ version: '1.8.1', problem: null });
    const { runId } = await client.call('runs.start', { plan: PLAN });
    await watchToEnd(client, runId);
    const result = await client.call('runs.result', { runId });
    expect(result).toMatchObject({
      balances: true,
      outcomes: { requests: { sent: 40, ok: 36, httpError: 4 }, journeys: { planned: 40, started: 40, finished: 40 } },
      verdict: { outcome: 'failed' },
      generators: [{ engine: 'k6', engineVersion: '1.8.1' }],
      stages: [{ journeys: { planned: 40, offeredShare: 1 } }],
      bodyLength: { first: null },
      phases: { scheduleLag: null },
    });
    expect(result.events.some(({ kind, text }) => kind === 'k6' && text.includes('does not report schedule lag'))).toBe(true);
  }, 60_000);

  it('does not start without k6, or on a host, and stores nothing', async () => {
    const { client } = backend;
    await expect(client.call('runs.start', { plan: PLAN, on: ['web1'] })).rejects.toMatchObject({ code: 'K6_ONLY_HERE' });
    await standIn.remove();
    process.env['PATH'] = standIn.folder;
    await expect(client.call('runs.start', { plan: PLAN })).rejects.toMatchObject({ code: 'K6_MISSING' });
    expect(await client.call('app.k6', {})).toMatchObject({ version: null, problem: { code: 'K6_MISSING' } });
    expect((await client.call('runs.list', {})).runs).toEqual([]);
  });
});
