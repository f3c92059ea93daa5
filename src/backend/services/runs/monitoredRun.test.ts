import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { hasSshServer, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/** A load that does not end by itself. It is limited by requests, because a load with a long planned duration would include a warm-up. */
const ENDLESS: PlanInput['load'] = { model: 'connections', stages: [{ connections: 1, requests: 100_000 }] };

let target: TestTarget;
let server: SshServer | null = null;
let test: TestBackend;

beforeEach(async () => {
  target = await startTarget({ serviceMs: 50 });
});
afterEach(async () => {
  await test.close();
  await server?.stop();
  server = null;
  await target.close();
});

async function startHost(): Promise<SshServer> {
  server = await startSshServer();
  const home = temporaryDirectory();
  const knownHostsFile = join(home, 'known');
  writeFileSync(knownHostsFile, server.knownHosts);
  test = await startTestBackend({ ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: knownHostsFile } });
  const host = { name: 'there', address: '127.0.0.1', port: server.port, keyPath: server.clientKey };
  await test.client.call('hosts.add', { host });
  return server;
}

/** Starts a load that does not end by itself. `until` waits for a state of its live view. */
async function going(monitors: PlanInput['monitors']) {
  const { runId } = await test.client.call('runs.start', { plan: planFor(`${target.url}page`, { load: ENDLESS, monitors }) });
  const seen = new Map<string, { state: string; points: number }>();
  let check = (): void => {};
  const watched = watchToEnd(test.client, runId, (live) => {
    for (const { info, points } of live.monitors)
      seen.set(info.name, { state: info.state, points: (seen.get(info.name)?.points ?? 0) + points.length });
    check();
  });
  return {
    runId,
    until: (isSo: (monitors: typeof seen) => boolean) =>
      new Promise<void>((resolve) => {
        check = () => isSo(seen) && resolve();
        check();
      }),
    async stop() {
      await test.client.call('runs.stop', { runId });
      await watched;
      return test.client.call('runs.result', { runId });
    },
  };
}

const getPoints = (seen: ReadonlyMap<string, { points: number }>, name: string): number => seen.get(name)?.points ?? 0;

function expectReadings({ second, width, values }: MonitorResult): void {
  expect(second.length).toBeGreaterThanOrEqual(2);
  for (const [row, start] of second.entries()) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(start + (width[row] ?? 0)).toBeLessThanOrEqual((second[row + 1] ?? Number.POSITIVE_INFINITY) + 0.002);
  }
  const used = values['cpu.used'] ?? [];
  expect(used).toSatisfy((shares: (number | null)[]) => shares.every((share) => share !== null && share >= 0 && share <= 1));
  expect(Math.max(...used.map(Number))).toBeGreaterThan(0);
  expect(values['memory.used']?.every((bytes) => bytes !== null && bytes > 1e6)).toBe(true);
  expect(values['net.in:lo']?.some((perSecond) => perSecond !== null && perSecond > 0)).toBe(true);
  expect(values['timeWait.all']?.every((count) => count !== null)).toBe(true);
}

describe.skipIf(process.platform !== 'linux')('monitoring during a run', () => {
  it('monitors the load generator by default', async () => {
    test = await startTestBackend();
    const run = await going(undefined);
    await run.until((seen) => getPoints(seen, 'this computer') >= 2);
    const { monitors, run: head } = await run.stop();
    expect(monitors).toMatchObject([{ name: 'this computer', role: 'generator', host: null, state: 'ended', problem: null }]);
    monitors.forEach(expectReadings);
    expect(JSON.parse((await test.client.call('runs.export', { runId: head.id, format: 'json' })).content)).toMatchObject({ monitors });
  });

  it('monitors until the end of a run, even if a run ends within a second', async () => {
    test = await startTestBackend();
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 10, seconds: 1.7 }] };
    const { runId } = await test.client.call('runs.start', { plan: planFor(`${target.url}page`, { load }) });
    await watchToEnd(test.client, runId);
    const { monitors } = await test.client.call('runs.result', { runId });
    const [{ second, width } = { second: [], width: [] }] = monitors;
    const readUntil = (second.at(-1) ?? 0) + (width.at(-1) ?? 0);
    expect(readUntil).toBeGreaterThan(1.45);
  });

  it.skipIf(!hasSshServer)('includes a host and its programs; a lost host is named, and monitored again when it is back', async () => {
    const sshd = await startHost();
    const run = await going([{ kind: 'machine', host: 'there', processes: ['sshd'] }]);
    await run.until((seen) => getPoints(seen, 'there') >= 2);
    const [session] = sshd.pidsOf('holdfast monitor');
    process.kill(session ?? 0, 'SIGKILL');
    await run.until((seen) => seen.get('there')?.state === 'lost');
    await run.until((seen) => seen.get('there')?.state === 'watching');
    const { monitors, events, run: head, balances } = await run.stop();
    expect([head.state, balances]).toEqual(['stopped', true]);
    const [here, host] = monitors;
    expect(here?.state).toBe('ended');
    expect(host).toMatchObject({ name: 'there', role: 'target', host: 'there', state: 'ended', problem: null });
    if (host) expectReadings(host);
    expect(host?.values['process.memory:sshd']?.some((bytes) => bytes !== null && bytes > 100_000)).toBe(true);
    expect(events.filter(({ kind }) => kind === 'monitor').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^there is no longer monitored: .* The run continues\.$/),
      'there is monitored again.',
    ]);
    await expect.poll(() => sshd.pidsOf('holdfast monitor'), { timeout: 30_000 }).toEqual([]);
  });

  it.skipIf(!hasSshServer)('lets a run end as planned if a monitored machine disappears', async () => {
    const sshd = await startHost();
    const run = await going([{ kind: 'machine', host: 'there' }]);
    await run.until((seen) => getPoints(seen, 'there') >= 1);
    await sshd.stop();
    await run.until((seen) => seen.get('there')?.state === 'lost');
    const { monitors, verdict, run: head } = await run.stop();
    expect(head.state).toBe('stopped');
    expect(monitors[1]).toMatchObject({ state: 'lost', problem: expect.stringContaining('there') });
    expect(verdict.outcome).not.toBe('failed');
  });

  it('rejects a plan with an unknown host', async () => {
    test = await startTestBackend();
    const plan = planFor(`${target.url}page`, { monitors: [{ kind: 'machine', host: 'nowhere' }] });
    await expect(test.client.call('runs.start', { plan })).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    expect((await test.client.call('runs.list', {})).runs).toEqual([]);
    expect(target.log).toEqual([]);
  });
});
