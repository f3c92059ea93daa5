import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** Covers a small exam from the question to what became of each pupil. exam.spec.ts covers an exam of the default size. */
test('the exam preset reports the outcome of each pupil', { tag: ['@preset', '@exam'] }, async ({ app }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await wizard.open();
  await wizard.choose('Will our exam hold, and is any answer lost?');
  await wizard.next('Which server?');
  await page.getByRole('button', { name: 'Start the practice server' }).click();
  await expect(wizard.address).not.toHaveValue('', { timeout: 90_000 });
  await wizard.next('How much load?');
  await wizard.enterNumber(/How many pupils start together/, '12');
  await wizard.enterNumber(/How many minutes after the bell/, '0.3');
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled();
  await wizard.start();
  await run.waitForLive();
  await run.verdict(180_000);
  const pupils = page.getByRole('region', { name: 'Pupils' });
  await expect(pupils.getByText('The lines add up to 12 pupils.')).toBeVisible();
});

/** Covers a registration from the question to the number of places that were granted. */
test('the registration preset reports how many places were granted', { tag: ['@preset', '@registration'] }, async ({ app }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await wizard.open();
  await wizard.choose('Will our registration hold, or is a place given twice?');
  await wizard.next('Which server?');
  await page.getByRole('button', { name: 'Start the practice server' }).click();
  await expect(wizard.address).not.toHaveValue('', { timeout: 90_000 });
  await wizard.next('How much load?');
  await wizard.enterNumber(/How many people come/, '100');
  await look(page, 'registration-1-load', ['narrow']);
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled();
  await wizard.start();
  await run.waitForLive();
  const verdict = await run.verdict(120_000);
  await expect(verdict).toHaveText(/\d+ of 100 people got one of 80 places/);
  await look(page, 'registration-2-result', ['light', 'dark', 'narrow']);
});

const PLAN_WITH_BELL = (url: string): string =>
  JSON.stringify({
    holdfast: 1,
    name: 'Enrolment at eight',
    targets: [{ url }],
    journey: [{ name: 'home', gate: 'eight' }],
    bells: { eight: { atSeconds: 3 } },
    load: { model: 'users', paceSeconds: 60, stages: [{ users: 8, seconds: 5 }] },
  });

test('a search at a bell continues with the next level when the server has been reset', { tag: '@nightly' }, async ({ app, contest }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  await wizard.openPlan(PLAN_WITH_BELL(contest.urls[0] ?? ''));
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled({ timeout: 60_000 });
  await wizard.openPart('Find out how many');
  await expect(page.getByRole('checkbox', { name: 'Wait for me to reset the server between levels' })).toBeChecked();
  await look(page, 'bell-search-1-card');
  await page.getByRole('button', { name: 'Find the breaking point' }).click();
  const reset = page.getByText('Reset the server, then continue with 4 people.');
  await expect(reset).toBeVisible({ timeout: 90_000 });
  await look(page, 'bell-search-2-reset');
  await page.getByRole('button', { name: 'Reset done, continue' }).click();
  await expect(reset).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByText('Reset the server, then continue with 8 people.')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Stop the search' }).click();
  await expect(page.getByText('The search was stopped. Results until then are below.')).toBeVisible({ timeout: 60_000 });
});
