import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast } from '../processes.ts';

const planText = (url: string): string =>
  JSON.stringify({
    holdfast: 1,
    name: 'A class opens the start page',
    targets: [{ url }],
    journey: [{ name: 'home' }],
    load: { model: 'users', stages: [{ users: 4, seconds: 4 }], thinkTime: { kind: 'fixed', seconds: 0.5 } },
  });

/** Enters the invitation on the page Join of the other computer. */
async function connect(other: Page, line: string): Promise<void> {
  await other.getByRole('textbox', { name: 'Invitation' }).fill(line);
  await other.getByRole('button', { name: 'Connect' }).press('Enter');
}

test('an invited computer joins on its page, declines, agrees, and sends its part', async ({ app, contest, browser }) => {
  test.setTimeout(240_000);
  const { page } = app;
  const otherHome = await mkdtemp(join(tmpdir(), 'holdfast-e2e-'));
  const otherServer = await startHoldfast(['serve', '--port', '0'], otherHome);
  const other = await browser.newPage();
  try {
    await new AppPage(other).open(otherServer.urls[0] ?? '');
    await other.getByRole('link', { name: 'Hosts', exact: true }).first().click();
    await other.getByRole('link', { name: 'Join a run' }).press('Enter');
    await expect(other.getByRole('heading', { level: 1, name: 'Join' })).toBeVisible();
    await connect(other, 'a text that is no invitation');
    await expect(other.getByText('This is not an invitation.')).toBeVisible();
    await expect(other.getByRole('textbox', { name: 'Invitation' })).toHaveValue('a text that is no invitation');
    await look(other, 'join-1-refused');

    const wizard = new WizardPage(page);
    await wizard.openPlan(planText(contest.urls[0] ?? ''));
    await wizard.next('Ready to start?');
    await expect(wizard.startButton).toBeEnabled({ timeout: 60_000 });
    await wizard.openPart('Invite computers');
    await page.getByRole('button', { name: 'Open an invitation' }).press('Enter');
    const line = await page.getByText(/^npx holdfast join '/).innerText();
    await expect(page.getByText('Nobody has joined.')).toBeVisible();

    await connect(other, line);
    await expect(other.getByText('4 users repeat the request')).toBeVisible();
    await look(other, 'join-2-asked');
    await other.getByRole('button', { name: 'Decline' }).press('Enter');
    await expect(other.getByText('You did not agree.')).toBeVisible();
    await expect(page.getByText(/declined$/)).toBeVisible();

    await connect(other, line);
    await other.getByRole('button', { name: 'Send a part of this load' }).press('Enter');
    await expect(other.getByText('You agreed. The inviting computer has not started the run.')).toBeVisible();
    await expect(page.getByText('Ready: 1 of 1')).toBeVisible();
    await look(page, 'invite-1-ready');
    await page.getByRole('button', { name: 'Start with 1 invited computer' }).press('Enter');
    await expect(other.getByText(/^This computer sends its part: \d+ requests\.$/)).toBeVisible();
    await new RunPage(page).verdict(60_000);
    await expect(other.getByText(/^The run has ended\. This computer sent [1-9]\d* requests\.$/)).toBeVisible();
    await look(other, 'join-3-ended');
  } finally {
    await other.close();
    await otherServer.stop();
    await rm(otherHome, { recursive: true, force: true });
  }
});
