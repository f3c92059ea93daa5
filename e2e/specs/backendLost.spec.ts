import { z } from 'zod';
import { parseJson } from '#core/base/json.ts';
import { toProblem } from '#core/base/errors.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast } from '../processes.ts';

const LOST_MESSAGE = 'The connection to Holdfast was lost.';

test("a killed backend is reported once, the screen stays, and the backend's data is back after a restart", async ({
  page,
  context,
  contest,
  home,
  complaints,
}) => {
  test.setTimeout(600_000);
  const first = await startHoldfast(['serve', '--port', '0'], home);
  const port = new URL(first.urls[0] ?? '').port;
  const app = new AppPage(page);
  const run = new RunPage(page);
  const banner = page.getByRole('alert').filter({ hasText: LOST_MESSAGE });
  try {
    await app.open(first.urls[0] ?? '');
    await new WizardPage(page).startOnePage(contest.urls[0] ?? '', 60);
    await run.waitForLive();
    await expect(page.getByText(/^0:0[2-9] of 1:00$/)).toBeVisible({ timeout: 60_000 });
  } finally {
    await first.kill();
  }

  await expect(banner).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(banner).toContainText('This page shows the last known state.');
  await expect(banner).toContainText('If Holdfast was restarted, open the address it printed.', { timeout: 60_000 });
  await expect(banner.getByRole('button', { name: 'Reconnect now' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'How fast is one page?' })).toBeVisible();
  await expect(page.getByText('throughput', { exact: true }).first()).toBeVisible();
  await expect(run.stopButton).toBeDisabled();
  await look(page, 'backend-lost', ['dark', 'narrow']);
  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await expect(banner).toBeVisible();
  await page.goBack();

  const second = await startHoldfast(['serve', '--port', port], home);
  try {
    // The page that is opened at the printed address passes the new token to the page that is already open.
    const other = await context.newPage();
    await new AppPage(other).open(second.urls[0] ?? '');
    await expect(banner).toHaveCount(0, { timeout: 60_000 });
    await other.close();

    const verdict = await run.verdict(20_000);
    await expect(verdict).toHaveText(/^Inconclusive/);
    await expect(page.getByText('This test was interrupted.')).toBeVisible();
    await expect(page.getByText(/^[\d,]+ sent, /)).toBeVisible();
    await page.getByRole('link', { name: 'History' }).first().click();
    await expect(page.getByRole('row', { name: /How fast is one page\?/ }).getByText('Interrupted')).toBeVisible();
  } finally {
    await second.stop();
  }
  // Chromium logs each attempt to reach a server that no longer exists.
  const others = complaints.splice(0).filter((text) => !/WebSocket connection to .* failed/.test(text));
  expect(others).toEqual([]);
});

const requestSchema = z.looseObject({ type: z.string(), id: z.int(), method: z.string().optional() });

test('a failing backend is reported once per page with what to do, and can be retried with the keyboard', async ({ page, server }) => {
  let fails = true;
  await page.routeWebSocket('**/rpc', (socket) => {
    const backend = socket.connectToServer();
    socket.onMessage((message) => {
      const input = requestSchema.safeParse(parseJson(String(message))).data;
      // The call that asks for information about the app still succeeds.
      if (fails && input?.type === 'call' && input.method !== 'app.info')
        socket.send(JSON.stringify({ type: 'error', id: input.id, problem: toProblem(new Error('disk I/O error')) }));
      else backend.send(message);
    });
  });
  await new AppPage(page).open(server.urls[0] ?? '');
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText(/^Internal error in Holdfast: disk I\/O error.*Try again\. If it happens again, report it/);
  await look(page, 'backend-fails');
  await page.goto(`${new URL(page.url()).origin}/#/runs/20260101-000000-000000`);
  await expect(page.getByRole('heading', { level: 1, name: 'Test run' })).toBeVisible();
  await expect(alert).toHaveCount(1);
  await page.getByRole('link', { name: 'History' }).first().click();
  // Until this heading is visible, the alert belongs to the previous page.
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await expect(alert).toHaveCount(1);
  fails = false;
  await alert.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeFocused();
});
