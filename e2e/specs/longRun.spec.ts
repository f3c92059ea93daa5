import { openStore } from '#backend/store/store.ts';
import { storeLongRun } from '#backend/testing/longRun.ts';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../pages/RunPage.ts';

/** A chart that nobody sees has its words, and no picture. */
test('a long run opens with the charts that are seen, and draws the others when they are scrolled to', async ({ page, home, app }) => {
  const store = openStore(home);
  storeLongRun(store, { id: 'long', seconds: 600, hosts: 2, steps: 3, perSecond: 100 });
  store.close();
  await page.evaluate(() => void (location.hash = '#/runs/long'));
  const charts = page.getByRole('figure');
  await expect(charts.first()).toBeAttached();
  // So low a window that the last chart is far from it also when the others are unfolded.
  await page.setViewportSize({ width: 1_280, height: 400 });
  await new RunPage(page).unfold('More charts');
  await page.evaluate(() => window.scrollTo(0, 0));
  const last = charts.filter({ hasText: /Data received by place/ });
  // It lies over the picture, and is there with it.
  const walk = last.getByRole('slider');
  await expect(last).toBeAttached();
  await expect(walk).toHaveCount(0);
  await last.scrollIntoViewIfNeeded();
  await expect(walk).toBeVisible();
  expect(app.page).toBe(page);
});
