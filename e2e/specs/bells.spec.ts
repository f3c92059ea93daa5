import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** Covers a small exam from the question to what became of each pupil. exam.spec.ts covers an exam of the default size. */
test('the exam preset reports what became of each pupil', { tag: ['@preset', '@exam'] }, async ({ app }) => {
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
