import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { once } from 'node:events';
import { hasSshServer, hasSudo, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { Walk } from '../walk.ts';

test.skip(!hasSshServer, 'a host to enter needs sshd and the rights of root');

let server: SshServer;
/**
 * A host in its own network, where settings can be changed without changing this machine. If sudo works, the host's user needs a password
 * for it.
 */
let tunedServer: SshServer;
const TUNER = hasSudo ? { user: 'tuner', password: 'battery staple', sudoers: ['tuner ALL=(root) ALL'] } : {};
const somaxconn = (): string => tunedServer.inside('cat /proc/sys/net/core/somaxconn').trim();
test.beforeAll(async () => {
  server = await startSshServer({ password: 'correct horse' });
  tunedServer = await startSshServer({ ownNetwork: ['sysctl -q -w net.core.somaxconn=128'], ...TUNER });
});
test.afterAll(async () => {
  await server.stop();
  await tunedServer.stop();
});

async function hosts({ page }: AppPage) {
  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
  return page;
}

async function addHost(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a host' }).click();
  const form = page.getByRole('region', { name: 'New host' });
  await form.getByRole('button', { name: 'User, port, key and jump hosts' }).click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('../there');
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('textbox', { name: 'User' }).fill('root');
  await form.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
  await form.getByRole('textbox', { name: 'Private key' }).fill('/nonexistent/key');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(form.getByText(/Use letters, digits, dots/)).toBeVisible();
  await look(page, 'hosts-form');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('there');
  await form.getByRole('button', { name: 'Add', exact: true }).click();

  const card = page.getByRole('region', { name: 'there', exact: true });
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card.getByText(/SHA256:[A-Za-z0-9+/]{43}/)).toBeVisible({ timeout: 60_000 });
  await expect(card.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  await look(page, 'hosts-fingerprint');
  await card.getByRole('button', { name: 'Trust this machine' }).click();
  await expect(card.getByText('“there” asks for a secret')).toBeVisible({ timeout: 60_000 });
  await look(page, 'hosts-password');
  await card.getByLabel('Password of root on 127.0.0.1').fill('correct horse');
  await card.getByRole('button', { name: 'Continue' }).click();
  await expect(card.getByText('Connected.')).toBeVisible({ timeout: 60_000 });
  await expect(card.getByText(/^Linux \d/)).toBeVisible();
  await look(page, 'hosts-answer');
}

/** Adds a host whose settings can be changed without changing this machine. */
async function addTunedHost(page: Page): Promise<void> {
  const form = page.getByRole('region', { name: 'New host' });
  await page.getByRole('button', { name: 'Add a host' }).click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('tuned');
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('button', { name: 'User, port, key and jump hosts' }).click();
  await form.getByRole('textbox', { name: 'User' }).fill(TUNER.user ?? 'root');
  await form.getByRole('textbox', { name: 'Port' }).fill(String(tunedServer.port));
  await form.getByRole('textbox', { name: 'Private key' }).fill(tunedServer.clientKey);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
}

async function chooseMachines(page: Page, wizard: WizardPage): Promise<void> {
  await wizard.openPart('Run from');
  await wizard.giveRole('This computer', 'No role');
  await expect(page.getByText('Choose a machine that sends the load.')).toBeVisible();
  await wizard.giveRole('This computer', 'Load generator');
  await wizard.giveRole('there', 'Load generator');
  await wizard.giveRole('tuned', 'Server under test');
  await page.getByRole('button', { name: 'Test connection to tuned' }).click();
  // The machine checks ask the same question, until the host is trusted.
  await page.getByRole('listitem', { name: 'tuned' }).getByRole('button', { name: 'Trust this machine' }).click();
  await expect(page.getByRole('button', { name: /Connected\..*Linux/ })).toBeVisible({ timeout: 60_000 });
  await wizard.choose('Continue with the others');
  await wizard.choose('k6');
  await expect(page.getByText('k6 runs on this computer only.')).toBeVisible();
  await look(page, 'check-run-from');
  await wizard.choose('Holdfast');
}

async function changeSetting(page: Page, wizard: WizardPage): Promise<void> {
  await wizard.openChecks();
  const senders = page.getByRole('region', { name: 'Load generator' });
  for (const name of ['This computer', 'there'])
    await expect(senders.getByRole('region', { name }).getByText(/\d+ checks passed/)).toBeVisible({ timeout: 60_000 });
  const responding = page.getByRole('region', { name: 'Server under test' });
  const queue = responding.getByRole('listitem').filter({ hasText: 'sudo sysctl -w net.core.somaxconn=4096' });
  await expect(queue).toBeVisible({ timeout: 60_000 });
  await responding.getByRole('button', { name: 'Measure the bandwidth of tuned' }).click();
  await expect(responding.getByText(/From tuned to this computer .*Mbit/)).toBeVisible({ timeout: 60_000 });
  await look(page, 'check-roles');
  await queue.getByRole('button', { name: 'Change it …' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText('sudo sysctl -w net.core.somaxconn=4096')).toBeVisible();
  await look(page, 'check-apply', ['dark']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(somaxconn()).toBe('128');
  await queue.getByRole('button', { name: 'Change it …' }).click();
  await dialog.getByRole('button', { name: 'Change it' }).click();
  if (hasSudo) {
    await expect(dialog.getByText('“tuned” asks for a secret')).toBeVisible({ timeout: 60_000 });
    await look(page, 'check-apply-password', ['narrow']);
    await dialog.getByLabel('Password for sudo on tuned').fill('battery staple');
    await dialog.getByRole('button', { name: 'Continue' }).click();
  }
  await expect(responding.getByText('Holdfast has changed net.core.somaxconn from 128 to 4096.')).toBeVisible({ timeout: 60_000 });
  await expect(dialog).toBeHidden();
  expect(somaxconn()).toBe('4096');
  await responding.getByRole('button', { name: 'Revert …: net.core.somaxconn' }).click();
  await look(page, 'check-revert', ['narrow']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(somaxconn()).toBe('4096');
}

async function runFromTwo(page: Page, wizard: WizardPage, run: RunPage): Promise<void> {
  await wizard.start();
  await run.waitForLive();
  const places = page.getByRole('region', { name: 'By place' });
  await expect(places.getByRole('row', { name: /^there/ })).toContainText(/[1-9][\d,]*.*Mbit/, { timeout: 60_000 });
  await expect(page.getByRole('button', { name: /^tuned/ })).toBeVisible();
  await page.getByRole('button', { name: /^This computer \(load generator\)/ }).click();
  await expect(page.getByRole('heading', { name: 'Load generators', exact: true })).toBeVisible();
  await look(page, 'live-places', ['narrow'], { knownColours: true });
  await run.stopButton.click();
  await run.verdict(30_000);
  await expect(places.getByRole('row', { name: /^there/ })).toContainText(/Mbit/);
  await run.unfold('More charts');
  await page.getByRole('button', { name: /^there \(load generator\)/ }).click();
  await look(page, 'result-places', ['narrow'], { knownColours: true });
}

async function revertSetting(page: Page, run: RunPage): Promise<void> {
  const dialog = page.getByRole('alertdialog');
  await run.unfold('Events');
  await page.getByRole('button', { name: 'Revert …: net.core.somaxconn' }).click();
  // A wrong password is not stored, so the dialog asks for the password again.
  if (hasSudo) tunedServer.changePassword('another one');
  await dialog.getByRole('button', { name: 'Revert' }).click();
  if (hasSudo) {
    await expect(dialog.getByText('sudo on tuned refused the password. Nothing was changed.')).toBeVisible({ timeout: 60_000 });
    expect(somaxconn()).toBe('4096');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel('Password for sudo on tuned').fill('another one');
    await dialog.getByRole('button', { name: 'Continue' }).click();
  }
  await expect(page.getByText('reverted')).toBeVisible({ timeout: 60_000 });
  expect(somaxconn()).toBe('128');
}

test('hosts are added, entered, checked and changed, and a load runs from two generators', async ({ app }) => {
  test.setTimeout(600_000);
  const page = await hosts(app);
  await expect(page.getByText('No hosts')).toBeVisible();
  await look(page, 'hosts-empty');
  await addHost(page);
  await addTunedHost(page);

  const target = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  await wizard.openAddress(`hey -z 600s -c 4 -q 10 http://127.0.0.1:${port}/`);
  await wizard.next('Ready to start?');
  await chooseMachines(page, wizard);

  await changeSetting(page, wizard);

  // The search for the breaking point must use the same generators.
  await page.getByRole('button', { name: 'Find the breaking point instead' }).click();
  await page.getByRole('button', { name: 'Find the breaking point', exact: true }).click();
  await expect(page.getByText(/ from this computer and there$/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop the search' }).click();
  await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible({ timeout: 60_000 });
  await page.goBack();

  await runFromTwo(page, wizard, run);

  await revertSetting(page, run);
  target.close();

  await hosts(app);
  for (const name of ['there', 'tuned']) await page.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(page.getByText('No hosts')).toBeVisible();
});

test('an operator runs a test from two hosts with ten clicks', async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const wizard = new WizardPage(page);
  const run = new RunPage(page);
  // The servers are only for this test, so no earlier test has trusted their keys.
  const [one, other] = [await startSshServer(), await startSshServer()];
  const target = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const walk = new Walk(page);
  await wizard.open();
  await walk.begin();

  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await page.getByRole('button', { name: 'Add a host' }).first().click();
  const form = page.getByRole('region', { name: 'New host' });
  await form.getByRole('textbox', { name: 'Address' }).fill(`root@127.0.0.1:${one.port}, root@localhost:${other.port}`);
  await form.getByRole('button', { name: 'User, port, key and jump hosts' }).click();
  // Both hosts accept the same key.
  appendFileSync(join(other.home, '..', 'authorized_keys'), readFileSync(`${one.clientKey}.pub`));
  await form.getByRole('textbox', { name: 'Private key' }).fill(one.clientKey);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Start a test from these 2 hosts' }).click();
  await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(`hey -z 6s -c 4 -q 10 http://127.0.0.1:${port}/`);
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');
  for (const name of ['127.0.0.1', 'localhost'])
    await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Trust this machine' }).click({ timeout: 60_000 });
  await look(page, 'operator-check', ['light', 'dark', 'narrow']);
  await expect(page.getByText(/\d+ checks passed/).first()).toBeVisible({ timeout: 60_000 });
  await wizard.startButton.click();
  await expect(await run.verdict(300_000)).toHaveText(/^(Passed|Failed|Inconclusive)/);
  const pressed = await walk.listPressed();
  expect(pressed.length, pressed.join(' · ')).toBeLessThanOrEqual(10);

  await hosts(app);
  for (const name of ['127.0.0.1', 'localhost']) await page.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(page.getByText('No hosts')).toBeVisible();
  target.close();
  await one.stop();
  await other.stop();
});

test('a host is recognized from one field, and can be edited', async ({ app }) => {
  const page = await hosts(app);
  await page.getByRole('button', { name: 'Add a host' }).first().click();
  await page.getByRole('region', { name: 'New host' }).getByRole('textbox', { name: 'Address' }).fill('root@web.invalid:2201');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.getByRole('region', { name: 'web.invalid', exact: true });
  await expect(card.getByText('root@web.invalid:2201')).toBeVisible();
  await card.getByRole('button', { name: 'Edit web.invalid' }).click();
  const form = page.getByRole('region', { name: 'Edit web.invalid' });
  await expect(form.getByRole('textbox', { name: 'Port' })).toHaveValue('2201');
  await look(page, 'hosts-edit');
  await form.getByRole('textbox', { name: 'Port' }).fill('99999');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Enter a number from 1 to 65535.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Port' }).fill('22');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('web');
  await form.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('region', { name: 'web', exact: true });
  await expect(renamed.getByText('root@web.invalid:22')).toBeVisible();
  await expect(card).toBeHidden();
  // The host is removed, because other tests expect no hosts.
  await renamed.getByRole('button', { name: 'Remove web' }).click();
  await expect(renamed).toBeHidden();
});

test('an unreachable host shows the reason, and can be removed and restored', async ({ app }) => {
  const page = await hosts(app);
  await page.getByRole('button', { name: 'Add a host' }).first().click();
  const form = page.getByRole('region', { name: 'New host' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('gone');
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('button', { name: 'User, port, key and jump hosts' }).click();
  await form.getByRole('textbox', { name: 'Port' }).fill('1');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.getByRole('region', { name: 'gone', exact: true });
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card.getByText('Cannot connect to gone (127.0.0.1:1) (ECONNREFUSED).')).toBeVisible({ timeout: 60_000 });
  await look(page, 'hosts-error');
  await card.getByRole('button', { name: 'Remove gone' }).click();
  await expect(card).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toBeVisible();
  // The host is removed, because other tests expect no hosts.
  await card.getByRole('button', { name: 'Remove gone' }).click();
  await expect(card).toBeHidden();
});
