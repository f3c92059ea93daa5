import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { AppPage } from '../pages/AppPage.ts';
import { startHoldfast } from '../processes.ts';
import { putSmallRun } from '../storedRun.ts';

test('an empty history has no filters, and filters that hide all runs can be cleared', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'holdfast-e2e-history-'));
  const server = await startHoldfast(['serve', '--port', '0'], home);
  try {
    await new AppPage(page).open(server.urls[0] ?? '');
    await page.getByRole('link', { name: 'History' }).first().click();
    await expect(page.getByRole('heading', { name: 'No runs' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Verdict' })).toHaveCount(0);
    await look(page, 'history-empty');
    await page.goto(`${new URL(page.url()).origin}/#/compare`);
    await expect(page.getByText('No other finished run.')).toBeVisible();
    await page.getByRole('link', { name: 'History' }).first().click();

    putSmallRun(home, 'Quick test of a page');
    await page.reload();
    const search = page.getByRole('searchbox');
    await search.fill('no such words');
    await expect(page.getByRole('heading', { name: 'No matching runs' })).toBeVisible();
    await look(page, 'history-filtered');
    await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
    await expect(page.getByRole('link', { name: /Quick test of/ })).toBeVisible();
    await expect(search).toHaveValue('');
    await expect(search).toBeFocused();
  } finally {
    // The page is left first, because a page that loses its backend logs an error.
    await page.goto('about:blank');
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
});

test('a run is renamed, annotated, found, deleted and restored', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'Quick test of a page');

  await page.getByRole('link', { name: 'History' }).first().click();
  const first = page.getByRole('row', { name: /Quick test of/ }).first();
  await first.getByRole('button', { name: /^Rename/ }).click();
  const field = page.getByRole('textbox', { name: 'Name of the run' });
  await expect(field).toBeFocused();
  await field.fill('Before the patch');
  await field.press('Enter');
  const row = page.getByRole('row', { name: /Before the patch/ });
  await expect(row).toBeVisible();
  await expect(row.getByText('Measured')).toBeVisible();

  await row.getByRole('button', { name: 'Note on “Before the patch”' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('two shards, no cache');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText('two shards, no cache')).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Search by name, target or note' });
  await search.fill('no such words');
  await expect(page.getByRole('heading', { name: 'No matching runs' })).toBeVisible();
  await search.fill('no cache');
  await expect(row).toBeVisible();
  await expect(page.getByText('1 to 1 of 1')).toBeVisible();

  await row.getByRole('button', { name: 'Delete “Before the patch”' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText('“Before the patch” was deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
  await expect(row.getByText('two shards, no cache')).toBeVisible();

  putSmallRun(home, 'Quick test of a page');
  await search.fill('');
  await page.getByRole('checkbox', { name: /^Select “Before the patch”/ }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Select two or more runs to compare.')).toBeVisible();
  await page.getByRole('checkbox', { name: /^Select “Quick test of/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Comparison' })).toBeVisible();
  await expect(page.getByText('Too few runs: 1 and 1.', { exact: false })).toBeVisible();
  const figures = page.getByRole('table', { name: 'Side B compared with Side A' });
  await expect(figures.getByRole('row', { name: /^p95/ })).toContainText('too few runs');
  await expect(page.getByRole('table', { name: 'Compared runs and their sides' }).getByRole('row')).toHaveCount(3);
  await look(page, 'compare');
  await page.getByRole('button', { name: /^Remove “Before the patch” of/ }).click();
  await expect(page.getByText('Choose a second run to compare with this one.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: /^Add “Before the patch” of/ }).click();
  await expect(page.getByText('Too few runs: 1 and 1.', { exact: false })).toBeVisible();

  await page.getByRole('link', { name: 'Before the patch' }).click();
  await new RunPage(page).unfold('Latency distribution');
  await expect(page.getByText('Latency heatmap')).toBeVisible();
  await look(page, 'spread', ['narrow'], { knownColours: true });
  await expect(page.getByRole('link', { name: 'Compare', exact: true })).toHaveAttribute('href', /^#\/compare\/[\w-]+$/);
});

test('runs become the baseline, and a later run is compared with the baseline until the baseline is removed', async ({ app, home }) => {
  const { page } = app;
  const name = 'The page as it was';
  const measure = (requests?: number): void => putSmallRun(home, name, requests);
  measure();
  measure();
  const history = page.getByRole('link', { name: 'History' }).first();
  await history.click();
  const rows = page.getByRole('row', { name });
  await expect(rows).toHaveCount(2);
  for (const row of await rows.all()) {
    await row.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('button', { name: 'Set as baseline' }).click();
  await expect(page.getByText('2 runs are now the baseline.')).toBeVisible();
  await expect(rows.getByText('baseline', { exact: true })).toHaveCount(2);

  measure();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await history.click();
  await expect(rows.first().getByText('baseline: too few runs')).toBeVisible();
  await look(page, 'history-baseline');
  await rows.first().getByRole('link', { name }).click();
  const card = page.getByRole('region', { name: 'Compared with the baseline' });
  await expect(card.getByText('Inconclusive', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'All figures' }).click();
  await expect(card.getByRole('row', { name: /^p95/ })).toContainText('too few runs');
  await look(page, 'baseline');

  await card.getByRole('button', { name: 'Remove the baseline' }).click();
  await expect(card.getByText('This question has no baseline.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card.getByText(/^Baseline: 2 runs, set /)).toBeVisible();
  await card.getByRole('button', { name: 'Replace the baseline with this run' }).click();
  await expect(card.getByText('This run is the baseline.', { exact: false })).toBeVisible();

  measure(60);
  await history.click();
  await expect(rows).toHaveCount(4);
  await rows.first().getByRole('link', { name }).click();
  await expect(card.getByText(`Whether “${name}” is better`, { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('With more requests');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('Whether “With more requests” is better', { exact: false })).toBeVisible();
  await card.getByRole('button', { name: 'Remove the baseline' }).click();
  await expect(card.getByRole('button', { name: 'Set as baseline', exact: true })).toBeVisible();
});

test('many passed criteria are collapsed below the failed one, and less common actions are collapsed on a phone', async ({ app, home }) => {
  const { page } = app;
  const kept = Array.from(
    { length: 12 },
    (_unused, index) => ({ kind: 'responseTime', percentile: 50, maxMs: 60_000 + 1_000 * index }) as const,
  );
  const criteria: PlanInput['criteria'] = [...kept, { kind: 'throughput', minPerSecond: 1_000_000 }];
  const name = 'Thirteen limits';
  putSmallRun(home, name, 40, { criteria });

  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('link', { name, exact: true }).click();
  const card = page.getByRole('region', { name: 'Pass criteria' });
  // The default criterion of the plan's only step is among the passed ones.
  await expect(card.getByText(/^14 criteria: 1 (failed|inconclusive), 13 passed\.$/)).toBeVisible();
  const missedLocator = card.getByRole('table', { name: /^Failed and inconclusive criteria/ });
  await expect(missedLocator.getByRole('row')).toHaveCount(2);
  await expect(missedLocator.getByText(/^(Failed|Inconclusive)$/)).toBeVisible();
  const all = card.getByRole('table', { name: /^Passed criteria/ });
  await expect(all).toHaveCount(0);
  await card.getByRole('button', { name: '13 passed criteria' }).press('Enter');
  await expect(all.getByText('Passed', { exact: true })).toHaveCount(13);

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('link', { name: 'Compare', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  const group = page.getByRole('group', { name: 'Export (CI, k6 …)' });
  await expect(group.getByRole('menuitem')).toHaveCount(4);
  await group.getByRole('menuitem', { name: 'Export as curl commands' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Comparison' })).toBeVisible();
});

test('a test can be repeated with another target from its result', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'Quick test of a page', 40, { timeoutSeconds: 120 });
  await page.getByRole('link', { name: 'History' }).first().click();
  await page
    .getByRole('link', { name: /Quick test of/ })
    .first()
    .click();

  const savePlanFor = async (how: string): Promise<void> => {
    await page.getByRole('button', { name: 'Export (CI, k6 …)' }).click();
    await page.getByRole('menuitem', { name: how }).click();
  };
  const dialog = page.getByRole('dialog');
  await savePlanFor('Export as ab command');
  await expect(dialog.getByText('ab -n 40 -c 2 -l -r -k -s 120 http')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await savePlanFor('Export as Artillery script');
  await expect(dialog.getByText('Artillery supports an arrival rate only')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await savePlanFor('Export as k6 script');
  await expect(dialog.getByText("executor: 'shared-iterations'")).toBeVisible();
  await look(page, 'export', ['narrow']);
});
