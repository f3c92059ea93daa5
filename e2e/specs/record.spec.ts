import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast } from '../processes.ts';
import { recordedBrowser } from '../recordedBrowser.ts';

/** The user makes six decisions from the first page to the load: record, address, end of the recording, plan, load, start. */
test('a journey that is recorded in the contest becomes a running load', async ({ page, contest, home }) => {
  test.setTimeout(120_000);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-e2e-record-'));
  const walked = await recordedBrowser(folder);
  const server = await startHoldfast(['serve', '--port', '0'], home, walked.environment);
  try {
    const app = new AppPage(page);
    const wizard = new WizardPage(page);
    await app.open(server.urls[0] ?? '');
    await wizard.open();
    await page.getByRole('link', { name: 'Walk through it in a browser' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Walk through it in a browser' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Where it begins' }).fill(contest.urls[0] ?? '');
    await page.getByRole('button', { name: 'More' }).click();
    const texts = page.getByRole('textbox', { name: 'Texts that differ in each journey' });
    await texts.fill('abc');
    await expect(page.getByText('Enter at most 10 texts of at least 4 characters.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open the browser' })).toBeDisabled();
    await look(page, 'record-1-door');
    await texts.fill('A title of mine');
    await page.getByRole('button', { name: 'Open the browser' }).click();
    await expect(page.getByText('Recording. Walk through your site')).toBeVisible({ timeout: 60_000 });

    const site = await walked.page();
    site.setDefaultTimeout(15_000);
    await site.getByLabel('User name').fill('contestant1');
    await site.getByLabel('Password').fill('anchor-11');
    await site.getByRole('button', { name: /log ?in/i }).click();
    await expect(page.getByText('Submit “Log in”')).toBeVisible();
    await page.getByRole('textbox', { name: 'Mark' }).fill('from here: read a task');
    await page.getByRole('button', { name: 'Add a mark' }).click();
    await expect(page.getByText('Mark “from here: read a task”')).toBeVisible();
    const [field, button] = [page.getByRole('textbox', { name: 'Mark' }), page.getByRole('button', { name: 'Add a mark' })];
    const [fieldAt, buttonAt] = [await field.boundingBox(), await button.boundingBox()];
    expect(Math.abs((fieldAt?.y ?? 0) - (buttonAt?.y ?? 99)), 'how far the button is from the height of its field').toBeLessThan(3);
    const task = site.locator('a[href*="/description"]').first();
    const title = await task.innerText();
    await task.click();
    await expect(page.getByText(`Click “${title}”`)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Requests of each walk that may change data' })).toHaveText('POST /login');
    await look(page, 'record-2-live');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Paused. What you do now is not recorded.')).toBeVisible();
    await page.getByRole('button', { name: 'Continue recording' }).click();
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('This is your recording.')).toBeVisible({ timeout: 60_000 });
    await expect(page.locator('main')).not.toContainText('anchor-11');
    // The page must not mention the environment variable, because only the command line needs one for the value.
    await expect(page.locator('main')).not.toContainText('HOLDFAST_PASSWORD');
    await page.getByText('Watch this journey as a visitor too').click();
    await expect(page.getByText('A browser takes the journey beside the load: its first page and 2 steps.')).toBeVisible();
    await look(page, 'record-3-plan');

    await page.getByRole('button', { name: 'Use it' }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await page.getByRole('button', { name: /^Watch it as a visitor/ }).click();
    await expect(page.getByText(/^Then the journey continues: “Log in”, “/)).toBeVisible();
    await look(page, 'record-4-watched');
    // The checkbox is turned off, because the journey would be visited four times before the load. Visits to a journey during a load are
    // covered by runVisits.test.ts.
    await page.getByRole('checkbox', { name: 'Visit a page with a real browser during the load' }).press('Space');
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    await wizard.start();
    await new RunPage(page).waitForLive();
  } finally {
    // The page is left first, because a page that loses its backend logs an error.
    await page.goto('about:blank');
    await walked.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
