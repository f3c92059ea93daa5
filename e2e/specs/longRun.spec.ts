import { openStore } from '#backend/store/store.ts';
import { storeLongRun } from '#backend/testing/longRun.ts';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../pages/RunPage.ts';

/** A chart that is out of view has its text, but is not drawn. */
test('a long run opens with visible charts, and draws the others when they are scrolled into view', async ({ page, home, app }) => {
  const store = openStore(home);
  storeLongRun(store, { id: 'long', seconds: 600, hosts: 2, steps: 3, perSecond: 100 });
  store.close();
  await page.evaluate(() => void (location.hash = '#/runs/long'));
  const charts = page.getByRole('figure');
  await expect(charts.first()).toBeAttached();
  // The window is so low that the last chart is still far away after the others were expanded.
  await page.setViewportSize({ width: 1_280, height: 400 });
  await new RunPage(page).unfold('More charts');
  await page.evaluate(() => window.scrollTo(0, 0));
  const last = charts.filter({ hasText: /Data received by place/ });
  // The slider lies over the chart's drawing, so both appear together.
  const slider = last.getByRole('slider');
  await expect(last).toBeAttached();
  await expect(slider).toHaveCount(0);
  await last.scrollIntoViewIfNeeded();
  await expect(slider).toBeVisible();
  expect(app.page).toBe(page);
});
