import { openStore } from '#backend/store/store.ts';
import { storeLongRun } from '#backend/testing/longRun.ts';
import { expect, test } from '../fixtures.ts';

/** A chart that nobody sees has its words, and no picture. */
test('an hour of a run opens with the charts that are seen, and draws the others when they are scrolled to', async ({
  page,
  home,
  app,
}) => {
  const store = openStore(home);
  storeLongRun(store, { id: 'hour', seconds: 3_600, hosts: 2, steps: 3, perSecond: 100 });
  store.close();
  await page.evaluate(() => void (location.hash = '#/runs/hour'));
  const charts = page.getByRole('figure');
  await expect(charts.first()).toBeAttached();
  await page.evaluate(() => window.scrollTo(0, 0));
  const last = charts.filter({ hasText: /Data received by place/ });
  const picture = last.locator('[aria-hidden] > svg');
  await expect(picture).toHaveCount(0);
  await last.scrollIntoViewIfNeeded();
  await expect(picture).toBeVisible();
  await expect(last.getByRole('slider')).toBeVisible();
  expect(app.page).toBe(page);
});
