import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { putSmallRun } from '../storedRun.ts';

/** Returns the position and size of an element. Throws if the element is not drawn. */
async function placeOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

test('the marker of an invalid entry keeps its size next to a long sentence', async ({ app, contest }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await wizard.next('Which server?');
  await wizard.address.fill(contest.urls[0] ?? '');
  await wizard.next('How much load?');
  const sentence = page.getByText(/^“Which page do participants read\?” is empty/);
  const mark = await placeOf(sentence.locator('xpath=preceding-sibling::*'));
  expect([mark.width, mark.height]).toEqual([14, 14]);
});

test('tables are aligned with the text around them, and small tables are side by side', async ({ app, home }) => {
  const { page } = app;
  const run = new RunPage(page);
  putSmallRun(home, 'Quick test of a page');
  await page.getByRole('link', { name: 'History' }).first().click();
  await page
    .getByRole('link', { name: /^Quick test of/ })
    .first()
    .click();

  await run.unfold('Latency percentiles');
  await expect(page.getByRole('rowheader', { name: 'Service time' })).toHaveCSS('padding-inline-start', '0px');

  await run.unfold('ApacheBench figures');
  const shares = await placeOf(page.getByRole('table', { name: 'Percentiles of response times' }));
  const totals = await placeOf(page.getByRole('table', { name: 'Totals and rates' }));
  expect(totals.y).toBe(shares.y);
  expect(totals.x).toBeGreaterThan(shares.x + shares.width);
  const times = await placeOf(page.getByRole('table', { name: 'Connection times' }));
  expect(times.width).toBeGreaterThan(2 * shares.width);
});

test('at 200 % zoom, no column of a list is cut off or covered', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'Quick test of a page');
  // This is the size of a window of 1,280 px by 860 px at a zoom of 200 %.
  await page.setViewportSize({ width: 640, height: 430 });
  await page.getByRole('link', { name: 'History' }).first().click();
  const table = page.getByRole('group', { name: 'History' });
  await expect(table.getByRole('link', { name: /^Quick test of/ }).first()).toBeVisible();
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // The checkbox must be next to the name.
  const name = await placeOf(table.getByRole('link', { name: /^Quick test of/ }).first());
  const box = await placeOf(table.getByRole('checkbox').first().locator('xpath=ancestor::label'));
  expect(Math.abs(box.y + box.height / 2 - (name.y + name.height / 2))).toBeLessThan(40);
  expect(box.x + box.width).toBeLessThanOrEqual(name.x);
});

test('a table that scrolls horizontally has a shadow where it continues, and can be scrolled with the keyboard', async ({ app }) => {
  const { page } = app;
  const countShadedSpans = (table: Locator) =>
    table.evaluate((frame) => ['::before', '::after'].map((edge) => Number(getComputedStyle(frame, edge).opacity)));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${page.url().split('#')[0]}#/calculate/data-volume`);
  const table = page.getByRole('group', { name: 'Year by year' });
  await expect(table).toBeVisible();
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeGreaterThan(20);
  await expect.poll(() => countShadedSpans(table)).toEqual([0, 1]);
  await table.focus();
  await expect(table).toBeFocused();
  await table.press('ArrowRight');
  await expect.poll(() => countShadedSpans(table)).toEqual([1, 1]);
  await table.evaluate((frame) => frame.scrollTo({ left: 10_000 }));
  await expect.poll(() => countShadedSpans(table)).toEqual([1, 0]);

  await page.setViewportSize({ width: 1_280, height: 860 });
  await expect.poll(() => countShadedSpans(table)).toEqual([0, 0]);
  // A table that does not scroll must not be a tab stop.
  await expect(table).not.toHaveAttribute('tabindex');
});
