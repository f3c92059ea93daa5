import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

test('arrivals that are made from an address start as planned, and get a verdict', async ({ app, contest }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await wizard.openAddress(contest.urls[0] ?? '');
  await wizard.openPart('Load model');
  await wizard.choose('Fixed arrival rate');
  await wizard.enterNumber(/^Rate/, '80');
  await wizard.enterNumber('Duration', '4');
  await expect(page.getByText('80 requests begin each second for 4 s, 320 in all')).toBeVisible();
  // Before the start, the page shows what such a short test may miss, and how long a test must run to see it.
  await expect(page.getByText(/The test may miss what happens less often than about every 1\.33\ss\. Run longer/)).toBeVisible();
  // A test of an address has default criteria, and more can be added.
  await wizard.openPart('Pass criteria');
  await wizard.addLimit('Apdex score');

  // An invalid number must be explained next to its field, and must block the next page.
  await wizard.enterNumber('Duration', '-1');
  await expect(page.getByText('Use more than 0.')).toBeVisible();
  await expect(wizard.nextButton).toBeDisabled();
  await wizard.enterNumber('Duration', '4');
  await expect(page.getByText('320 requests in 4 s')).toBeVisible();
  await look(page, 'load-arrivals', ['light']);

  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled();
  await wizard.start();
  await run.waitForLive();
  // A busy machine may report that it was overloaded, but the server itself must not fail.
  await expect(await run.verdict(60_000)).toHaveText(/^(Passed|Inconclusive)/);
  await run.unfold('Stages and steps');
  await expect(page.getByRole('row', { name: /^load 80\/s 100\s% 320 / })).toBeVisible();
  await run.unfold('Latency percentiles');
  await expect(page.getByRole('rowheader', { name: 'Service time' })).toBeVisible();
  // The number of connections divided by the rate would not be a time of this test. The command line says so too.
  await run.unfold('ApacheBench figures');
  await expect(page.getByRole('row', { name: 'Time per request (mean) unknown' })).toBeVisible();
  await look(page, 'result-arrivals', ['narrow'], { knownColours: true });
});

test('users pause, and their start-up does not count', async ({ app, contest }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await wizard.openAddress(contest.urls[0] ?? '');
  await wizard.openPart('Load model');
  await wizard.choose('Virtual users with think time');
  await wizard.enterNumber('Users', '4');
  await wizard.enterNumber('Start-up', '2');
  await wizard.enterNumber('Duration', '3');
  await wizard.enterNumber('Shortest', '0.1');
  await wizard.enterNumber('Longest', '0.3');
  await expect(page.getByText(/4 users .*0\.1\ss to 0\.3\ss/)).toBeVisible();

  // A number that was entered must stay after another load model was shown.
  await wizard.choose('Fixed arrival rate');
  await wizard.choose('Virtual users with think time');
  await expect(wizard.number('Users')).toHaveValue('4');

  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled();
  await wizard.start();
  await run.waitForLive();
  // The result is inconclusive, because the default criteria need some hundred requests.
  await expect(await run.verdict(60_000)).toHaveText(/^Inconclusive/);
  await run.unfold('Stages and steps');
  await expect(page.getByRole('row', { name: /^load plus \d+ requests before all users ran, not counted 4 users/ })).toBeVisible();
});
