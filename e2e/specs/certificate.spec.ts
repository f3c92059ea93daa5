import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';

test('a self-signed certificate is refused, and can then be pasted and trusted, or chosen as a file', async ({ app }) => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-certificate-'));
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' });
  const [key, certificate] = [await readFile(keyFile, 'utf8'), await readFile(certificateFile, 'utf8')];
  const server = createServer({ key, cert: certificate }, (_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const wizard = new WizardPage(app.page);
  const { page } = app;
  await wizard.open();
  await wizard.choose('How fast is one page?');
  await wizard.next('Which server?');
  await wizard.address.fill(`https://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/`);
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');
  await expect(page.getByText(/Every request would fail/)).toBeVisible();
  await page.getByRole('link', { name: 'Change it on Target' }).click();
  await expect(wizard.heading('Which server?')).toBeVisible();
  await expect(page.getByText(/Every request would fail/)).toBeVisible();

  await page.getByRole('button', { name: /^Certificate/ }).click();
  const field = page.getByRole('textbox', { name: 'Certificate of your own authority' });
  await field.fill('not a certificate');
  await page.getByRole('button', { name: 'Trust this certificate' }).click();
  await expect(page.getByText(/No certificate found/)).toBeVisible();
  // The note gives the reason only once.
  await expect(page.getByText(/self-signed: no authority/)).toHaveCount(1);
  await look(page, 'certificate-refused');

  // A private key in the same text must not become part of the plan.
  await field.fill(key + certificate);
  await page.getByRole('button', { name: 'Trust this certificate' }).click();
  await expect(page.getByText('1 certificate is trusted instead of the public authorities.')).toBeVisible();
  await expect(page.getByText(/valid until/)).toBeVisible();
  await expect(page.getByText(/Every request would fail/)).toHaveCount(0);
  await look(page, 'certificate-trusted');
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('PRIVATE KEY');

  await page.getByRole('button', { name: 'Trust the public authorities again' }).click();
  await expect(page.getByText(/Every request would fail/)).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(certificateFile);
  await expect(page.getByText(/valid until/)).toBeVisible();

  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});
