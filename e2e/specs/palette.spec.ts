import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { putSmallRun } from '../storedRun.ts';

test('the palette opens by keyboard, finds a run, a page and a command, and returns the focus', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'Registration before the holidays');
  await page.getByRole('link', { name: 'History' }).first().click();
  const search = page.getByRole('searchbox');
  await search.focus();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find' });
  const field = palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('option', { name: 'Settings', exact: true })).toBeVisible();
  await look(page, 'palette');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(search).toBeFocused();

  await page.keyboard.press('Meta+k');
  await page.keyboard.type('regbefhol');
  const run = palette.getByRole('option', { name: /Registration before the holidays/ });
  await expect(run).toBeVisible();
  await look(page, 'palette-found', ['light', 'narrow'], { knownColours: true });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/runs\//);
  await expect(page.getByRole('heading', { level: 1, name: 'Registration before the holidays' })).toBeVisible();

  // The palette can also be used with the pointer. It lists what was used last, and commands of the page.
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([/^Registration before/]);
  await palette.getByRole('option', { name: 'Appearance: Dark' }).click();
  await expect(page.locator('html[data-theme="dark"]')).toHaveCount(1);

  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toHaveCount(0);
});
