import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { missingPrograms } from '../processes.ts';
import { Walk } from '../walk.ts';

/** Newcomers who use only what the screens show. A third newcomer is covered by developer.spec.ts. */

// That nothing more must be pressed until the verdict is shown by contest.spec.ts.
test('an organizer starts a test with six clicks and three decisions', async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const walk = new Walk(page);
  await wizard.open();
  await walk.begin();

  await page.getByText('Will our contest site hold?', { exact: true }).click();
  await wizard.next('Which server?');
  await page.getByRole('button', { name: 'Start the practice server' }).click();
  await expect(page.getByText(/^Logged in, \d+ cookies? kept in memory/)).toBeVisible();
  await wizard.next('How much load?');
  await expect(page.getByText(/175 requests a second/).first()).toBeVisible();
  await wizard.next('Ready to start?');
  await wizard.endOfTrial();
  await expect(page.getByText('The trial failed.', { exact: false })).toHaveCount(0);
  // Waits, because the click would otherwise count as the second half of a double click on Next.
  await page.waitForTimeout(600);
  await wizard.startButton.click();
  await expect(page).toHaveURL(/#\/runs\//);
  const run = new RunPage(page);
  await run.waitForLive();
  await page.getByRole('main').screenshot({ path: 'e2e/artifacts/pictures/newcomer-organizer-live.png' });

  const pressed = await walk.listPressed();
  expect(pressed.length, pressed.join(' · ')).toBeLessThanOrEqual(6);
  const decisions = await walk.listDecisions();
  expect(decisions.length, decisions.join(' · ')).toBeLessThanOrEqual(3);
  await run.stopButton.click();
  await run.verdict(60_000);
});

test('a teacher with a file of 30 accounts starts a test of a site with a login with eight clicks', async ({ app, contest, home }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const accounts = join(home, 'class.csv');
  const rows = Array.from({ length: 30 }, (_, index) => `pupil${index + 1},password-${index + 1}`);
  await writeFile(accounts, ['username,password', ...rows].join('\n'));
  const wizard = new WizardPage(page);
  const walk = new Walk(page);
  await wizard.open();
  await walk.begin();

  await page.getByText('How many readers can our content site handle?', { exact: true }).click();
  await wizard.next('Which server?');
  await expect(wizard.address).toBeFocused();
  await page.keyboard.type(contest.urls[0] ?? '');
  await wizard.next('How much load?');
  await wizard.number(/How many readers at the same time/).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('30');
  await page.getByRole('textbox', { name: 'Which pages are read?' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(accounts);
  await expect(page.getByRole('textbox', { name: 'Where is the file of accounts?' })).toHaveValue(/class.*\.csv$/);
  await wizard.next('Ready to start?');
  await expect(page.getByText('30 rows in the list', { exact: false })).toBeVisible({ timeout: 60_000 });
  await expect(wizard.startButton).toBeEnabled({ timeout: 60_000 });

  const pressed = await walk.listPressed();
  // “Start the test” is the eighth.
  expect(pressed.length, pressed.join(' · ')).toBeLessThanOrEqual(7);
});

// The same steps are tested up to a verdict every time by contest.spec.ts and nodeVsGunicorn.spec.ts, and repeating a test by
// running.spec.ts.
test.describe('a teacher', () => {
  test('learns whether a class of 30 pupils can take part, and runs the same test again', { tag: '@nightly' }, async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.open();
    await wizard.choose('Will our contest site hold?');
    await wizard.next('Which server?');
    await wizard.usePracticeServer();
    await wizard.next('How much load?');
    await wizard.enterNumber(/participants do you expect/, '30');
    await wizard.enterNumber(/how many minutes/, '0.5');
    await expect(page.getByText(/7 requests a second/).first()).toBeVisible();
    await look(page, 'newcomer-teacher-1-load', ['light']);
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    await wizard.start();
    const run = new RunPage(page);
    await expect(await run.verdict(120_000)).toHaveText(/^(Passed|Inconclusive)/);
    await look(page, 'newcomer-teacher-2-result', ['light']);

    // In the next lesson, the questions must still have the same answers.
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await expect(wizard.number(/participants do you expect/)).toHaveValue('30');
    await expect(wizard.number(/how many minutes/)).toHaveValue('0.5');
    await expect(page.getByText('Load of the plan:', { exact: false })).toHaveCount(0);
    await look(page, 'newcomer-teacher-3-again', ['light']);
  });

  test('shows why Node and gunicorn differ', { tag: '@nightly' }, async ({ app, home }) => {
    test.setTimeout(600_000);
    const missing = await missingPrograms('node-vs-gunicorn', home);
    test.skip(missing !== null, missing ?? '');
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.open();
    await wizard.choose('Node or gunicorn, and how many of them?');
    await wizard.choose('a page that responds at once');
    await wizard.choose('Node and gunicorn');
    await wizard.next('Which server?');
    await page.getByRole('button', { name: 'Start the practice server' }).click();
    await expect(page.getByText(/^The practice server is running\./)).toBeVisible({ timeout: 540_000 });
    await wizard.next('How much load?');
    await wizard.next('Ready to start?');
    await expect(page.getByText('The plan is run 2 times', { exact: false })).toBeVisible();
    await expect(wizard.startButton).toBeEnabled();
    await expect(async () => {
      if (await wizard.startButton.isVisible()) await wizard.startButton.click({ timeout: 1_000 });
      await expect(page).toHaveURL(/#\/series\//, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expect(page.getByText(/2 of 2 runs/).first()).toBeVisible({ timeout: 540_000 });
    await look(page, 'newcomer-teacher-4-node-gunicorn', ['light']);
  });
});
