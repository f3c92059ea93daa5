import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { resultSchema } from '#core/result/schema.ts';
import { BROWSER_VARIABLE } from '#backend/browser/findBrowser.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { HELD_LOAD, watchVisited } from './testing/heldLoad.ts';
import { LOG_IN, startJourneyServer, participationJourney } from './testing/journeyServer.ts';
import { type PageServer, startPageServer } from './testing/pageServer.ts';

let server: PageServer;
let test: TestBackend;
beforeAll(() => void vi.stubEnv(BROWSER_VARIABLE, browserOfWalks()));
afterAll(() => void vi.unstubAllEnvs());
beforeEach(async () => {
  server = await startPageServer();
});
afterEach(async () => {
  await test.close();
  await server.close();
});

describe('a run with a watched page', () => {
  it('visits the page before, during and after the load, with a filmstrip of the median visit', { timeout: 120_000 }, async () => {
    test = await startTestBackend();
    const stages = ['light', 'heavy'].map((name) => ({ name, connections: 1, requests: 1 }));
    const plan = planFor(`${server.url}held`, {
      ...HELD_LOAD,
      load: { model: 'connections', stages },
      watchPages: [{ name: 'shop', url: '/' }],
      criteria: [{ kind: 'responseTime', of: 'visits', percentile: 50, maxMs: 2_500 }],
    });
    const seen: number[] = [];
    const { runId } = await test.client.call('runs.start', { plan });
    await watchVisited(test.client, runId, server, ({ visit }) => {
      if (visit !== undefined) seen.push(visit.number);
    });
    const result = await test.client.call('runs.result', { runId });
    expect(resultSchema.safeParse(result).error?.issues ?? []).toEqual([]);
    const { visits } = result;
    expect(visits?.browser).toMatch(/^Chromium \d+/);
    const visitsAt = (which: string) => visits?.visits.filter(({ when }) => when === which) ?? [];
    expect(visitsAt('before')).toHaveLength(4);
    expect(visits?.visits.some(({ when, stage }) => when === 'during' && stage !== null)).toBe(true);
    expect(visits?.visits.every(({ problem, largestPaintMs }) => problem === null && largestPaintMs !== null)).toBe(true);
    // Slow visits on a busy computer are irrelevant here.
    expect(visitsAt('before').every(({ largestPaintMs }) => Number(largestPaintMs) > server.pictureMs)).toBe(true);
    expect(visitsAt('after').length).toBeGreaterThan(0);
    const [calm] = visits?.filmstrips ?? [];
    expect(calm?.frames.length).toBeGreaterThan(0);
    expect(seen.length, 'the last visit is shown while the run goes').toBeGreaterThan(0);
    expect(result.criteria.filter(({ isDefault }) => isDefault !== true)).toHaveLength(2);
    const { content } = await test.client.call('runs.export', { runId, format: 'html' });
    expect(String(content)).toContain('data:image/jpeg;base64,');
    await test.client.call('runs.remove', { runId });
  });

  it('walks a journey with an account from its feed, and reports each step by name', { timeout: 240_000 }, async () => {
    // The feed has one row for each visit except the very first, which does not count.
    test = await startTestBackend({ visitsWithoutLoad: 1 });
    const site = await startJourneyServer();
    const file = join(temporaryDirectory(), 'accounts.csv');
    writeFileSync(file, 'username,password\nbob,first-password\nada,last-password\n');
    const plan = planFor(`${site.url}held`, {
      ...HELD_LOAD,
      feeds: { account: { file } },
      watchPages: [participationJourney([LOG_IN, { name: 'Task', click: 'Sum of two' }])],
      criteria: [{ kind: 'responseTime', of: 'visits', step: 'Log in', percentile: 50, maxMs: 2_500 }],
    });
    site.taskStatus = 500;
    await expect(test.client.call('runs.start', { plan })).rejects.toThrow(
      'The browser could not see “Take part” before the load: “Task”: status 500.',
    );
    expect(await test.client.call('runs.list', {})).toMatchObject({ runs: [] });
    site.taskStatus = 200;
    const { runId } = await test.client.call('runs.start', { plan });
    site.taskStatus = 500;
    await watchVisited(test.client, runId, site);
    const result = await test.client.call('runs.result', { runId });
    expect(resultSchema.safeParse(result).error?.issues ?? []).toEqual([]);
    expect(new Set(site.logins)).toEqual(new Set(['bob:first-password', 'ada:last-password']));
    const { visits } = result;
    expect(visits?.pages.map(({ kind, name, journey }) => [kind, name, journey])).toEqual([
      ['journey', 'Take part', null],
      ['step', '/login', 'Take part'],
      ['step', 'Log in', 'Take part'],
      ['step', 'Task', 'Take part'],
    ]);
    const problems = (when: string) => new Set(visits?.visits.flatMap((one) => (one.when === when ? `${one.page}: ${one.problem}` : [])));
    expect(problems('before')).toEqual(new Set(['0: null', '1: null', '2: null', '3: null']));
    expect(problems('during')).toEqual(new Set(['0: “Task”: status 500', '1: null', '2: null', '3: status 500']));
    expect(result.criteria.filter(({ isDefault }) => isDefault !== true)).toMatchObject([{ step: 'Log in' }]);
    const stored = JSON.stringify(result);
    expect(stored).not.toMatch(/(first|last)-password/);
    const films = visits?.filmstrips.map(({ page, visit }) => [page, visits.visits[visit]?.problem]);
    expect(films).toContainEqual([2, null]);
    expect(films).toContainEqual([3, 'status 500']);
    await site.close();
  });

  it('does not start without a browser', { timeout: 60_000 }, async () => {
    test = await startTestBackend();
    vi.stubEnv(BROWSER_VARIABLE, '/nowhere/chromium');
    await expect(test.client.call('runs.start', { plan: planFor(server.url, { watchPages: [{}] }) })).rejects.toMatchObject({
      code: 'NO_BROWSER',
      hint: expect.stringContaining('remove the watched pages'),
    });
  });
});
