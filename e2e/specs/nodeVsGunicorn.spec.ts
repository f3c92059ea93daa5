import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { missingPrograms } from '../processes.ts';

test.beforeEach(async ({ home }) => {
  test.setTimeout(600_000);
  const missing = await missingPrograms('node-vs-gunicorn', home);
  test.skip(missing !== null, missing ?? '');
});

/** Covers a student's question, from selecting a test to the result for one Node and for three. */
test(
  'the burst preset finds the largest burst that one Node server and three Node servers sustain',
  { tag: ['@preset', '@node-vs-gunicorn'] },
  async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);

    await wizard.open();
    await wizard.choose('Node or gunicorn, and how many of them?');
    await expect(page.getByText('Where are the servers?').first()).toBeVisible();
    await wizard.choose('an unknown server');
    await expect(page.getByText('Where are the servers?')).toHaveCount(0);
    await expect(page.getByText('Which load?', { exact: true })).toBeVisible();
    await wizard.choose('bursts:');
    await wizard.choose('one Node and three');
    await look(page, 'node-1-question', ['narrow']);

    await wizard.next('Which server?');
    await expect(page.getByText('The address of the single Node').first()).toBeVisible();
    await page.getByRole('button', { name: 'Start the practice server' }).click();
    await expect(wizard.address).toHaveValue(/\/node\/$/, { timeout: 540_000 });

    await wizard.next('How much load?');
    await wizard.expectShortLoad();
    await expect(page.getByText('How long is the low load after each spike?')).toHaveCount(0);
    // The focus moves to another field, because some texts explain themselves when they get the focus.
    await wizard.enterNumber('How much larger is each?', '6');
    await wizard.enterNumber('The smallest burst', '3');
    await wizard.enterNumber('The largest burst', '15');
    await wizard.openPart('Stage by stage');
    await expect(page.getByText('“burst of 15”: 15 requests begin within 1 s', { exact: false }).first()).toBeVisible();
    await look(page, 'node-2-load', ['light']);

    await wizard.next('Ready to start?');
    await expect(page.getByText('The plan is run 2 times', { exact: false })).toBeVisible();
    await expect(page.getByText(/“node × 3”: http.*\/node_replicated\//)).toBeVisible();
    await wizard.openPart('The plan in words');
    await expect(page.getByText('Points to check afterwards')).toBeVisible();
    await expect(wizard.startButton).toBeEnabled();
    await look(page, 'node-3-check', ['narrow']);

    await expect(async () => {
      if (await wizard.startButton.isVisible()) await wizard.startButton.click({ timeout: 1_000 });
      await expect(page).toHaveURL(/#\/series\//, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expect(page.getByText(/2 of 2 runs/).first()).toBeVisible({ timeout: 540_000 });

    // Each request takes 0.5 s and the proxy waits for 6 s, so one Node responds to 13 requests in time, and three Nodes respond to 39.
    await expect(page.getByRole('heading', { name: 'Behavior' })).toBeVisible();
    await expect(page.getByText('Bursts of up to 9 requests had no failures; the one of 15 had.')).toBeVisible();
    await expect(page.getByText('No burst had failures, up to 15 requests.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Points to check' })).toBeVisible();
    await look(page, 'node-4-series', ['narrow']);

    await page.getByRole('link', { name: 'Run 1 of node', exact: true }).click();
    // On a busy computer, more severe findings may precede this one.
    await expect(page.getByText(/^Requests of “page” queued/).first()).toBeAttached();
    const run = new RunPage(page);
    await run.expectVerdictFirst();
    await run.unfold('Behavior');
    const queue = page.getByRole('table', { name: 'Response time by place in the queue' });
    await expect(queue.getByRole('row', { name: 'burst of 9' })).toContainText('grows');
    await look(page, 'node-5-result', ['dark']);
  },
);

/**
 * The other tests, each with the answer that selects the test, the number of its runs and a stage of its load. All of them are built in
 * every test run by src/core/presets/build.test.ts.
 */
const OTHER_TESTS = [
  { name: 'a page that responds at once', runs: 3, stage: 'strong plateau' },
  { name: 'a page that waits', runs: 3, stage: 'strong plateau' },
  { name: 'endurance: more work', runs: 3, stage: 'endurance' },
  { name: 'spikes: how soon', runs: 3, stage: 'second calm' },
  { name: 'an unknown server', runs: 2, stage: 'rise' },
];

for (const { name, runs, stage } of OTHER_TESTS)
  test(`“${name}” is planned for the practice server, ready to start`, { tag: '@nightly' }, async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.open();
    await wizard.choose('Node or gunicorn, and how many of them?');
    await wizard.choose(name);
    await wizard.next('Which server?');
    await page.getByRole('button', { name: 'Start the practice server' }).click();
    await expect(page.getByText(/^The practice server is running\. /)).toBeVisible({ timeout: 540_000 });
    await wizard.next('How much load?');
    await wizard.expectShortLoad();
    await wizard.openPart('Stage by stage');
    await expect(page.getByText(`“${stage}”`, { exact: false }).first()).toBeVisible();
    await wizard.next('Ready to start?');
    await expect(page.getByText(`The plan is run ${runs} times`, { exact: false })).toBeVisible();
    await expect(wizard.startButton).toBeEnabled();
  });
