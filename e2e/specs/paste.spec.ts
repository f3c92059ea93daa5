import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';

const wrongPlan = `holdfast: 1
name: Too many mistakes
targets:
  - url: contest.example.org
journey: []
load:
  model: connections
  stages:
    - name: load
      connections: -3
      seconds: soon
`;

const script = `config:
  target: http://127.0.0.1:8080
  pool: 10
  phases: [{ duration: 5, arrivalRate: 2 }]
scenarios:
  - flow: [{ get: { url: / } }, { think: 1 }, { get: { url: /about, headers: { authorization: Bearer abc } } }]
`;

/** An API description with 210 operations that only read. */
const description = JSON.stringify({
  openapi: '3.0.0',
  paths: Object.fromEntries(Array.from({ length: 210 }, (_, index) => [`/pages/${index}`, { get: {} }])),
});

test.describe('pasted text', () => {
  test.beforeEach(async ({ app }) => {
    const { page } = app;
    await new WizardPage(page).open();
  });

  test('that is a plan with mistakes shows all of them and stays in the field', async ({ app }) => {
    const { page } = app;
    const field = page.getByRole('textbox', { name: 'Enter a URL or paste a command' });
    await field.fill(wrongPlan);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    const problems = page.getByRole('listitem').filter({ hasText: 'Problem' });
    await expect(problems.filter({ hasText: 'Enter a full address that starts with http' })).toHaveCount(1);
    await expect(problems.filter({ hasText: /journey/ })).toHaveCount(1);
    await expect(problems.filter({ hasText: /connections/ })).toHaveCount(1);
    await expect(problems.filter({ hasText: /seconds/ })).toHaveCount(1);
    await expect(field).toHaveValue(wrongPlan);
    await look(page, 'paste-refused');
  });

  test('from a dropped file is read without leaving the page', async ({ app }) => {
    const { page } = app;
    const transfer = await page.evaluateHandle((text) => {
      const made = new DataTransfer();
      made.items.add(new File([text], 'test.yaml', { type: 'text/yaml' }));
      return made;
    }, script);
    await page.getByRole('heading', { level: 1 }).dispatchEvent('dragover', { dataTransfer: transfer });
    await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer: transfer });
    await expect(page.getByText('This is an Artillery script. The plan has 2 requests. Differences are listed below.')).toBeVisible();
  });

  test('that is an ab command runs after three clicks', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    const url = contest.urls[0] ?? '';
    await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(`ab -n 120 -c 3 ${url}`);
    await expect(
      page.getByText('This is an ab command (ApacheBench). The plan has one request, and covers everything in it.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await expect(
      page.getByText('3 connections, each sending the next request after a response, until 120 requests are sent.'),
    ).toBeVisible();
    await wizard.next('Ready to start?');
    await wizard.start();
  });

  test('from another tool is imported, and its differences are shown before the next page', async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await page.locator('input[type=file]').setInputFiles({ name: 'test.yaml', mimeType: 'text/yaml', buffer: Buffer.from(script) });
    await expect(page.getByText('This is an Artillery script. The plan has 2 requests. Differences are listed below.')).toBeVisible();
    await expect(page.getByText(/pool is set under config, but Artillery reads config.http.pool/)).toBeVisible();
    await look(page, 'paste-imported');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await wizard.back('Which server?');
    await expect(wizard.address).toHaveValue('http://127.0.0.1:8080/');
  });

  test('that describes many operations uses at most as many of them as a plan can hold', async ({ app }) => {
    const { page } = app;
    await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(description);
    await page.getByRole('button', { name: '200 of 210 operations' }).click();
    await expect(page.getByText('A plan has at most 200 requests. Remove one to add another.')).toBeVisible();
    const [taken, other] = [page.getByRole('checkbox', { name: 'GET /pages/199' }), page.getByRole('checkbox', { name: 'GET /pages/200' })];
    await expect(taken).toBeChecked();
    await expect(other).toBeDisabled();
    // Uses the keyboard, because a click would first scroll through the operations.
    await taken.press('Space');
    await other.press('Space');
    await expect(page.getByRole('button', { name: '200 of 210 operations' })).toBeVisible();
    await expect(taken).toBeDisabled();
  });

  test('that is a script with environments asks for one of them', async ({ app }) => {
    const { page } = app;
    const environments = { local: { target: 'http://127.0.0.1:8080' }, staging: { target: 'http://127.0.0.1:8081' } };
    const script = { config: { environments }, scenarios: [{ flow: [{ get: { url: '/' } }] }] };
    await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(JSON.stringify(script));
    await page.getByRole('button', { name: /^local .*Environment$/ }).click();
    await look(page, 'paste-environments', ['dark', 'narrow']);
    await page.getByRole('option', { name: 'staging (http://127.0.0.1:8081)' }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await new WizardPage(page).back('Which server?');
    await expect(new WizardPage(page).address).toHaveValue('http://127.0.0.1:8081/');
  });

  test('that is an address with an invalid port is rejected with the reason when only Next is pressed', async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    const field = page.getByRole('textbox', { name: 'Enter a URL or paste a command' });
    await field.fill('localhost:83011');
    await wizard.nextButton.click();
    await expect(page.getByText('There is no port 83011: the highest port is 65535.')).toBeVisible();
    await field.fill('localhost:8301');
    await expect(page.getByText('One page. Default load: 10 connections for 30 s.', { exact: false })).toBeVisible();
    await wizard.next('How much load?');
  });

  test('is replaced by a question that is selected afterwards', async ({ app }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    const field = page.getByRole('textbox', { name: 'Enter a URL or paste a command' });
    const question = page.getByRole('radio', { name: 'How fast is one page?' });
    await wizard.choose('How fast is one page?');
    await field.fill('http://127.0.0.1:1/');
    await expect(question).not.toBeChecked();
    await question.press('Space');
    await expect(question).toBeChecked();
    await expect(field).toHaveValue('');
    await wizard.next('Which server?');
  });

  test('that cannot be used leads to an example', async ({ app }) => {
    const { page } = app;
    await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill('what is this?');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Example: ab -n 1000' })).toBeVisible();
  });
});

