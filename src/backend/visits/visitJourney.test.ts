import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { BROWSER_VARIABLE } from '#backend/browser/findBrowser.ts';
import { readCpuTimes } from '#engine/procFiles.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { allowedHosts, launchBrowser } from './browser.ts';
import { visitorStepsOf } from './enteredTexts.ts';
import { freshContext, type Visitor } from './tab.ts';
import { type JourneyServer, type JourneySteps, LOG_IN, startJourneyServer, participationJourney } from './testing/journeyServer.ts';
import { visitJourney } from './visitJourney.ts';
import type { SeenVisit } from './visitPage.ts';

let server: JourneyServer;
let browser: Browser;
beforeAll(async () => {
  vi.stubEnv(BROWSER_VARIABLE, browserOfWalks());
  server = await startJourneyServer();
  browser = await launchBrowser(getPlan([LOG_IN]));
}, 60_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await browser.close();
  await server.close();
});
beforeEach(() => Object.assign(server, { loginMs: 0, rankingMs: 0, taskStatus: 200 }));

function getPlan(steps: JourneySteps) {
  return planSchema.parse({
    holdfast: 1,
    name: 'seen',
    targets: [{ url: server.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    feeds: { account: { file: 'accounts.csv' } },
    watchPages: [participationJourney(steps)],
  });
}

/** Walks a journey with the account `ada` and this password, right or wrong. */
async function walk(steps: JourneySteps, password = 'correct-password'): Promise<SeenVisit[]> {
  const plan = getPlan(steps);
  const [page] = plan.watchPages ?? [];
  if (page === undefined) throw new Error('No page is watched.');
  const visitor: Visitor = {
    browser,
    readProcessors: async () => readCpuTimes(),
    page,
    address: `${server.url}login`,
    allowed: new Set(allowedHosts(plan)),
    identity: 'Holdfast/0.1.0',
    ignoresCertificates: false,
  };
  const rows = [
    ['bob', 'never-used'],
    ['ada', password],
  ];
  const feeds = { account: { columns: ['username', 'password'], rows, order: 'sequential' as const } };
  const context = await freshContext(visitor);
  const seenVisits = await visitJourney(visitor, '/login', visitorStepsOf(plan, page, { id: 'test', feeds, secrets: {} }, 0), context);
  await context.close();
  return seenVisits;
}

describe('visitJourney', { timeout: 60_000 }, () => {
  it('logs in with an account from the feed, follows links, and times each step from its click', async () => {
    server.loginMs = 400;
    server.rankingMs = 1_000;
    const seenVisits = await walk([
      LOG_IN,
      { name: 'Ranking', click: 'Ranking' },
      { name: 'Task', click: 'Sum of two', title: 'Sum of two' },
    ]);
    expect(seenVisits.map(({ seen: { problem } }) => problem)).toEqual([null, null, null, null, null]);
    expect(server.logins.at(-1), 'rows are taken from the end of the file').toBe('ada:correct-password');
    const [whole, first, login, ranking, task] = seenVisits.map((one) => one.seen);
    expect(login?.firstByteMs, 'the wait for the login counts').toBeGreaterThanOrEqual(400);
    expect(login?.largestPaintMs).toBeGreaterThan(login?.firstByteMs ?? Infinity);
    expect(login?.clickMs).toBeNull();
    expect(ranking?.clickMs, 'the page does not change before the response').toBeLessThan(ranking?.largestPaintMs ?? 0);
    expect(ranking?.largestPaintMs, 'it was waited for').toBeGreaterThanOrEqual(1_000);
    expect(ranking?.firstByteMs).toBeNull();
    expect(ranking?.requests).toBe(1);
    expect(task?.largestPaintMs).toBeGreaterThan(0);
    const sum = [first, login, ranking, task].reduce((total, one) => total + (one?.largestPaintMs ?? Infinity), 0);
    expect(whole?.largestPaintMs).toBeCloseTo(sum, 3);
    expect(whole?.tookMs).toBeGreaterThan(sum);
    expect(seenVisits[1]?.frames.length).toBeGreaterThan(0);
    expect(seenVisits[4]?.frames.length).toBeGreaterThan(0);
    // Frames of the login step begin only at the page after the password was entered.
    expect(seenVisits[2]?.frames.length).toBeGreaterThan(0);
    expect(seenVisits[2]?.frames.every(({ atMs }) => atMs >= 0)).toBe(true);
  });

  it('selects radio buttons, checkboxes and list options', async () => {
    const fill = { Four: '4', 'css=[name="in"]': 'm', 'css=[name="sure"][value="yes"]': 'yes' };
    const seenVisits = await walk([LOG_IN, { name: 'Task', click: 'Sum of two' }, { name: 'Send', fill, click: 'Send', path: '/sum' }]);
    expect(seenVisits.map(({ seen: { problem } }) => problem)).toEqual([null, null, null, null, null]);
    expect(server.sums.at(-1)).toBe('/sum?sum=4&in=m&sure=yes');
  });

  it('keeps no screenshot that shows a password', async () => {
    // The step that sends nothing waits for a page that never comes.
    const [refused, unsentSteps] = await Promise.all([walk([LOG_IN], 'wrong-password'), walk([{ ...LOG_IN, click: 'Sign up' }])]);
    expect(server.logins.at(-1)).toBe('ada:wrong-password');
    expect(refused.at(-1)?.seen.problem).toBe('the page is at “/login”, not at “/contest”');
    expect(refused.at(-1)?.frames).toEqual([]);
    const unsent = unsentSteps.at(-1);
    expect(unsent?.seen.problem).toBe('“Sign up” could not be clicked');
    expect(unsent?.frames, 'the password stands in its field').toEqual([]);
    expect(JSON.stringify([refused, unsent])).not.toMatch(/(wrong|correct)-password/);
  });

  it('ends at the step that fails, and reports step, reason and picture', async () => {
    server.taskStatus = 500;
    const seenVisits = await walk([LOG_IN, { name: 'Task', click: 'Sum of two' }, { name: 'Later', url: '/contest' }]);
    expect(seenVisits).toHaveLength(4);
    expect(seenVisits[0]?.seen).toMatchObject({ problem: '“Task”: status 500', largestPaintMs: null });
    expect(seenVisits[3]?.seen.problem).toBe('status 500');
    expect(seenVisits[3]?.frames.length).toBeGreaterThan(0);
    // Both journeys wait for something that never comes, so they run in parallel.
    const [absent, unfilled] = await Promise.all([
      walk([LOG_IN, { name: 'Buy', click: 'Buy' }]),
      walk([{ name: 'Find', fill: { Nothing: 'x' } }]),
    ]);
    expect(absent.at(-1)?.seen.problem).toBe('“Buy” could not be clicked');
    expect(absent.at(-1)?.frames).toHaveLength(1);
    expect(unfilled.at(-1)?.seen.problem).toBe('“Nothing” could not be filled in');
  });

  it('submits a form with Enter if there is no click, opens addresses with the same cookies, and checks page titles', async () => {
    const seenVisits = await walk([
      { ...LOG_IN, click: undefined },
      { name: 'Contest', url: '/contest', title: 'Contest' },
      { name: 'Task', url: '/contest', title: 'Sum of two' },
    ]);
    const problem = 'the page is called “Contest”, not “Sum of two”';
    expect(seenVisits.map(({ seen }) => seen.problem)).toEqual([`“Task”: ${problem}`, null, null, null, problem]);
    expect(seenVisits[3]?.frames.length).toBeGreaterThan(0);
  });
});
