import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** An address at which nothing listens, because only root can use port 1. */
const DEAD_URL = 'http://127.0.0.1:1/';
/** A host name that never resolves, because it ends in `.invalid` (RFC 6761). */
const NAMELESS = 'http://contest.invalid/';

test.describe('the address', () => {
  test.beforeEach(async ({ app }) => {
    const wizard = new WizardPage(app.page);
    await wizard.open();
    await wizard.choose('Will our contest site hold?');
    await wizard.next('Which server?');
  });

  test('is explained if it is invalid, and the bottom bar shows which entries are missing', async ({ app }) => {
    const wizard = new WizardPage(app.page);
    for (const wrong of ['http://exa mple', 'ftp://example.org/', 'http://user:secret@127.0.0.1/']) {
      await wizard.address.fill('');
      await expect(app.page.getByText('Enter the server address to continue.')).toBeVisible();
      await wizard.address.fill(wrong);
      await wizard.address.press('Tab');
      await expect(app.page.getByText('Correct the address to continue.')).toBeVisible();
      await expect(app.page.getByText(/Enter a full address that starts with http|Remove the user name and password/)).toBeVisible();
      await expect(wizard.nextButton).toBeDisabled();
    }
  });

  test('with a wrong password leads to an error that names the password, and the user name is kept', async ({ app, contest }) => {
    const wizard = new WizardPage(app.page);
    const { page } = app;
    await wizard.address.fill(contest.urls[0] ?? '');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('contestant1');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('not-it');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('contestant1');
  });

  test('with user name and password is logged in to by Next, which stays on the page if that fails', async ({ app, contest }) => {
    const wizard = new WizardPage(app.page);
    const { page } = app;
    const password = page.getByRole('textbox', { name: 'Password', exact: true });
    await wizard.address.fill(contest.urls[0] ?? '');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('contestant1');
    await password.fill('not-it');
    await wizard.nextButton.click();
    await expect(page.getByText('The login failed. Correct it, or clear the password to continue without it.')).toBeVisible();
    await expect(wizard.heading('Which server?')).toBeVisible();
    await password.fill('anchor-11');
    await wizard.next('How much load?');
    await expect(page.getByText(/^Logged in, \d+ cookies? kept in memory/).first()).toBeVisible();
    await wizard.back('Which server?');
    await expect(page.getByText('from your login', { exact: false })).toBeVisible();
    await expect(password).toHaveValue('');
  });

  test('is kept after a visit to the previous page and after a reload', async ({ app, contest }) => {
    const wizard = new WizardPage(app.page);
    const url = contest.urls[0] ?? '';
    await wizard.address.fill(url);
    await wizard.back('What do you want to know?');
    await wizard.next('Which server?');
    await expect(wizard.address).toHaveValue(url);
    await app.page.reload();
    await expect(wizard.address).toHaveValue(url);
  });
});

test.describe('the trial request to the address', () => {
  test('reports a port without a listener', async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openAddress(DEAD_URL);
    await wizard.next('Ready to start?');
    const alert = page.getByRole('alert').filter({ hasText: 'Connection refused by 127.0.0.1:1' });
    await expect(alert).toContainText('Start the server, or check the port 1.');
    // Each action can be repeated with only one button, whose name says what is repeated.
    await expect(page.getByRole('button', { name: 'Send the request again' })).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Repeat the trial' })).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });

  test('reports an unknown host name', async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openAddress(NAMELESS);
    await wizard.next('Ready to start?');
    await page.getByRole('checkbox', { name: /I run contest\.invalid or have permission/ }).press('Space');
    const alert = page.getByRole('alert').filter({ hasText: 'contest.invalid' });
    await expect(alert).toBeVisible({ timeout: 60_000 });
    await expect(alert).toContainText(/name/i);
  });

  test('finds a login form: the page Check says so, and the page Target shows the account fields for it', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openAddress(`${contest.urls[0] ?? ''}tasks/coprobber/description`);
    await wizard.next('Ready to start?');
    const trial = page.getByRole('region', { name: 'Trial by one user' });
    await expect(trial.getByText(/The server redirects to a login page/)).toBeVisible();
    await expect(trial.getByText(/would measure the redirect/)).toBeVisible();
    await look(page, 'check-login');
    await trial.getByRole('link', { name: 'Change it on Target' }).click();
    await expect(wizard.heading('Which server?')).toBeVisible();
    await expect(page.getByText(/Log in to test the pages behind it/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toBeVisible();
  });

  test('is collapsed if every check passed, and no button on the page Target sends it', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.prepareOnePage(`${contest.urls[0] ?? ''}static/css/contest.css`, 5);
    await wizard.endOfTrial();
    await wizard.openChecks();
    const response = page.getByRole('button', { name: /^Response of 127\.0\.0\.1:\d+/ });
    await response.click();
    const facts = page.getByLabel('Response', { exact: true });
    await expect(facts.getByText('keep-alive')).toBeVisible();
    await wizard.back('How much load?');
    await wizard.back('Which server?');
    await expect(page.getByRole('button', { name: /^Send one request/ })).toHaveCount(0);
    // The results from Check are shown next to the address.
    await expect(facts.getByText('keep-alive')).toBeVisible();
  });
});

