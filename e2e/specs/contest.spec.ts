import { expect, test } from '../fixtures.ts';
import { saveViewport, look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** Covers the main use of an organizer, from the question to a verdict about a real server. */
test('the contest preset gives a verdict on the contest site', { tag: ['@preset', '@cms-contest', '@quick'] }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);

  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await look(page, '1-question');

  await wizard.next('Which server?');
  await expect(page.getByText('Enter the server address to continue.')).toBeVisible();
  await wizard.usePracticeServer();
  await expect(page.getByText('200 OK').first()).toBeVisible();
  await look(page, '2-target', ['dark', 'narrow']);

  await wizard.next('How much load?');
  await wizard.enterNumber(/participants do you expect/, '60');
  // The practice server shortens the test to 20 %: a warm-up of 4 s and 6 s that count.
  await wizard.enterNumber(/how many minutes/, '0.5');
  await expect(page.getByText(/14 requests a second/).first()).toBeVisible();
  await wizard.expectShortLoad();
  await look(page, '3-load');

  await wizard.next('Ready to start?');
  await expect(page.getByText(/\d+ checks? passed/).first()).toBeVisible();
  await expect(wizard.startButton).toBeEnabled();
  // A test of one page uses no accounts, so the page has no list of them.
  await expect(page.getByRole('heading', { name: 'Accounts and data' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Find the breaking point instead' }).click();
  await expect(page.getByRole('button', { name: 'Find the breaking point', exact: true })).toBeEnabled();
  await look(page, '4-check', ['light', 'narrow']);

  await wizard.start();
  await run.waitForLive();
  await expect(page.getByText(/^0:0[4-9] of 0:10$/)).toBeVisible({ timeout: 60_000 });
  await look(page, '5-run');

  const verdict = await run.verdict(90_000);
  // A busy machine may report that it was overloaded, but the site itself must not fail.
  await expect(verdict).toHaveText(/^(Passed|Inconclusive)/);
  await run.expectVerdictFirst();
  await saveViewport(page, '6-result-glance');
  await run.unfold('Coverage');
  await expect(page.getByRole('listitem').filter({ hasText: 'reading the page of a task while logged in' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'many people logging in at once' })).toBeVisible();
  await expect(page.getByText(/at least 14 successful responses a second/i).first()).toBeVisible();
  await look(page, '6-result');

  for (const part of ['ApacheBench figures', 'Stages and steps', 'Request outcomes', 'Latency distribution']) await run.unfold(part);
  await expect(page.getByText('Latency heatmap')).toBeVisible();
  await expect(page.getByText(/^All [\d,]+ requests are accounted for\.$/)).toBeVisible();
  await look(page, '7-result-unfolded', ['narrow']);
  await run.expectReadable();

  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('row', { name: /60 participants/ })).toBeVisible();
});

/** Selects a test in which contestants log in themselves, and starts the test's practice server, which fills in the questions. */
async function prepare(wizard: WizardPage, test: RegExp): Promise<void> {
  const { page } = wizard;
  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await wizard.choose(test);
  await wizard.next('Which server?');
  await page.getByRole('button', { name: 'Start the practice server' }).click();
  await expect(page.getByText(/^The practice server is running\./)).toBeVisible();
  // A login on this page would disturb the contestants' logins.
  await expect(page.getByRole('heading', { name: /^Log in/ })).toHaveCount(0);
  await wizard.next('How much load?');
  // The test that was selected decides what the numbers mean, so it must be shown next to them.
  await expect(page.getByRole('definition').filter({ hasText: test })).toBeVisible();
  await expect(page.getByText('Read from a file of the practice server on this computer.')).toBeVisible();
  await wizard.expectShortLoad();
}

async function runIt(wizard: WizardPage, run: RunPage, waitMs: number): Promise<void> {
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled();
  // Each address is checked. The page must not ask for a login if the users log in themselves.
  await wizard.endOfTrial();
  await wizard.openChecks();
  await expect(wizard.page.getByRole('button', { name: /^Response of 127\.0\.0\.1:\d+ 200 OK/ })).toHaveCount(2);
  await expect(wizard.page.getByText(/a user name and a password/)).toHaveCount(0);
  await wizard.start();
  await run.waitForLive();
  await expect(await run.verdict(waitMs)).toHaveText(/^(Passed|Inconclusive|Failed)/);
}

// Whether the request counts of the rehearsal equal those in the server's log is tested every time by src/cli/commands/contestDay.test.ts.
test('the rehearsal covers the day from the login to the last minutes', { tag: '@nightly' }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await prepare(wizard, /^the rehearsal/);
  await wizard.enterNumber(/participants do you expect/, '40');
  await wizard.choose(/^yes, at an address below/);
  await wizard.enterNumber(/how many spectators/i, '30');
  await wizard.openPart('Advanced');
  await wizard.enterNumber(/pause between two actions/, '1');
  await wizard.enterNumber(/how many minutes does the test run/, '0.5');
  await wizard.enterNumber(/does everybody log in/, '0.2');
  await wizard.enterNumber(/are the last minutes/, '0.25');
  await expect(page.getByText('40 participants log in within 2.4 s').first()).toBeVisible();
  await expect(page.getByText('30 spectators load the scoreboard').first()).toBeVisible();
  await look(page, '9-rehearsal-load', ['narrow']);
  await runIt(wizard, run, 90_000);
  await run.expectVerdictFirst();
  await look(page, '10-rehearsal-result', ['dark']);
  await run.unfold('Servers');
  await expect(page.getByText('2 of 2 responded')).toBeVisible();
  await run.unfold('Stages and steps');
  for (const name of ['arrival', 'contest', 'last minutes', 'login', 'statement', 'submit', 'notifications'])
    await expect(page.getByRole('rowheader', { name, exact: true }).first()).toBeVisible();
  await run.unfold('Event streams');
  await expect(page.getByText('Closed by the listener')).toBeVisible();
  await run.unfold('Request outcomes');
  await expect(page.getByText(/^All [\d,]+ requests are accounted for\.$/)).toBeVisible();
  await look(page, '11-rehearsal-unfolded', ['narrow']);
  await run.expectReadable();
  await saveViewport(page, '11-rehearsal-all');
});

