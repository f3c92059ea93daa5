import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { Page } from '@playwright/test';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { lacksPrograms } from '../processes.ts';
import { Walk } from '../walk.ts';

/** Three people who have never seen Holdfast, and read nothing but its screens. */

test('an organizer gets a verdict with six clicks and three decisions', async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const walk = new Walk(page);
  await wizard.open();
  await look(page, 'newcomer-organizer-1-new');
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
  // Later than the second half of a double click on Next could come.
  await page.waitForTimeout(600);
  await wizard.startButton.click();
  await expect(page).toHaveURL(/#\/runs\//);
  const run = new RunPage(page);
  await run.waitForLive();
  await page.getByRole('main').screenshot({ path: 'e2e/artifacts/pictures/newcomer-organizer-2-live.png' });
  await expect(await run.verdict(180_000)).toHaveText(/^(Passed|Failed|Inconclusive)/);

  const pressed = await walk.pressed();
  expect(pressed.length, pressed.join(' · ')).toBeLessThanOrEqual(6);
  const decisions = await walk.decisions();
  expect(decisions.length, decisions.join(' · ')).toBeLessThanOrEqual(3);
  await look(page, 'newcomer-organizer-3-result', ['light', 'narrow']);
});

// By day contest.spec.ts and nodeVsGunicorn.spec.ts go the same ways to their verdicts, and running.spec.ts runs a test again as it was answered.
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
    await wizard.write(/participants do you expect/, '30');
    await wizard.write(/how many minutes/, '0.5');
    await expect(page.getByText(/7 requests a second/).first()).toBeVisible();
    await look(page, 'newcomer-teacher-1-load', ['light']);
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    await wizard.start();
    const run = new RunPage(page);
    await expect(await run.verdict(120_000)).toHaveText(/^(Passed|Inconclusive)/);
    await look(page, 'newcomer-teacher-2-result', ['light']);

    // The next lesson: the same questions, answered as they were.
    await run.againButton.click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await expect(wizard.number(/participants do you expect/)).toHaveValue('30');
    await expect(wizard.number(/how many minutes/)).toHaveValue('0.5');
    await expect(page.getByText('This load comes from an existing plan.', { exact: false })).toHaveCount(0);
    await look(page, 'newcomer-teacher-3-again', ['light']);
  });

  test('shows why Node and gunicorn differ', { tag: '@nightly' }, async ({ app, home }) => {
    test.setTimeout(600_000);
    test.skip(await lacksPrograms('node-vs-gunicorn', home), 'a program that its practice server needs is not here');
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.open();
    await wizard.choose('Node or gunicorn, and how many of them?');
    await wizard.select('Which test?', 'a page that responds at once');
    await wizard.select('Which servers?', 'Node and gunicorn');
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

test.describe('a developer', () => {
  /** Two versions of a page on one machine; the second takes three times as long, and neither does more than one at a time. */
  let versions: { readonly servers: readonly Server[]; readonly urls: readonly [string, string] };
  test.beforeAll(async () => {
    const servers = [10, 30].map(oneAtATime);
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const [a = '', b = ''] = servers.map(urlOf);
    versions = { servers, urls: [a, b] };
  });
  test.afterAll(() => {
    for (const server of versions.servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** From a command line to its verdict. */
  async function runCommand(wizard: WizardPage, command: string): Promise<RunPage> {
    await wizard.openAddress(command);
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    await wizard.start();
    const run = new RunPage(wizard.page);
    await run.verdict(120_000);
    return run;
  }

  test('pastes a command of ab, saves the result as PDF, and learns that two single runs prove nothing', async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    const [a, b] = versions.urls;
    const first = await runCommand(wizard, `ab -t 12 -c 2 ${a}`);
    await look(page, 'newcomer-developer-1-result', ['light']);
    const paper = await first.report('PDF on A4');
    expect((await readFile(paper.path)).subarray(0, 5).toString(), paper.fileName).toBe('%PDF-');
    await runCommand(wizard, `ab -t 12 -c 2 ${b}`);

    await page.getByRole('link', { name: 'History' }).first().click();
    await expect(page.getByText('2 connections for 12 s', { exact: false })).toHaveCount(2);
    for (const url of versions.urls)
      await page
        .getByRole('row')
        .filter({ has: page.getByTitle(`Target: ${url}`) })
        .getByRole('checkbox')
        .first()
        .press('Space');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const offer = page.getByRole('region', { name: 'Make the comparison conclusive' });
    await expect(offer.getByText(/Two single runs cannot show a difference under \d+\s%/)).toBeVisible();
    await look(page, 'newcomer-developer-2-two-runs', ['light', 'narrow']);
    await offer.getByRole('link', { name: 'Run each five times in turn' }).click();
    await expect(wizard.heading('Compare two versions')).toBeVisible();
    await expect(wizard.number('Address of version A')).toHaveValue(a);
    await expect(wizard.number('Address of version B')).toHaveValue(b);
    await expect(page.getByText('2 connections for 12 s', { exact: false })).toBeVisible();
    await expect(page.getByText(/^10 runs in turn, which take at least/)).toBeVisible();
    await look(page, 'newcomer-developer-3-prefilled', ['light']);
  });

  test('compares two versions, five runs each in turn', { tag: '@nightly' }, async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    const walk = new Walk(page);
    await wizard.open();
    await walk.begin();
    await page.getByRole('link', { name: 'Compare two versions' }).click();
    await expect(wizard.heading('Compare two versions')).toBeVisible();
    await wizard.write('Address of version A', versions.urls[0]);
    await wizard.write('Address of version B', versions.urls[0]);
    await expect(page.getByText('Both addresses are the same.', { exact: false })).toBeVisible();
    await wizard.write('Address of version B', versions.urls[1]);
    await wizard.write(/^Connections/, '2');
    await wizard.write('Duration of each run', '2');
    await expect(page.getByText(/^10 runs in turn, which take at least/)).toBeVisible();
    await look(page, 'newcomer-developer-4-versions');
    await page.getByRole('button', { name: 'Compare the versions' }).click();
    await expect(page).toHaveURL(/#\/series\//);
    const pressed = await walk.pressed();
    expect(pressed.length, pressed.join(' · ')).toBe(2);

    await expect(page.getByText(/10 of 10 runs/).first()).toBeVisible({ timeout: 400_000 });
    await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible();
    await expect(page.getByText(/“A \(127\.0\.0\.1:\d+\)”/).first()).toBeVisible();
    await look(page, 'newcomer-developer-5-versions-result', ['light']);
  });

  async function startsToLook(page: Page): Promise<void> {
    const wizard = new WizardPage(page);
    await wizard.open();
    await page.getByRole('link', { name: 'Find the breaking point' }).click();
    await expect(wizard.heading('Find the breaking point')).toBeVisible();
    await page.getByRole('button', { name: 'Find the breaking point' }).click();
    await expect(page.getByText('Enter the address of a page.')).toBeVisible();
    await wizard.write('Page address', versions.urls[1]);
    await wizard.write('Longest response time', '200');
    await look(page, 'newcomer-developer-6-breaking-point');
    await page.getByRole('button', { name: 'Find the breaking point' }).click();
    await expect(page).toHaveURL(/#\/searches\//);
  }

  test('starts to look for the breaking point of a page, and stops', async ({ app }) => {
    const { page } = app;
    await startsToLook(page);
    await page.getByRole('button', { name: 'Stop the search' }).click();
    await expect(page.getByText('The search was stopped.', { exact: false })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible();
  });

  test('finds the breaking point of a page', { tag: '@nightly' }, async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    await startsToLook(page);
    await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible({ timeout: 500_000 });
    await expect(page.getByRole('heading', { name: 'Result', exact: true })).toBeVisible();
    await look(page, 'newcomer-developer-7-breaking-point-result', ['light']);
  });
});

/** A server that works on one request at a time, for so many milliseconds. */
function oneAtATime(workMs: number): Server {
  let last = Promise.resolve();
  const server = createServer((_request, response) => {
    last = last.then(() => new Promise((done) => setTimeout(done, workMs))).then(() => void response.end('hello'));
  });
  return server.listen(0, '127.0.0.1');
}

function urlOf(server: Server): string {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${port}/`;
}
