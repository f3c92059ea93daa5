import type { Page } from '@playwright/test';
import { LOG_IN, participationJourney } from '#backend/visits/testing/journeyServer.ts';
import type { Window } from '#core/measurement/window.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Visit } from '#core/result/visits.ts';
import { visitWith } from '#core/testing/visits.ts';
import { repeatedWindows, windowWith, withLoaded } from '#core/testing/windows.ts';
import { expect, test } from '../fixtures.ts';
import { saveViewport, look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { putRun } from '#backend/testing/storedRun.ts';

const TARGET = { url: 'http://127.0.0.1:1/' };

async function openRun(page: Page, id: string): Promise<RunPage> {
  await page.goto(`${new URL(page.url()).origin}/#/runs/${id}`);
  const run = new RunPage(page);
  await run.verdict(30_000);
  return run;
}

/** Returns the seconds of a stage. The server lacks the second step, and the generator is overloaded in one of the seconds. */
function windowsWithMissingStep(stage: number, times: readonly { readonly count: number; readonly ms: number }[]): Window[] {
  const sentCount = times.reduce((sum, { count }) => sum + count, 0);
  return Array.from({ length: 4 }, (_, index) => {
    const second = 4 * stage + index;
    const missing = windowWith({ second, stage, step: 1, failed: { httpError: sentCount }, statuses: { '404': sentCount } });
    const window = windowWith({ second, stage, ok: times, overloadedBy: index === 1 ? ['threadCpu'] : [] });
    return withLoaded({ ...window, cells: [...window.cells, ...missing.cells] });
  });
}

test('a result with failures, many criteria and many findings is as short as any other result', async ({ app, home }) => {
  const id = putRun(home, {
    plan: {
      name: 'Two steps, one of them missing',
      targets: [TARGET],
      journey: [{ name: 'start' }, { name: 'missing', path: '/gone' }],
      load: {
        model: 'connections',
        stages: [
          { name: 'low', connections: 2, seconds: 4 },
          { name: 'high', connections: 20, seconds: 4 },
        ],
      },
      criteria: [
        { kind: 'responseTime', percentile: 95, maxMs: 1 },
        { kind: 'errors', maxShare: 0.01 },
      ],
    },
    windows: [
      ...windowsWithMissingStep(0, [{ count: 40, ms: 25 }]),
      ...windowsWithMissingStep(1, [
        { count: 60, ms: 100 },
        { count: 4, ms: 900 },
      ]),
    ],
  });
  const run = await openRun(app.page, id);
  await run.expectVerdictFirst();
  await saveViewport(app.page, 'heights-failed');
  await run.expectReadable();
});

/** The parts of a visit that are logged: the whole journey and each of its steps. */
const PARTS = ['Take part', '/login', 'Log in', 'Ranking', 'Task'];
const SECONDS = 20;

/** Returns visits: four journeys before the load, ten during the load and four after it. */
function journeys(): Visit[] {
  const seconds = [
    -8,
    -6,
    -4,
    -2,
    ...Array.from({ length: 10 }, (_, index) => 2 * index + 0.5),
    ...[1, 3, 5, 7].map((later) => SECONDS + later),
  ];
  return seconds.flatMap((second, journey) =>
    PARTS.map((_, page) => {
      const largestPaintMs = (page === 0 ? 1_600 : 400) + 10 * journey;
      const number = PARTS.length * journey + page;
      return visitWith({ number, page, second, largestPaintMs, ...(second > SECONDS && { when: 'after' as const }) });
    }),
  );
}

test('a journey that a browser visits has one line for each step, with filmstrips and tables collapsed', async ({ app, home }) => {
  const { page } = app;
  const picture = await page.screenshot({ type: 'jpeg', quality: 60, clip: { x: 0, y: 0, width: 320, height: 200 } });
  const frames = Array.from({ length: 6 }, (_, index) => ({ atMs: 300 * index, jpeg: picture.toString('base64') }));
  const watched = participationJourney([
    LOG_IN,
    { name: 'Ranking', click: 'Ranking' },
    { name: 'Task', click: 'Sum of two', title: 'Sum of two' },
  ]);
  const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 10, seconds: SECONDS }] };
  const journey = [{ name: 'page', path: '/login' }];
  const id = putRun(home, {
    plan: {
      name: 'A watched journey',
      targets: [TARGET],
      journey,
      load,
      feeds: { account: { file: 'accounts.csv' } },
      watchPages: [watched],
    },
    windows: repeatedWindows(SECONDS, { ok: [{ count: 10, ms: 20, lateMs: 0 }] }),
    storeMore(store, key) {
      store.setVisitFacts(key, { browser: 'Chromium 140', from: null, stepsBack: [] });
      for (const visit of journeys()) {
        store.addVisit(key, visit);
        store.setVisitFilm(key, visit.number, frames);
      }
    },
  });
  const run = await openRun(page, id);
  await run.expectVerdictFirst();
  const overview = page.getByRole('table', { name: 'Time until the largest paint' });
  await expect(overview.getByRole('rowheader')).toHaveText(['Take part, all steps', ...PARTS.slice(1)]);
  await run.unfold(/^Films/);
  const films = page.getByRole('region', { name: /moment by moment$/ });
  const [first, second] = [await films.nth(0).boundingBox(), await films.nth(1).boundingBox()];
  expect(second?.y, 'two films abreast').toBe(first?.y);
  await saveViewport(page, 'heights-journey');
  await run.expectReadable();
});

/** Maximum height of a wizard page at a width of 1,280 px. */
const MAX_WIZARD_HEIGHT_PIXELS = 900;

test('the first page shows its field and all questions without scrolling', async ({ app }) => {
  const { page } = app;
  await new WizardPage(page).open();
  await expect(page.getByRole('radio')).toHaveCount(8);
  await expect(page.getByRole('button', { name: 'From an earlier run' })).toBeVisible();
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(MAX_WIZARD_HEIGHT_PIXELS);
  await new WizardPage(page).choose('Will our contest site hold?');
  const row = page.getByRole('group', { name: 'Question' });
  await expect(row.getByText('Which test?')).toBeVisible();
  await look(page, 'home-chosen');
});

test('the last page before a start has one status line and a summary', async ({ app, contest }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  await wizard.openAddress(`${contest.urls[0] ?? ''}static/css/contest.css`);
  await expect(page.getByText('Default load: 10 connections for 30 s.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pass criteria 2 criteria' })).toHaveAttribute('aria-expanded', 'true');
  await wizard.next('Ready to start?');
  await wizard.endOfTrial();
  await expect(page.getByText(/\d+ checks passed/).first()).toBeVisible({ timeout: 60_000 });
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(MAX_WIZARD_HEIGHT_PIXELS);
  await expect(page.getByText('95 % of responses within 1 s')).toBeVisible();
  await expect(page.getByText('at most 1 % of requests failing')).toBeVisible();
  await look(page, 'check-folded');
});