test('the long test is planned with monitored database connections', async ({ app }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await wizard.choose(/^the long test/);
  await wizard.next('Which server?');
  await wizard.usePracticeServer();
  await wizard.next('How much load?');
  await wizard.expectShortLoad();
  await wizard.openPart('Advanced');
  await wizard.choose(/^yes, as a number/);
  await expect(page.getByRole('textbox', { name: 'Which address?' })).toHaveValue(/\/gauges$/);
  await expect(page.getByText('The page is requested 50 times a second for 48 s').first()).toBeVisible();
  await wizard.next('Ready to start?');
  await wizard.openPart('The plan in words');
  await expect(page.getByText('or connections more, and when they reach their limit', { exact: false })).toBeVisible();
  await expect(wizard.startButton).toBeEnabled();
});

test('the workers test measures the rate of the workers', async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await prepare(wizard, /^the workers/);
  await wizard.enterNumber(/solutions are submitted/, '60');
  await wizard.openPart('Advanced');
  await wizard.enterNumber(/how many seconds/i, '2');
  await wizard.choose(/^no, measure them cold/);
  await expect(page.getByText('4 workers with 0.3 s for each need 4.5 s').first()).toBeVisible();
  await look(page, '12-workers-load', ['light']);
  await runIt(wizard, run, 90_000);
  // 4 workers that take 0.3 s for each result process 13.3 results per second.
  const work = page.getByText(/^All 60 results of “evaluation” came/);
  await expect(work).toBeVisible();
  const perSecond = Number(/([\d.]+)\/s/.exec((await work.textContent()) ?? '')?.[1]);
  expect(perSecond).toBeGreaterThan(9);
  expect(perSecond).toBeLessThan(16);
  await run.unfold('More charts');
  await expect(page.getByRole('heading', { name: 'Pending results' }).first()).toBeVisible();
  await look(page, '13-workers-result', ['narrow'], { knownColours: true });
});