test('a plan that is opened with the app is shown on the first page, and can be used from there', async ({ app }) => {
  const { page } = app;
  // Imitates the preload script of the desktop app. The shell itself is covered by other tests.
  await page.addInitScript(() => {
    let plan: string | null =
      'holdfast: 1\nname: The day\ntargets: [{ url: http://127.0.0.1:9/ }]\njourney: [{ name: page }]\nload: { model: connections, stages: [{ connections: 3, seconds: 5 }] }\n';
    const frames: ((frame: string) => void)[] = [];
    const waiting: string[] = [];
    const socket = new WebSocket('/rpc');
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ type: 'hello', token: sessionStorage.getItem('holdfast.token') }));
      waiting.splice(0).forEach((frame) => socket.send(frame));
    });
    socket.addEventListener('message', ({ data }) => frames.forEach((hear) => hear(data)));
    const port = {
      send: (frame: string) => (socket.readyState === 1 ? socket.send(frame) : void waiting.push(frame)),
      onFrame: (hear: (frame: string) => void) => void frames.push(hear),
      onClose: () => {},
    };
    const takeFile = () => {
      const file = plan === null ? undefined : { name: 'day.holdfast', text: plan };
      plan = null;
      return Promise.resolve({ done: file !== undefined, file });
    };
    Object.assign(window, { holdfast: { port, verbs: { takeFile, onFile: () => {} } } });
  });
  await page.goto(page.url().replace(/#.*$/, '#/history'));
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Enter a URL or paste a command' })).toHaveValue(/name: The day/);
  await look(page, 'plan-opened');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(new WizardPage(page).heading('How much load?')).toBeVisible();
  await expect(page.getByText(/3 connections, each sending the next request after a response/)).toBeVisible();
});
