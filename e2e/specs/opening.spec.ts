import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { AppPage } from '../pages/AppPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

const history = { level: 1, name: 'History' } as const;

test('the app opens at the printed address, hides the token, and works after a reload', async ({ app, server }) => {
  expect(server.urls[0]).toContain('/#token=');
  expect(app.page.url()).not.toContain('token');
  await expect(app.page).toHaveTitle(/Holdfast/);
  await expect(app.page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(app.rail).toBeVisible();
  await app.page.getByRole('link', { name: 'History' }).first().click();
  await expect(app.page.getByRole('heading', history)).toBeVisible();
  await app.page.reload();
  await expect(app.page.getByRole('heading', history)).toBeVisible();
  expect(app.page.url()).not.toContain('token');
});

test('a link that is opened in a new tab is admitted, and so is a second window', async ({ app, server }) => {
  const context = app.page.context();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    app.page
      .getByRole('link', { name: 'Settings' })
      .first()
      .click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await tab.close();
  const typedPage = await context.newPage();
  await typedPage.goto(`${new URL(server.urls[0] ?? '').origin}/#/history`);
  await expect(typedPage.getByRole('heading', history)).toBeVisible();
  await typedPage.close();
  const second = await context.newPage();
  await new AppPage(second).open(server.urls[0] ?? '');
  await expect(new AppPage(second).rail).toBeVisible();
  await second.close();
});

for (const [how, path] of [
  ['without the token', '/'],
  ['with another token', `/#token=${'x'.repeat(32)}`],
  ['with the address of an earlier version', `/?token=${'x'.repeat(32)}`],
] as const) {
  test(`a browser ${how} is asked to open the printed address, which admits it`, async ({ page, server }) => {
    const { origin } = new URL(server.urls[0] ?? '');
    await page.goto(`${origin}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Open the address that Holdfast printed' })).toBeVisible();
    await expect(new AppPage(page).rail).toHaveCount(0);
    if (path === '/') await look(page, 'refused');
    await new AppPage(page).open(server.urls[0] ?? '');
    await expect(new AppPage(page).rail).toBeVisible();
  });
}

/** Delays the page's code. Returns a function that lets the code load. */
async function withoutCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('the first screen appears before its code has loaded, and keeps what the user does in the meantime', async ({ page, server }) => {
  const letCodeCome = await withoutCode(page);
  const wizard = new WizardPage(page);
  await page.goto(server.urls[0] ?? '', { waitUntil: 'commit' });
  await expect(wizard.heading('What do you want to know?')).toBeVisible();
  expect(page.url()).not.toContain('token');
  await expect(page.getByRole('radio')).toHaveCount(8);
  await look(page, 'first-screen-drawn', ['light', 'dark', 'narrow']);
  const entered = 'http://127.0.0.1:1/';
  await page.getByRole('textbox').fill(entered);
  const earlier = page.getByRole('button', { name: 'From an earlier run' });
  await earlier.click();
  await expect(wizard.nextButton).toBeDisabled();

  letCodeCome();
  await expect(wizard.nextButton).toBeEnabled();
  await expect(page.getByRole('textbox')).toHaveValue(entered);
  await expect(earlier).toHaveAttribute('aria-expanded', 'true');
});

test('a question that is selected before the code has loaded stays selected', async ({ page, server }) => {
  const letCodeCome = await withoutCode(page);
  const wizard = new WizardPage(page);
  await page.goto(server.urls[0] ?? '', { waitUntil: 'commit' });
  await wizard.choose('How fast is one page?');
  letCodeCome();
  await expect(wizard.nextButton).toBeEnabled();
  await expect(page.getByRole('radio', { name: 'How fast is one page?' })).toBeChecked();
});

test('a link that is pressed before the code has loaded works', async ({ page, server }) => {
  const letCodeCome = await withoutCode(page);
  await page.goto(server.urls[0] ?? '', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Settings' }).click();
  letCodeCome();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('a window that opens another page, or has a draft, does not flash the first screen while loading', async ({ app }) => {
  const { page } = app;
  await new WizardPage(page).choose('How fast is one page?');
  const letCodeCome = await withoutCode(page);
  await page.reload({ waitUntil: 'commit' });
  const drawnLocator = page.locator('#root h1');
  await expect(drawnLocator).toBeAttached();
  await expect(drawnLocator).toBeHidden();
  letCodeCome();
  await expect(page.getByRole('radio', { name: 'How fast is one page?' })).toBeChecked();
});

test('localhost leads to the same app', async ({ page, server }) => {
  await page.goto((server.urls[0] ?? '').replace('127.0.0.1', 'localhost'));
  await expect(new AppPage(page).rail).toBeVisible();
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
});
