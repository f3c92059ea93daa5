import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** The main job, as an organizer does it: from the question to a verdict on a real server. */
test('an organizer learns whether the contest site will hold', async ({ app }) => {
  test.setTimeout(180_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);

  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await look(page, '1-question');

  await wizard.next('Which server?');
  await expect(page.getByText('Write the address of the server to go on.')).toBeVisible();
  await wizard.usePracticeServer();
  await wizard.sendOneRequest();
  await expect(page.getByText('200 OK').first()).toBeVisible();
  await look(page, '2-target');

  await wizard.next('How much load?');
  await wizard.write(/participants do you expect/, '60');
  await wizard.write(/how many minutes/, '0.1');
  await expect(page.getByText(/make 16 requests a second/).first()).toBeVisible();
  await expect(page.getByText('What counts as good enough')).toBeVisible();
  await look(page, '3-load');

  await wizard.next('Ready to start?');
  await expect(page.getByText(/\d+ checks? fine/)).toBeVisible();
  await expect(wizard.startButton).toBeEnabled();
  await look(page, '4-check');

  await wizard.start();
  await run.waitForLive();
  await expect(page.getByText(/^0:0[5-9] of 0:26$/)).toBeVisible({ timeout: 20_000 });
  await look(page, '5-run');

  const verdict = await run.verdict(90_000);
  // A machine that is busy with other things may honestly say that it could not keep up; the site itself must not break.
  await expect(verdict).toHaveText(/^(Holds|Not known)/);
  await expect(page.getByRole('listitem').filter({ hasText: 'reading the page of a task while logged in' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'many people logging in at once' })).toBeVisible();
  await expect(page.getByText(/at least 16 good answers a second/i).first()).toBeVisible();
  await look(page, '6-result');

  for (const part of ['The figures of ApacheBench', 'Stages and steps', 'Every request accounted for']) await run.unfold(part);
  await expect(page.getByText(/^All [\d,]+ requests are accounted for\.$/)).toBeVisible();
  await look(page, '7-result-unfolded', ['narrow']);

  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('row', { name: /60 participants/ })).toBeVisible();
  await look(page, '8-history');
});
