import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import type { Page } from '@playwright/test';
import { importText } from '#core/import/importText.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { putRun } from '#backend/testing/storedRun.ts';
import { Walk } from '../walk.ts';

/** A newcomer who has two versions of a page. The loads are small, so other tests may run in parallel. */

/** Two versions of a page on one machine. One is three times as slow as the other. Both process one request at a time. */
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

/** Duration of a run in seconds. To compare two runs, at least ten seconds of each are needed. */
const SECONDS = 12;

/** Stores a run from an ab command as if it had been measured, over two connections to a page that processes one request at a time. */
function putRunOfAb(home: string, url: string, workMs: number): void {
  const read = importText(`ab -t ${SECONDS} -c 2 ${url}`);
  if (read.kind === 'refused') throw new Error(read.issues.map(({ message }) => message).join(' '));
  const windows = repeatedWindows(SECONDS, { ok: [{ count: Math.floor(1_000 / workMs), ms: 2 * workMs }] });
  putRun(home, { plan: read.imported.plan, windows });
}

// The steps from a pasted ab command to its load are covered by paste.spec.ts, and saving as PDF by secrets.spec.ts.
test('a comparison of two single ab runs proves nothing, and both versions can be compared with the same test', async ({ app, home }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  const [a, b] = versions.urls;
  putRunOfAb(home, a, 10);
  putRunOfAb(home, b, 30);

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
  await look(page, 'developer-1-two-runs', ['light', 'narrow']);
  await offer.getByRole('link', { name: 'Run each five times in turn' }).click();
  await expect(wizard.heading('Compare two versions')).toBeVisible();
  await expect(wizard.number('Address of version A')).toHaveValue(a);
  await expect(wizard.number('Address of version B')).toHaveValue(b);
  await expect(page.getByText('2 connections for 12 s', { exact: false })).toBeVisible();
  await expect(page.getByText(/^10 runs in turn, which take at least/)).toBeVisible();
  await look(page, 'developer-2-prefilled', ['light']);
});

test('two versions are compared in five runs each, which alternate', { tag: '@nightly' }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const walk = new Walk(page);
  await wizard.open();
  await walk.begin();
  await page.getByRole('link', { name: 'Compare two versions' }).click();
  await expect(wizard.heading('Compare two versions')).toBeVisible();
  await wizard.enterNumber('Address of version A', versions.urls[0]);
  await wizard.enterNumber('Address of version B', versions.urls[0]);
  await expect(page.getByText('Both addresses are the same.', { exact: false })).toBeVisible();
  await wizard.enterNumber('Address of version B', versions.urls[1]);
  await wizard.enterNumber(/^Connections/, '2');
  await wizard.enterNumber('Duration of each run', '2');
  await expect(page.getByText(/^10 runs in turn, which take at least/)).toBeVisible();
  await look(page, 'developer-3-versions');
  await page.getByRole('button', { name: 'Compare the versions' }).click();
  await expect(page).toHaveURL(/#\/series\//);
  const pressed = await walk.listPressed();
  expect(pressed.length, pressed.join(' · ')).toBe(2);

  await expect(page.getByText(/10 of 10 runs/).first()).toBeVisible({ timeout: 400_000 });
  await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible();
  await expect(page.getByText(/“A \(127\.0\.0\.1:\d+\)”/).first()).toBeVisible();
  await look(page, 'developer-4-versions-result', ['light']);
});

async function startSearch(page: Page): Promise<void> {
  const wizard = new WizardPage(page);
  await wizard.open();
  await page.getByRole('link', { name: 'Find the breaking point' }).click();
  await expect(wizard.heading('Find the breaking point')).toBeVisible();
  await page.getByRole('button', { name: 'Find the breaking point' }).click();
  await expect(page.getByText('Enter the address of a page.')).toBeVisible();
  await wizard.enterNumber('Page address', versions.urls[1]);
  await wizard.enterNumber('Longest response time', '200');
  await look(page, 'developer-5-breaking-point');
  await page.getByRole('button', { name: 'Find the breaking point' }).click();
  await expect(page).toHaveURL(/#\/searches\//);
}

test('a search for the breaking point of a page can be stopped', async ({ app }) => {
  const { page } = app;
  await startSearch(page);
  await page.getByRole('button', { name: 'Stop the search' }).click();
  await expect(page.getByText('The search was stopped.', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible();
});

test('a search finds the breaking point of a page', { tag: '@nightly' }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  await startSearch(page);
  await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible({ timeout: 500_000 });
  await expect(page.getByRole('heading', { name: 'Result', exact: true })).toBeVisible();
  await look(page, 'developer-6-breaking-point-result', ['light']);
});

/** Starts a server that processes one request at a time and takes this many ms for each. */
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
