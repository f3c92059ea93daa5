import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';

// A history that contains runs is covered by history.spec.ts and running.spec.ts.
test('the settings are accessible in every variant', async ({ app }) => {
  await app.page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await expect(app.page.getByRole('heading', { level: 1 })).toBeVisible();
  await look(app.page, 'settings');
});

/**
 * Opens the page of the practice contest while the contest is stopped. Another test may have left it running, because the backend is
 * shared.
 */
async function stoppedContest(app: AppPage) {
  const { page } = app;
  await page.getByRole('link', { name: 'Practice' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Practice servers' })).toBeVisible();
  const contest = page.getByRole('region', { name: 'Practice contest site' });
  const start = contest.getByRole('button', { name: 'Start', exact: true });
  const stop = contest.getByRole('button', { name: 'Stop', exact: true });
  await expect(start.or(stop)).toBeVisible();
  if (await stop.isVisible()) await stop.click();
  await contest.getByRole('button', { name: 'Options' }).click();
  return { page, contest, start, stop, shards: contest.getByRole('textbox', { name: 'Servers side by side' }) };
}

test('a practice server shows its options, and explains an invalid value', async ({ app }) => {
  const { page, contest, start, shards } = await stoppedContest(app);
  await contest.getByRole('button', { name: 'Injected faults' }).click();
  await shards.fill('100');
  await expect(start).toBeDisabled();
  await look(page, 'practice-options');
});

test('a practice server starts with its options, shows its accounts, and stops', async ({ app }) => {
  const { page, contest, start, stop, shards } = await stoppedContest(app);
  await shards.fill('3');
  await start.click();
  await expect(contest.getByText('contestant1', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(contest.getByText('Shard 3', { exact: true })).toBeVisible();
  await look(page, 'practice');
  await stop.click();
  await expect(start).toBeVisible();
});

test('an unknown address shows an error, and a link to the app', async ({ app }) => {
  await app.page.goto(`${new URL(app.page.url()).origin}/#/nothing/here`);
  await expect(app.page.getByText('Page not found')).toHaveCount(1);
  await app.page.goto(`${new URL(app.page.url()).origin}/#/runs/20260101-000000-000000`);
  await expect(app.page.getByRole('heading', { level: 1, name: 'Run not found' })).toBeVisible();
  for (const [place, title] of [
    ['series/s-20260101-000000-000000', 'Series not found'],
    ['searches/q-20260101-000000-000000', 'Search not found'],
  ]) {
    await app.page.goto(`${new URL(app.page.url()).origin}/#/${place}`);
    await expect(app.page.getByRole('heading', { level: 1, name: title ?? '' })).toBeVisible();
  }
  await app.page.getByRole('link', { name: 'Show the history' }).click();
  await expect(app.page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
});
