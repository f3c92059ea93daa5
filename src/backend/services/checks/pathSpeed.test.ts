import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasSshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/** A response so large that the limit cuts off much of it. */
const BODY = Buffer.alloc(900_000, 'x');

let server: Server;
let paths: string[];
let test: TestBackend;

beforeEach(async () => {
  paths = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    server.emit('asked', request.url);
    if (request.url === '/slow') setTimeout(() => response.end(BODY.subarray(0, 20_000)), 100);
    else response.end(BODY);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await test.close();
  server.closeAllConnections();
  server.close();
});

function originOfServer(): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('checks.path', { timeout: 60_000 }, () => {
  it('measures on the first path of the plan, and reports the measurement in later runs', async () => {
    test = await startTestBackend();
    const plan = planFor(`${originOfServer()}/`, {
      journey: [
        { name: 'log in', method: 'POST', path: '/login' },
        { name: 'page', path: '/page?a=1' },
      ],
    });
    const finding = await test.client.call('checks.path', { plan });
    expect(finding).toMatchObject({
      id: 'pathSpeed',
      level: 'ok',
      title: expect.stringMatching(/[\d,.]+ Mbit\/s between this computer and http/),
    });
    expect(finding.matters).toContain('At 900 kB per response');
    // One request for the start page measured the size of its response before.
    expect(new Set(paths)).toEqual(new Set(['/', '/page?a=1']));
    const { runId } = await test.client.call('runs.start', { plan: planFor(`${originOfServer()}/`) });
    await watchToEnd(test.client, runId);
    const { events } = await test.client.call('runs.result', { runId });
    expect(events.find(({ kind }) => kind === 'path')).toMatchObject({
      second: 0,
      data: { from: 'this computer', to: originOfServer(), megabits: expect.any(Number) },
    });
  });

  it('measures nothing before the user has agreed, or without a network path', async () => {
    test = await startTestBackend();
    const unpermitted = test.stranger.call('checks.path', { plan: planFor('http://load.example/') });
    await expect(unpermitted).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    const local = planFor(`${originOfServer()}/`, { connections: { socketPath: '/run/nothing' } });
    expect((await test.client.call('checks.path', { plan: local })).level).toBe('unknown');
    expect(paths).toEqual([]);
    await expect(test.client.call('checks.path', {})).rejects.toMatchObject({ code: 'NO_PATH' });
  });

  it('measures nothing during a load', async () => {
    test = await startTestBackend();
    const load = { model: 'connections' as const, stages: [{ connections: 1, seconds: 4 }] };
    const { runId } = await test.client.call('runs.start', { plan: planFor(`${originOfServer()}/`, { load }) });
    const plan = planFor(`${originOfServer()}/measured`);
    await expect(test.client.call('checks.path', { plan })).rejects.toMatchObject({ code: 'RUN_GOING', data: { runId } });
    await test.client.call('runs.stop', { runId });
    await watchToEnd(test.client, runId);
    expect(paths).not.toContain('/measured');
  });

  it('delays a load that starts during the measurement, and rejects another measurement', async () => {
    test = await startTestBackend();
    const plan = planFor(`${originOfServer()}/`, { journey: [{ name: 'page', path: '/slow' }] });
    const measured = test.client.call('checks.path', { plan });
    // The start page was requested once before.
    while (!paths.includes('/slow')) await once(server, 'asked');
    const started = test.client.call('runs.start', { plan: planFor(`${originOfServer()}/loaded`) });
    await expect(test.client.call('checks.path', { plan })).rejects.toMatchObject({ code: 'RUN_GOING' });
    expect(paths).not.toContain('/loaded');
    expect(await measured).toMatchObject({ title: expect.stringContaining('Mbit/s between this computer and') });
    await watchToEnd(test.client, (await started).runId);
    expect(paths.filter((path) => path === '/loaded')).toHaveLength(50);
    expect(paths.lastIndexOf('/slow')).toBeLessThan(paths.indexOf('/loaded'));
  });
});

it.skipIf(!hasSshServer)(
  'the speed of the network path between a host and this computer is measured both ways, over SSH',
  { timeout: 60_000 },
  async () => {
    const sshd = await startSshServer();
    try {
      const home = temporaryDirectory();
      const knownHostsFile = join(home, 'known');
      writeFileSync(knownHostsFile, sshd.knownHosts);
      test = await startTestBackend({ ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: knownHostsFile } });
      await test.client.call('hosts.add', { host: { name: 'there', address: '127.0.0.1', port: sshd.port, keyPath: sshd.clientKey } });
      const { level, title, evidence } = await test.client.call('checks.path', { host: 'there', role: 'target' });
      expect([level, title]).toEqual([
        'ok',
        expect.stringMatching(/^From there to this computer at least \d[\d.]* Mbit\/s, back at least \d[\d.]* Mbit\/s$/),
      ]);
      const [, down, up] = /To this computer: ([\d.]+) MB.* Back: ([\d.]+) MB/.exec(evidence) ?? [];
      expect(Math.max(Number(down), Number(up))).toBeLessThanOrEqual(8.1);
      expect(Math.min(Number(down), Number(up))).toBeGreaterThan(0);
    } finally {
      await sshd.stop();
    }
  },
);