test('a plan whose server redirects visitors to https is changed to https with one click, on the page that reports the redirect', async ({
  app,
}) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  const server = createServer((request, response) => {
    response.writeHead(301, { location: `https://127.0.0.1:1${request.url ?? ''}` }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await wizard.openPlan(`holdfast: 1
name: Read two pages
targets: [{ url: 'http://127.0.0.1:${port}/shop' }]
journey: [{ name: one, path: /one }, { name: two, path: /two }]
load: { model: connections, stages: [{ connections: 1, seconds: 5 }] }
`);
  await wizard.next('Ready to start?');
  await page.getByRole('button', { name: 'Use https://127.0.0.1:1/shop' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'https://127.0.0.1:1/shop' })).toBeVisible();
  await expect(wizard.heading('Ready to start?')).toBeVisible();
  server.close();
});

test('entries on every page survive a step back, and a changed entry changes the later pages', async ({ app, contest }) => {
  const wizard = new WizardPage(app.page);
  const url = contest.urls[0] ?? '';
  await wizard.prepareOnePage(url, 7);
  await expect(app.page.getByText('7 s', { exact: true })).toBeVisible();

  await wizard.back('How much load?');
  await expect(wizard.number(/For how many seconds/)).toHaveValue('7');
  await wizard.back('Which server?');
  await expect(wizard.address).toHaveValue(url);
  await wizard.next('How much load?');
  await expect(wizard.number(/How many connections/)).toHaveValue('2');

  await wizard.enterNumber(/For how many seconds/, '9');
  await wizard.next('Ready to start?');
  await expect(app.page.getByText('9 s', { exact: true })).toBeVisible();
  await expect(app.page.getByText('7 s', { exact: true })).toHaveCount(0);
});

test('a public host needs permission to start', async ({ app }) => {
  const wizard = new WizardPage(app.page);
  const { page } = app;
  await wizard.open();
  await wizard.choose('How fast is one page?');
  await wizard.next('Which server?');
  await wizard.address.fill('http://example.com/');
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');

  const permission = page.getByRole('checkbox', { name: /I run example\.com or have permission/ });
  await expect(permission).not.toBeChecked();
  await expect(page.getByText('Confirm that you may test example.com.')).toBeVisible();
  // Problems come first, then warnings about the figures, and then the description of the test.
  const cards = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(cards).toHaveText([
    /^Permissions/,
    /The machines were checked\./,
    /^Summary/,
    /^Run from/,
    /^Invite computers/,
    /^Find the breaking point/,
    /^Compare with/,
  ]);
  await expect(wizard.startButton).toBeDisabled();
  // Uses the keyboard, because the list above may still grow and move the box away.
  await permission.press('Space');
  await expect(permission).toBeChecked();
  await expect(wizard.startButton).toBeEnabled();
  await permission.press('Space');
  await expect(permission).not.toBeChecked();
  await expect(wizard.startButton).toBeDisabled();
});
