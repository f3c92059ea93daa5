import { expect, test } from '../fixtures.ts';

test('the app opens by the printed address and hides the token', async ({ app, server }) => {
  expect(server.urls[0]).toContain('?token=');
  expect(app.page.url()).not.toContain('token');
  await expect(app.page).toHaveTitle(/Holdfast/);
  await expect(app.page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(app.rail).toBeVisible();
});

test('a browser without the token is told what to do', async ({ page, server, complaints }) => {
  const { origin } = new URL(server.urls[0] ?? '');
  const answer = await page.goto(origin);
  expect(answer?.status()).toBe(401);
  await expect(page.getByText('Open the whole address that Holdfast printed')).toBeVisible();
  // Chromium reports every status of 400 and more in the console; here it is what was asked for.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
});
