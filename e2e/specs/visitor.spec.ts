import type { Page } from '@playwright/test';
import { hasSshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { type PageServer, startPageServer } from '#backend/visits/testing/pageServer.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** A short hey command whose load is small enough to leave processor time for the browser. */
const SHORT = 'hey -z 8s -c 1 -q 10';
const HOST = 'branch-office';

test.describe('a page that is visited', () => {
  let server: PageServer;
  test.beforeAll(async () => {
    server = await startPageServer();
    server.pictureMs = 300;
  });
  test.afterAll(() => server.close());

  test('is selected in the wizard, visited during the load, and shown as a filmstrip', async ({ app }) => {
    test.setTimeout(240_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    const run = new RunPage(page);
    await wizard.openAddress(`${SHORT} ${server.url}`);
    await wizard.openPart('Watch it as a visitor');
    await page.getByRole('checkbox', { name: 'Visit a page with a real browser during the load' }).press('Space');
    const address = page.getByRole('textbox', { name: 'Page', exact: true });
    await expect(address).toHaveValue('/');
    await address.fill('shop');
    await expect(page.getByText('Enter a path that begins with /, or a full address.')).toBeVisible();
    await address.fill('/');
    await page.getByRole('textbox', { name: 'Then click' }).fill('Buy');
    await page.getByRole('button', { name: /^Add the criterion: 75.% of visitors see it within 2\.5.s$/ }).click();
    await wizard.openPart('Pass criteria');
    await expect(page.getByText('of visitors see')).toBeVisible();
    await look(page, 'visitor-1-wizard');
    await wizard.next('Ready to start?');
    await expect(wizard.startButton).toBeEnabled();
    await expect(async () => {
      if (await wizard.startButton.isEnabled()) await wizard.startButton.click({ timeout: 1_000 });
      await expect(page.getByText('Opening the page in a browser, to see it without load …').first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });

    await expect(run.stopButton).toBeVisible({ timeout: 90_000 });
    await run.waitForLive();
    const last = page.getByRole('region', { name: 'Last visit' });
    await expect(last.getByText('Largest paint')).toBeVisible({ timeout: 60_000 });
    await look(page, 'visitor-2-live', ['narrow'], { knownColours: true });
    await run.verdict(150_000);

    await expect(page.getByRole('heading', { name: 'What visitors see' })).toBeVisible();
    await run.expectVerdictFirst();
    await run.unfold(/^Films/);
    await run.unfold(/^Visits/);
    await expect(page.getByRole('table', { name: /^Visits of “\/”/ })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Click' }).first()).toBeVisible();
    await expect(page.getByRole('img', { name: /^The page after / }).first()).toBeVisible();
    // On a busy computer, the load generator may slow all visits down, which is then reported. More severe findings may also come first.
    await expect(page.getByText(/^A visitor waited .* without load and |^The browser’s own computer slowed /).first()).toBeAttached();
    await page.getByRole('heading', { name: 'What visitors see' }).scrollIntoViewIfNeeded();
    await look(page, 'visitor-3-result');
    await run.expectReadable();

    const { visits } = await run.result();
    // Each visit is checked instead of the median. On a busy computer, all visits may be slowed down, and then there is no median.
    const paints = (visits?.visits ?? []).flatMap(({ largestPaintMs }) => largestPaintMs ?? []);
    expect(paints.length).toBeGreaterThan(2);
    expect(Math.min(...paints)).toBeGreaterThan(server.pictureMs);
    expect(visits?.filmstrips.length).toBeGreaterThan(0);
  });

  test('can be visited from a host', async ({ app }) => {
    const { page } = app;
    await addHost(page, { port: 22, keyPath: '/nonexistent/key' });
    await watchFromHost(new WizardPage(page), server.url);
    await look(page, 'visitor-4-from', ['narrow']);
    await removeHost(page);
  });

  // The runs are tested every time by src/backend/services/hosts/visitFromHost.test.ts, and their results by
  // src/core/judgement/visits.test.ts.
  test('is visited from a host by the browser on that host', { tag: '@nightly' }, async ({ app }) => {
    test.skip(!hasSshServer, 'a host to enter needs sshd and the rights of root');
    test.setTimeout(240_000);
    const { page } = app;
    const host = await startSshServer();
    try {
      await addHost(page, { port: host.port, keyPath: host.clientKey });
      const card = page.getByRole('region', { name: HOST, exact: true });
      await card.getByRole('button', { name: 'Test connection' }).click();
      await card.getByRole('button', { name: 'Trust this machine' }).click();
      await expect(card.getByText('Connected.')).toBeVisible({ timeout: 60_000 });

      const wizard = new WizardPage(page);
      const run = new RunPage(page);
      await watchFromHost(wizard, server.url);
      await wizard.next('Ready to start?');
      await wizard.start();
      await run.waitForLive();
      expect(host.pidsOf('holdfast-visits-').length).toBeGreaterThan(0);
      await run.verdict(150_000);
      await expect(page.getByText(/^A real browser \(Chromium .*\) visited beside the load, seen from branch-office\. /)).toBeVisible();
      await expect.poll(() => host.pidsOf('holdfast-visits-'), { timeout: 20_000 }).toEqual([]);
    } finally {
      await host.stop();
    }
    await removeHost(page);
  });
});

async function addHost(page: Page, { port, keyPath }: { readonly port: number; readonly keyPath: string }): Promise<void> {
  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await page.getByRole('button', { name: 'Add a host' }).click();
  const form = page.getByRole('region', { name: 'New host' });
  await form.getByRole('button', { name: 'User, port, key and jump hosts' }).click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(HOST);
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('textbox', { name: 'User' }).fill('root');
  await form.getByRole('textbox', { name: 'Port' }).fill(String(port));
  await form.getByRole('textbox', { name: 'Private key' }).fill(keyPath);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
}

async function removeHost(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: HOST, exact: true });
  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await card.getByRole('button', { name: /^Remove/ }).click();
  // The host must be removed, because other tests expect no hosts.
  await expect(card).toBeHidden();
}

/** Proceeds from an address to its load, with a page that is visited from the host. */
async function watchFromHost(wizard: WizardPage, url: string): Promise<void> {
  await wizard.openAddress(`${SHORT} ${url}`);
  await wizard.openPart('Watch it as a visitor');
  await wizard.page.getByRole('checkbox', { name: 'Visit a page with a real browser during the load' }).press('Space');
  await wizard.select('Seen from', HOST);
}
