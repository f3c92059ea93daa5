import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { hasSshServer, type SshServer, type SshServerOptions, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { HELD, watchVisited } from '#backend/visits/testing/heldLoad.ts';
import { LOG_IN, startJourneyServer, takePart } from '#backend/visits/testing/journeyServer.ts';
import { type PageServer, startPageServer } from '#backend/visits/testing/pageServer.ts';

let pages: PageServer;
let server: SshServer;
let test: TestBackend;
beforeEach(async () => {
  pages = await startPageServer();
});
afterEach(async () => {
  await test.close();
  await server.stop();
  await pages.close();
});

/** A backend that knows a host called `there`, and its key where that is wanted. */
async function there(options: SshServerOptions = {}, isTrusted = true): Promise<void> {
  server = await startSshServer(options);
  const home = temporaryDirectory();
  const known = join(home, 'known');
  writeFileSync(known, isTrusted ? server.knownHosts : '');
  test = await startTestBackend({ ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: known }, visitsWithoutLoad: 1 });
  const host = { name: 'there', address: '127.0.0.1', port: server.port, keyPath: server.clientKey };
  await test.client.call('hosts.add', { host });
}

/** A load that lasts until it is let go, while the page is watched. */
const plan = (changes: Partial<PlanInput> = {}) =>
  planFor(`${pages.url}held`, {
    ...HELD,
    watchPages: [{ name: 'shop', url: '/' }],
    watchFrom: 'there',
    ...changes,
  });

const browsers = (): number[] => server.pidsOf('holdfast-visits-');

describe.skipIf(!hasSshServer)('a run that is watched from a host', { timeout: 120_000 }, () => {
  it('is visited from there, as often as the server counted, and leaves nothing', async () => {
    await there();
    const { runId } = await test.client.call('runs.start', { plan: plan() });
    expect(browsers().length).toBeGreaterThan(0);
    await watchVisited(test.client, runId, pages);
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true, visits: { from: 'there' } });
    const { visits } = result;
    expect(visits?.visits.every(({ problem, steal }) => problem === null && steal !== null)).toBe(true);
    expect(new Set(visits?.visits.map(({ when }) => when))).toEqual(new Set(['before', 'during', 'after']));
    // The load asks for another file; one visit more warms the browser up.
    expect(pages.visits).toBe((visits?.visits.length ?? 0) + 1);
    expect(pages.agents.every((agent) => agent.includes('Chrome/') && agent.includes('Holdfast/'))).toBe(true);
    const { content } = await test.client.call('runs.export', { runId, format: 'html' });
    expect(String(content)).toContain('visited beside the load, seen from there.');
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('takes a journey there, each visit with an account of its own', async () => {
    const contest = await startJourneyServer();
    onTestFinished(() => contest.close());
    const accounts = join(temporaryDirectory(), 'accounts.csv');
    writeFileSync(accounts, `username,password\n${['ada', 'bob', 'cyd'].map((name) => `${name},pw-of-${name}\n`).join('')}`);
    await there();
    const { runId } = await test.client.call('runs.start', {
      plan: planFor(`${contest.url}held`, {
        ...HELD,
        feeds: { account: { file: accounts } },
        watchPages: [takePart([LOG_IN, { name: 'Task', click: 'css=a', title: 'Sum of two' }])],
        watchFrom: 'there',
      }),
    });
    await watchVisited(test.client, runId, contest);
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true, visits: { from: 'there' } });
    const visits = result.visits?.visits ?? [];
    expect(visits.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(new Set(visits.map(({ when }) => when))).toEqual(new Set(['before', 'during', 'after']));
    // The whole, its first page, the login and the task are an entry each; one journey more warms the browser up.
    const journeys = visits.filter(({ page }) => page === 0).length;
    expect([1, 2, 3].map((entry) => visits.filter(({ page }) => page === entry).length)).toEqual([journeys, journeys, journeys]);
    expect(contest.logins).toHaveLength(journeys + 1);
    expect(contest.logins.slice(0, 3)).toEqual(['cyd:pw-of-cyd', 'bob:pw-of-bob', 'ada:pw-of-ada']);
    const { content } = await test.client.call('runs.export', { runId, format: 'html' });
    expect(String(content)).not.toContain('pw-of-');
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('goes on without visits when their connection breaks off, and says so', async () => {
    await there();
    const { runId } = await test.client.call('runs.start', { plan: plan() });
    let hasCut = false;
    await watchToEnd(test.client, runId, ({ visit, events }) => {
      if (events.some(({ kind }) => kind === 'visits')) pages.held.resolve();
      if (hasCut || visit?.when !== 'during') return;
      hasCut = true;
      server.cut();
    });
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    expect(result.events.find(({ kind }) => kind === 'visits')?.text).toBe('The browser on there ended during the load, so visits ended.');
    expect(result.visits?.visits.every(({ problem }) => problem === null)).toBe(true);
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('takes its browser along when it is stopped', async () => {
    await there();
    const { runId } = await test.client.call('runs.start', { plan: plan({ drainSeconds: 0 }) });
    await test.client.call('runs.stop', { runId });
    await watchToEnd(test.client, runId);
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('does not start where there is no browser, no such page, no such host or no trust', async () => {
    await there({ hasBrowser: false });
    const start = (changes: Partial<PlanInput> = {}) => test.client.call('runs.start', { plan: plan(changes) });
    await expect(start()).rejects.toMatchObject({ code: 'NO_BROWSER' });
    await expect(start({ watchFrom: 'nowhere' })).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total: 0 });
    await test.close();
    await server.stop();
    await there();
    await expect(start({ watchPages: [{ url: '/nowhere' }] })).rejects.toThrow(
      'The browser on there could not see “/nowhere” before the load: status 404.',
    );
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
    await test.close();
    await server.stop();
    await there({}, false);
    await expect(start()).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
  });
});
