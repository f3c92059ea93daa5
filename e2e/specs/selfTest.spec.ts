import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';

test('the short self-test shows progress and comparisons, and is available later', { tag: '@nightly' }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  const card = page.getByRole('region', { name: 'Self-test' });
  await card.getByRole('button', { name: 'Run the short self-test' }).click();
  await expect(card.getByRole('progressbar', { name: 'Progress of the self-test' })).toBeVisible({ timeout: 60_000 });
  await expect(card.getByText('Now: Fixed 50 ms (native)')).toBeVisible({ timeout: 60_000 });
  await expect(card.getByRole('rowheader', { name: '0 ms', exact: true })).toBeVisible();
  // The name of a check must come before its outcome, even in the list that a narrow window shows.
  await expect(card.getByRole('columnheader').first()).toHaveText('Server behavior');

  // Other load on this machine may change times, but not the number of checks or their counts.
  const verdict = card.getByText(/^(Passed \d+ of \d+ checks|All counts correct, but times off in \d+ of \d+ checks)$/);
  await expect(verdict).toBeVisible({ timeout: 540_000 });
  const limits = card.getByRole('table', { name: 'Limits of this computer' });
  await expect(limits.getByRole('row', { name: /^Requests per second [\d,.]+\/s$/ })).toBeVisible();
  await expect(limits.getByRole('row', { name: /^New connections per second [\d,.]+\/s$/ })).toBeVisible();
  const figures = card.getByRole('button', { name: /All figures/ });
  await figures.press('Enter');
  const counts = card.getByRole('table', { name: '5 % status 503 (native)' });
  await expect(counts.getByRole('row', { name: /^Equal requests sent/ })).toBeVisible();
  await expect(counts.getByRole('row', { name: /^Equal status 503/ })).toBeVisible();
  await figures.press('Enter');
  await look(page, 'self-test');

  await page.reload();
  await expect(verdict).toBeVisible();
});

test('a self-test is accessible in every variant, and can be started and stopped with the keyboard', async ({ app }) => {
  const { page } = app;
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run the short self-test' }).press('Enter');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toBeFocused();
  await expect(page.getByRole('table', { name: 'Checks' }).getByRole('rowheader').first()).toBeVisible({ timeout: 60_000 });
  await look(page, 'self-test-running');
  await stop.press('Enter');
  await expect(page.getByRole('button', { name: 'Run the self-test' })).toBeFocused();
  await expect(page.getByRole('progressbar')).toBeHidden();
});
