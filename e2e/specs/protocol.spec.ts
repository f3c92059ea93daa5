import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { cert, key } from '#workers/testing/certificate.ts';
import { expect, test } from '../fixtures.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** The server only supports HTTP/2, which the wizard detects. */
test('a test is planned with the protocol and the TLS sessions of browsers', async ({ app }) => {
  test.setTimeout(90_000);
  const server = createSecureServer({ key, cert }, (_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const { page } = app;
  const wizard = new WizardPage(page);
  await wizard.open();
  await wizard.choose('How fast is one page?');
  await wizard.next('Which server?');
  await wizard.address.fill(`https://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/`);
  await page.getByRole('button', { name: /^Certificate/ }).click();
  await page.getByText('Do not verify the certificate').click();
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');
  await wizard.openChecks();
  await expect(page.getByText('200 OK').first()).toBeVisible();
  await wizard.openPart('The plan in words');
  await expect(page.getByText(/Connections use HTTP\/2/)).toBeVisible();
  await expect(wizard.startButton).toBeEnabled();
  await wizard.back('How much load?');
  await expect(page.getByText('HTTP/2, 0 % of TLS sessions resumed, cache detection off')).toBeVisible();
  await wizard.openPart('Protocol and cache detection');
  const share = page.getByLabel('Connections that resume a TLS session');
  await share.fill('140');
  await expect(page.getByText('Enter a number from 0 to 100.')).toBeVisible();
  await share.fill('40');
  await wizard.next('Ready to start?');
  await expect(page.getByText('40 % of connections resume a TLS session, as returning visitors do.').first()).toBeVisible();
  server.close();
});
