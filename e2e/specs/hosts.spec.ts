import { createServer } from 'node:http';
import { once } from 'node:events';
import { hasSshServer, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

test.skip(!hasSshServer, 'a host to enter needs sshd and the rights of root');

let server: SshServer;
test.beforeAll(async () => {
  server = await startSshServer({ password: 'correct horse' });
});
test.afterAll(() => server.stop());

async function hosts({ page }: AppPage) {
  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
  return page;
}

test('a host is added, its key is confirmed, its password is asked for, it says what it is, and a load is run from it', async ({ app }) => {
  test.setTimeout(180_000);
  const page = await hosts(app);
  await expect(page.getByText('There is no host yet')).toBeVisible();
  await look(page, 'hosts-empty');
  await page.getByRole('button', { name: 'Add a host' }).click();
  const form = page.getByRole('region', { name: 'A new host' });
  await form.getByRole('button', { name: 'User, port, key and way' }).click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('../there');
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('textbox', { name: 'User' }).fill('root');
  await form.getByRole('textbox', { name: 'Port' }).fill(String(server.port));
  await form.getByRole('textbox', { name: 'Private key' }).fill('/nonexistent/key');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(form.getByText(/Write letters, digits, dots/)).toBeVisible();
  await look(page, 'hosts-form');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('there');
  await form.getByRole('button', { name: 'Add', exact: true }).click();

  const card = page.getByRole('region', { name: 'there', exact: true });
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card.getByText(/SHA256:[A-Za-z0-9+/]{43}/)).toBeVisible({ timeout: 20_000 });
  await look(page, 'hosts-fingerprint');
  await card.getByRole('button', { name: 'It is right: trust it' }).click();
  await expect(card.getByText('“there” asks for something that only you know')).toBeVisible({ timeout: 20_000 });
  await look(page, 'hosts-password');
  await card.getByLabel('Password of root on 127.0.0.1').fill('correct horse');
  await card.getByRole('button', { name: 'Go on' }).click();
  await expect(card.getByText('It answers.')).toBeVisible({ timeout: 20_000 });
  await expect(card.getByText(/^Linux \d/)).toBeVisible();
  await look(page, 'hosts-answer');

  const target = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const wizard = new WizardPage(page);
  await wizard.openAddress(`ab -n 40 -c 2 http://127.0.0.1:${port}/`);
  await wizard.next('Ready to start?');
  const others = page.getByRole('region', { name: 'Other machines' });
  await others.getByRole('button', { name: 'Check there' }).click();
  await expect(others.getByText(/\d+ checks fine/)).toBeVisible({ timeout: 30_000 });
  await others.getByRole('button', { name: 'Measure the bandwidth of there' }).click();
  await expect(others.getByText(/From there to this computer .*Mbit/)).toBeVisible({ timeout: 30_000 });
  await look(page, 'check-hosts', ['narrow']);
  await page.getByRole('button', { name: /Run it from/ }).click();
  await page.getByRole('option', { name: 'there' }).click();
  await look(page, 'wizard-where', ['light', 'narrow']);
  await wizard.start();
  await expect(page.getByText(/^Measured/).first()).toBeVisible({ timeout: 30_000 });
  target.close();
});

test('a host that cannot be reached says why, and is removed, and comes back', async ({ app }) => {
  const page = await hosts(app);
  await page.getByRole('button', { name: 'Add a host' }).first().click();
  const form = page.getByRole('region', { name: 'A new host' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('gone');
  await form.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1');
  await form.getByRole('button', { name: 'User, port, key and way' }).click();
  await form.getByRole('textbox', { name: 'Port' }).fill('1');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.getByRole('region', { name: 'gone', exact: true });
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card.getByText('gone (127.0.0.1:1) cannot be connected to (ECONNREFUSED).')).toBeVisible({ timeout: 20_000 });
  await look(page, 'hosts-error');
  await card.getByRole('button', { name: 'Remove gone' }).click();
  await expect(card).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toBeVisible();
});
