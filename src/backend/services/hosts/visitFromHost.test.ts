import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { type HostsBackend, startHostsBackend } from '#backend/remote/testing/hostsBackend.ts';
import { hasSshServer, type SshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { HELD_LOAD } from '#backend/visits/testing/heldLoad.ts';
import { LOG_IN, startJourneyServer, participationJourney } from '#backend/visits/testing/journeyServer.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { type PageServer, startPageServer } from '#backend/visits/testing/pageServer.ts';

let pages: PageServer;
/** The host named `there`. */
let server: SshServer;
let test: HostsBackend;

/** Returns a plan with a watched page, whose load lasts until the test releases it. */
const plan = (changes: Partial<PlanInput> = {}) =>
  planFor(`${pages.url}held`, { ...HELD_LOAD, watchPages: [{ name: 'shop', url: '/' }], watchFrom: 'there', ...changes });

const start = (changes?: Partial<PlanInput>): Promise<{ runId: string }> => test.client.call('runs.start', { plan: plan(changes) });
const browsers = (): number[] => server.pidsOf('holdfast-visits-');

describe.skipIf(!hasSshServer)('a run with visits from a host', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startSshServer({ browser: browserOfWalks() });
    test = await startHostsBackend({ visitsWithoutLoad: 1 });
    await test.know('there', server);
  });
  afterAll(async () => {
    await test?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    pages = await startPageServer();
  });
  afterEach(() => pages.close());

  it('visits pages and journeys from the host as often as the servers counted, each visit with its own account, and leaves nothing behind', async () => {
    const contest = await startJourneyServer();
    onTestFinished(() => contest.close());
    const folder = temporaryDirectory();
    const file = join(folder, 'accounts.csv');
    writeFileSync(file, `username,password\n${['ada', 'bob', 'cyd'].map((name) => `${name},pw-of-${name}\n`).join('')}`);
    const journey = participationJourney([LOG_IN]);
    const { runId } = await start({
      feeds: { account: { file } },
      watchPages: [
        { name: 'shop', url: '/' },
        { ...journey, url: `${contest.url}login` },
      ],
    });
    expect(browsers().length).toBeGreaterThan(0);
    // The last step of a journey is reported last.
    await watchToEnd(test.client, runId, ({ visit }) => {
      if (visit?.when === 'during' && visit.page > 0) pages.held.resolve();
    });
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true, visits: { from: 'there' } });
    const visits = result.visits?.visits ?? [];
    expect(visits.filter(({ problem, steal }) => problem !== null || steal === null)).toEqual([]);
    // Entry numbers: 0 is the page, 1 the whole journey, 2 the journey's first page, 3 the login.
    const visitsOf = (entry: number) => visits.filter(({ page }) => page === entry);
    for (const entry of [0, 1, 2, 3])
      expect(new Set(visitsOf(entry).map(({ when }) => when))).toEqual(new Set(['before', 'during', 'after']));
    const journeys = visitsOf(1).length;
    expect([2, 3].map((entry) => visitsOf(entry).length)).toEqual([journeys, journeys]);
    // The load requests another file, so these counts contain only visits. One extra visit to each warms up the browser.
    expect([pages.visits, contest.logins.length]).toEqual([visitsOf(0).length + 1, journeys + 1]);
    expect(contest.logins.slice(0, 3)).toEqual(['cyd:pw-of-cyd', 'bob:pw-of-bob', 'ada:pw-of-ada']);
    expect(pages.agents.every((agent) => agent.includes('Chrome/') && agent.includes('Holdfast/'))).toBe(true);
    const { content } = await test.client.call('runs.export', { runId, format: 'html' });
    expect(String(content)).toContain('visited beside the load, seen from there.');
    expect(String(content)).not.toContain('pw-of-');
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('continues without visits when the connection to its browser breaks, and reports that', async () => {
    const { runId } = await start();
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

  it('ends its browser when it is stopped', async () => {
    const { runId } = await start({ drainSeconds: 0 });
    await test.client.call('runs.stop', { runId });
    await watchToEnd(test.client, runId);
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
  });

  it('does not start if a page, host or browser is missing, or if the user has not agreed', async () => {
    const { total } = await test.client.call('runs.list', {});
    await expect(start({ watchPages: [{ url: '/nowhere' }] })).rejects.toThrow(
      'The browser on there could not see “/nowhere” before the load: status 404.',
    );
    await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
    await expect(start({ watchFrom: 'nowhere' })).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    const bare = await startSshServer({ hasBrowser: false });
    onTestFinished(() => bare.stop());
    await test.know('bare', bare, false);
    await expect(start({ watchFrom: 'bare' })).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
    await test.know('bare', bare);
    await expect(start({ watchFrom: 'bare' })).rejects.toMatchObject({ code: 'NO_BROWSER' });
    expect(await test.client.call('runs.list', {})).toMatchObject({ total });
  });
});
