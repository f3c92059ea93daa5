import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_IN, startJourneyServer, takePart } from '#backend/visits/testing/journeyServer.ts';
import { expect, test } from '../fixtures.ts';
import { glance } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { runHoldfast } from '../processes.ts';

/** Runs a plan from a file, and opens its result. What became of it depends on how busy the machine is. */
async function resultOf(
  { page }: AppPage,
  home: string,
  plan: { readonly name: string } & Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
): Promise<RunPage> {
  const file = join(home, 'heights.json');
  await writeFile(file, JSON.stringify({ holdfast: 1, ...plan }));
  const { code, output } = await runHoldfast(['run', file, ...args], home).ended;
  expect([0, 98, 99], output).toContain(code);
  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('link', { name: plan.name }).first().click();
  const run = new RunPage(page);
  await run.verdict(30_000);
  return run;
}

test('a result with failures, many criteria and many findings is as short as any other', async ({ app, contest, home }) => {
  test.setTimeout(120_000);
  const run = await resultOf(app, home, {
    name: 'Two steps, one of them missing',
    targets: [{ url: contest.urls[0] }],
    journey: [{ name: 'start' }, { name: 'missing', path: '/gone' }],
    load: {
      model: 'connections',
      stages: [
        { name: 'low', connections: 2, seconds: 4 },
        { name: 'high', connections: 20, seconds: 4 },
      ],
    },
    objectives: [
      { kind: 'responseTime', percentile: 95, limitMs: 1 },
      { kind: 'errors', maxShare: 0.01 },
    ],
  });
  await run.expectAnswerFirst();
  await glance(app.page, 'heights-failed');
  await run.unfoldAll();
});

test('a watched journey is a line for each step, with its films and tables folded', async ({ app, home }) => {
  test.setTimeout(180_000);
  const server = await startJourneyServer();
  try {
    const accounts = join(home, 'heights.csv');
    await writeFile(accounts, ['username,password', ...Array.from({ length: 40 }, (_, row) => `user${row},password-${row}`)].join('\n'));
    const run = await resultOf(
      app,
      home,
      {
        name: 'A watched journey',
        targets: [{ url: server.url }],
        journey: [{ name: 'page', path: '/login' }],
        load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 10, seconds: 20 }] },
        feeds: { account: { file: accounts } },
        watchPages: [takePart([LOG_IN, { name: 'Ranking', click: 'Ranking' }, { name: 'Task', click: 'Sum of two', title: 'Sum of two' }])],
      },
      ['--allow', `file:${accounts}`],
    );
    await run.expectAnswerFirst();
    const overview = app.page.getByRole('table', { name: 'Time until the largest paint' });
    await expect(overview.getByRole('rowheader')).toHaveText(['Take part, all steps', '/login', 'Log in', 'Ranking', 'Task']);
    await run.unfold(/^Films/);
    const films = app.page.getByRole('region', { name: /moment by moment$/ });
    const [first, second] = [await films.nth(0).boundingBox(), await films.nth(1).boundingBox()];
    expect(second?.y, 'two films abreast').toBe(first?.y);
    await glance(app.page, 'heights-journey');
    await run.unfoldAll();
  } finally {
    await server.close();
  }
});
