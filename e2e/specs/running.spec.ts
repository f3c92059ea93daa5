import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { tabTo } from '../tabTo.ts';

test(
  'a reload reconnects to the run, and Stop keeps what was measured',
  { tag: ['@preset', '@plain-page', '@quick'] },
  async ({ app, contest }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    const run = new RunPage(page);
    await wizard.startOnePage(contest.urls[0] ?? '', 60);
    await run.waitForLive();

    const address = page.url();
    await page.reload();
    expect(page.url()).toBe(address);
    await run.waitForLive();
    await page.getByRole('link', { name: 'New test' }).first().click();
    // The active run must be at the top of the history, even if the address that was saved is that of the page that showed the run before.
    await page.getByRole('link', { name: 'History 1 test is running' }).click();
    const runningNow = page.getByRole('region', { name: 'Running now' });
    await expect(runningNow.getByText(/^0:\d\d of 1:00 · 0:\d\d left$/)).toBeVisible();
    await expect(runningNow.getByRole('progressbar')).toBeVisible();
    await look(page, 'history-running');
    await page.evaluate("location.hash = '#/running'");
    await expect(page).toHaveURL(/#\/history$/);
    await runningNow.getByRole('link').click();
    await expect(page).toHaveURL(address);

    await run.stopButton.click();
    await expect(await run.verdict(30_000)).toHaveText(/^Inconclusive/);
    await expect(page.getByText('You stopped this test.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'History', exact: true })).toBeVisible();
    await expect(page.getByText('The result covers the time until then.')).toBeVisible();
    await run.unfold('Request outcomes');
    await expect(page.getByText(/^All [\d,]+ requests are accounted for\.$/)).toBeVisible();

    // The questions must still have their answers.
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await expect(wizard.number(/How many connections/)).toHaveValue('2');
    await expect(wizard.number(/For how many seconds/)).toHaveValue('60');
    await page.goto(address);
    await run.againButton.click();
    await expect(page).toHaveURL(/#\/runs\//);
    await run.waitForLive();
    expect(page.url()).not.toBe(address);
    // The steps from the first page by keyboard are covered by keyboard.spec.ts.
    await tabTo(page, /^Stop$/);
    await page.keyboard.press('Enter');
    await run.verdict(30_000);
  },
);

test('starting over can be undone, and a double click on Next does not start the load', async ({ app, contest }) => {
  const wizard = new WizardPage(app.page);
  await wizard.prepareOnePage(contest.urls[0] ?? '', 5);
  await app.page.getByRole('button', { name: 'Start over' }).click();
  await expect(wizard.heading('What do you want to know?')).toBeVisible();
  await app.page.getByRole('button', { name: 'Undo' }).click();
  await expect(wizard.heading('Ready to start?')).toBeVisible();

  await wizard.back('How much load?');
  await wizard.nextButton.dblclick();
  await expect(wizard.heading('Ready to start?')).toBeVisible();
  await wizard.back('How much load?');
  await expect(app.page).toHaveURL(/#\/new\/load$/);
});

test('a double click on Start starts only one test and shows it', async ({ app, contest }) => {
  const wizard = new WizardPage(app.page);
  await wizard.prepareOnePage(contest.urls[0] ?? '', 2);
  await expect(wizard.heading('Ready to start?')).toBeVisible();
  // Waits, because the clicks would otherwise count as the second half of a double click on Next.
  await app.page.waitForTimeout(600);
  await wizard.startButton.dblclick();
  await expect(app.page).toHaveURL(/#\/runs\//);
  await new RunPage(app.page).verdict(60_000);
});

test('an unreachable server is reported next to Start and at the top', async ({ app }) => {
  const { page } = app;
  // Nothing listens on port 9, the discard port.
  await new WizardPage(page).prepareOnePage('http://127.0.0.1:9/', 5);
  await expect(page.getByText('The trial failed. See above what to correct.')).toBeInViewport();
  await expect(
    page
      .getByRole('region', { name: 'Trial by one user' })
      .getByText(/refused/)
      .first(),
  ).toBeInViewport();
  await look(page, 'check-unreachable');
});
