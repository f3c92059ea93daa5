import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { browserOfWalks, installedBrowser } from '#tools/check/browser.ts';
import { Recorder, type RecorderOptions, type Recording } from './recorder.ts';
import { type Site, startSecureSite, startSite } from './testing/site.ts';

const program = installedBrowser() ?? (await import('@playwright/test')).chromium.executablePath();

/** Imitates a window of the desktop app without Electron. */
const ownWindow = { program: process.execPath, args: [fileURLToPath(new URL('testing/appWindow.ts', import.meta.url))] };

let browser: Pick<RecorderOptions, 'program' | 'ownWindow'> = {};

async function record(url: string, { verify = true } = {}): Promise<{ recorder: Recorder; page: Page }> {
  const recorder = await Recorder.open({ url, headless: true, verify, version: 'test', ...browser });
  onTestFinished(() => recorder.cancel());
  const [page] = recorder.context.pages();
  if (page === undefined) throw new Error('There is no window.');
  // A page with an HTTP login shows nothing at first.
  await page.waitForURL((address) => address.protocol !== 'about:').catch(() => {});
  await page.waitForLoadState('networkidle');
  return { recorder, page };
}

async function openHome(): Promise<{ recorder: Recorder; page: Page; site: Site }> {
  const site = await startSite();
  return { site, ...(await record(`${site.url}home`)) };
}

const linesOf = ({ har }: Recording): string[] =>
  har.log.entries.map(({ request, response, _action }) => `${_action}: ${request.method} ${pathOf(request.url)} ${response.status}`);
const requestsOf = ({ har }: Recording): string[] => har.log.entries.map(({ request }) => `${request.method} ${pathOf(request.url)}`);
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
const listActions = ({ har }: Recording): string[] =>
  (har.log['_actions'] as { kind: string; text: string; title: string }[]).map(({ kind, text, title }) => `${kind} “${text}” → ${title}`);
const getEntry = ({ har }: Recording, path: string) => {
  const entry = har.log.entries.find(({ request }) => pathOf(request.url) === path);
  if (entry === undefined) throw new Error(`nothing of ${path}: ${har.log.entries.map(({ request }) => request.url).join()}`);
  return entry;
};

function expectHttpLogin(recording: Recording, { user, password }: Site): void {
  const { number } = recording.accounts.find((account) => account.password === password) ?? { number: 0 };
  expect(recording.accounts).toContainEqual({ number, userName: user, password, userField: '', passwordField: '' });
  for (const path of ['/secret', '/secret?again']) {
    const { request, response } = getEntry(recording, path);
    expect(request.headers).toContainEqual({ name: 'Authorization', value: `Basic {{holdfast-password-${number}}}` });
    expect(response.status).toBe(200);
  }
  const text = JSON.stringify(recording.har);
  expect(findContexts(text, Buffer.from(`${user}:${password}`).toString('base64'))).toEqual([]);
  expect(findContexts(text, password.slice(-20))).toEqual([]);
}

/** Returns the text around each occurrence of `part`. */
function findContexts(text: string, part: string): string[] {
  return text
    .split(part)
    .slice(1)
    .map((after, index) => `${(text.split(part)[index] ?? '').slice(-80)}${part}${after.slice(0, 20)}`);
}

async function logIn(page: Page, { user, password }: Site): Promise<void> {
  await page.getByRole('link', { name: 'Log in here' }).click();
  await page.getByLabel('Name').fill(user);
  await page.getByLabel('Password').pressSequentially(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/home');
  await page.waitForLoadState('networkidle');
}

/** Sets a temporary folder for this test only, because other tests may record at the same time. */
async function ownTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-profiles-'));
  const before = process.env['TMPDIR'];
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.stubEnv('TMPDIR', before);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Opens a tab, downloads a file, follows redirects, steps back and reloads. */
async function browsePages({ recorder, page }: { recorder: Recorder; page: Page }): Promise<void> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Open task sum' }).click()]);
  await tab.waitForLoadState('networkidle');
  await tab.close();
  await page.getByRole('link', { name: 'Report' }).click();
  await expect.poll(() => recorder.listSeen().at(-1)?.kind).toBe('download');
  await page.getByRole('link', { name: 'Old address' }).click();
  await page.waitForURL('**/task?from=old');
  await page.goBack();
  await page.reload();
  await page.waitForLoadState('networkidle');
}

/** Sends requests and socket messages in a frame of another site. */
async function askInFrame(page: Page, elsewhere: string): Promise<void> {
  await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${elsewhere}home?framed' }))`);
  const frame = page.frameLocator('iframe[src*="framed"]');
  const title = (): Promise<string> | undefined =>
    page
      .frames()
      .find((one) => one.url().includes('framed'))
      ?.title();
  await frame.getByRole('button', { name: 'Ask the API' }).click();
  await expect.poll(title).toBe('Asked');
  await frame.getByRole('button', { name: 'Talk' }).click();
  await expect.poll(title).toBe('You said hello');
}

const listActionTexts = (recording: Recording): string[] => listActions(recording).map((action) => action.split(' →')[0] ?? '');

// These features depend on how the window is opened: login, new tabs, downloads, frames of other sites, certificates and closing.
describe.each([
  ['an installed browser', { program }],
  ['a window of the desktop app', { ownWindow }],
])('a recording with %s', (_which, opened) => {
  beforeAll(() => {
    browser = opened;
    vi.stubEnv('HOLDFAST_BROWSER', '');
    vi.stubEnv('DISPLAY', ':none');
  });
  afterAll(() => void vi.unstubAllEnvs());

  it('contains HTTP login, redirects, new tabs, downloads and frames, and leaves no profile when the window is closed', async () => {
    const folder = await ownTemporaryFolder();
    const site = await startSite();
    const address = new URL(`${site.url}secret`);
    [address.username, address.password] = [site.user, encodeURIComponent(site.password)];
    const { recorder, page } = await record(address.href);
    await page.getByRole('link', { name: 'Again' }).click();
    await page.waitForURL('**/secret?again');

    const contest = await startSite('bob');
    await page.goto(contest.url);
    await logIn(page, contest);
    const before = recorder.listSeen().length;
    await browsePages({ recorder, page });
    const elsewhere = contest.url.replace('127.0.0.1', 'localhost');
    await askInFrame(page, elsewhere);
    // Chromium creates a folder for a socket beside the profile.
    expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^holdfast-browser-/));
    await page.close();
    await recorder.closed;
    const recording = await recorder.finish();
    expect(await readdir(folder)).toEqual([]);

    // User name and password in the address become an account; no header contains them.
    expectHttpLogin(recording, site);
    expect(requestsOf(recording)).toEqual(expect.arrayContaining([...site.asked, ...contest.asked]));
    expect(getEntry(recording, '/home').request.headers).toContainEqual({ name: 'Cookie', value: `session=${contest.session}` });
    expect(listActionTexts(recording).slice(before)).toEqual([
      'tab “Open task sum”',
      'click “Report”',
      'download “report.csv”',
      'click “Old address”',
      'back “”',
      'reload “”',
      'click “Ask the API”',
      'click “Talk”',
    ]);
    const lines = linesOf(recording).filter((line) => Number.parseInt(line, 10) >= before && !/style|png|GET \/frame/.test(line));
    expect(lines.map((line) => line.replace(/^\d+/, (action) => String(Number(action) - before)))).toEqual([
      '0: GET /task 200',
      '1: GET /report.csv 200',
      '3: GET /old 302',
      '3: GET /newer 302',
      '3: GET /task?from=old 200',
      '4: GET /home 200',
      '5: GET /home 200',
      '5: GET /home?framed 200',
      '6: POST /api 200',
      '7: GET /talk 101',
    ]);
    // A frame of another site is a separate process.
    expect(getEntry(recording, '/home?framed').response.content.text).toContain('Open task sum');
    expect(getEntry(recording, '/api').request.url).toBe(`${elsewhere}api`);
    expect(getEntry(recording, '/api').response.content.text).toContain('"token":"api-');
    expect(getEntry(recording, '/talk')).toMatchObject({ _webSocketMessages: [{ data: 'hello' }, { data: 'You said hello' }] });
  });

  it('a recording window asks for an HTTP login, and supports HTTP/2 and self-signed certificates', async () => {
    const site = await startSite();
    const { recorder, page } = await record(`${site.url}secret`, { verify: false });
    await page.getByLabel('Name').fill(site.user);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForFunction("document.querySelector('input[type=password]')?.value === ''");
    await page.getByLabel('Name').fill(site.user);
    await page.getByLabel('Password').fill(site.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('link', { name: 'Again' }).click();
    await page.waitForURL('**/secret?again');
    await page.goto(await startSecureSite());
    const recording = await recorder.finish();
    expectHttpLogin(recording, site);
    expect(listActionTexts(recording).slice(0, 2)).toEqual([expect.stringMatching(/^open/), 'click “Again”']);
    expect(getEntry(recording, '/')).toMatchObject({ request: { httpVersion: expect.stringMatching(/2/) }, response: { status: 200 } });
    expect(getEntry(recording, '/').response.content.text).toContain('Over HTTP/2');
  });
});

// Both kinds of window record pages with the same code, so the following tests use only one of them.
describe('a recording', () => {
  beforeAll(() => {
    browser = { program: browserOfWalks() ?? program };
  });

  it('relates each request to the action that caused it, and contains no password in any encoding', async () => {
    const site = await startSite();
    const { recorder, page } = await record(site.url);
    await logIn(page, site);
    const askedNames = [...site.asked];
    await page.goto(`${site.url}task?password=${encodeURIComponent(site.password)}`);
    const body = JSON.stringify(JSON.stringify({ password: site.password }));
    await page.evaluate(`fetch('/api', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} })`);
    await page.waitForLoadState('networkidle');
    const recording = await recorder.finish();
    expect(listActions(recording).slice(0, 3)).toEqual([
      expect.stringMatching(/^open “127.0.0.1:\d+\/” → Welcome$/),
      'click “Log in here” → Log in',
      'submit “Log in” → Home',
    ]);
    expect(linesOf(recording).filter((line) => Number.parseInt(line, 10) < 3)).toEqual([
      '0: GET / 200',
      '0: GET /style.css 200',
      '0: GET /picture.png 200',
      '1: GET /login 200',
      '1: GET /style.css 200',
      '2: POST /login 302',
      '2: GET /home 200',
      '2: GET /style.css 200',
      '2: GET /frame 200',
      '2: GET /style.css 200',
      '2: GET /in-frame.png 200',
    ]);
    expect(requestsOf(recording)).toEqual(expect.arrayContaining(askedNames));
    expect(getEntry(recording, '/home').request.headers).toContainEqual({ name: 'Cookie', value: `session=${site.session}` });
    expect(getEntry(recording, '/frame').response.content.text).toContain('In a frame');
    const [, form] = recording.har.log.entries.filter(({ request }) => pathOf(request.url) === '/login');
    expect(form?.response.headers).toContainEqual({ name: 'set-cookie', value: `session=${site.session}; HttpOnly; Path=/` });
    expect(form?.response.redirectURL).toBe('/home');
    expect(form?.request.postData?.text).toMatch(/^csrf=csrf-\w+&login=ada&secret=\{\{holdfast-password-1\}\}$/);

    expect(recording.accounts).toEqual([
      { number: 1, userField: 'login', userName: 'ada', passwordField: 'secret', password: site.password },
    ]);
    expect(findContexts(JSON.stringify(recording.har), site.password.slice(-20))).toEqual([]);
    expect(getEntry(recording, '/task?password={{holdfast-password-1}}').response.content.text).toContain('long: {{holdfast-password-1}}');
    expect(getEntry(recording, '/api').response.content.text).toContain('{{holdfast-password-1}}');
  });

  it('omits requests made during a pause or by undone actions, and keeps remarks in order', async () => {
    const { recorder, page } = await openHome();
    recorder.pause();
    await page.getByRole('button', { name: 'Ask the API' }).click();
    await page.waitForFunction("document.title === 'Asked'");
    recorder.resume();
    recorder.mark('from here: hand in');
    await page.getByRole('link', { name: 'Old address' }).click();
    await page.waitForURL('**/task?from=old');
    recorder.undo();
    await page.goBack();
    await page.waitForLoadState('networkidle');
    const recording = await recorder.finish();
    expect(listActionTexts(recording)).toEqual([expect.stringMatching(/^open/), 'mark “from here: hand in”', 'back “”']);
    expect(linesOf(recording).filter((line) => !/style|png|frame/.test(line))).toEqual(['0: GET /home 200', '2: GET /home 200']);
  });

  it('contains stream messages and responses of redirecting pages, but no uploaded contents', async () => {
    const { recorder, page, site } = await openHome();
    await page.getByRole('button', { name: 'Follow the news' }).click();
    await page.waitForFunction("document.title === 'Three news'");
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.waitForFunction("document.title === 'You said hello'");
    for (let time = 0; time < 5; time += 1) {
      await page.getByRole('button', { name: 'Ask and leave' }).click();
      await page.waitForURL('**/task');
      await page.goto(`${site.url}home`);
    }
    const content = 'int main() { return 42; }'.repeat(100);
    await page.getByLabel('Solution').setInputFiles({ name: 'sum.cpp', mimeType: 'text/x-c++src', buffer: Buffer.from(content) });
    await page.getByRole('button', { name: 'Hand in' }).click();
    await page.waitForURL('**/task?handed=in');
    const recording = await recorder.finish();

    expect(getEntry(recording, '/news')).toMatchObject({
      _action: 1,
      _resourceType: 'eventsource',
      _events: 3,
      _openSeconds: expect.any(Number),
    });
    const talk = getEntry(recording, '/talk');
    expect(talk).toMatchObject({
      _action: 2,
      _resourceType: 'websocket',
      response: { status: 101 },
      _webSocketMessages: [
        { type: 'send', opcode: 1, data: 'hello' },
        { type: 'receive', opcode: 1, data: 'You said hello' },
      ],
    });
    expect(talk.request.headers).toContainEqual({ name: 'Sec-WebSocket-Protocol', value: 'scores' });

    const apiEntries = recording.har.log.entries.filter(({ request }) => request.url.endsWith('/api'));
    expect(apiEntries).toHaveLength(5);
    expect(apiEntries.filter(({ response }) => /"token":"api-/.test(response.content.text ?? ''))).toHaveLength(5);

    expect(listActionTexts(recording).slice(-2)).toEqual(['upload “Solution”', 'submit “Hand in”']);
    expect(getEntry(recording, '/solutions').request.postData).toEqual({
      mimeType: expect.stringMatching(/^multipart\/form-data; boundary=/),
      params: [
        { name: 'task', value: 'sum' },
        { name: 'solution', fileName: 'sum.cpp', contentType: 'text/x-c++src', comment: `${content.length} bytes` },
      ],
    });
    expect(JSON.stringify(recording.har)).not.toContain('int main');
  });
});

it("a recording leaves a page's dialogs to the user", async () => {
  vi.stubEnv('HOLDFAST_BROWSER', '');
  vi.stubEnv('DISPLAY', ':none');
  onTestFinished(() => void vi.unstubAllEnvs());
  const site = await startSite();
  const recorder = await Recorder.open({ url: site.url, headless: false, verify: true, version: 'test', ownWindow });
  onTestFinished(() => recorder.cancel());
  const [page] = recorder.context.pages();
  if (page === undefined) throw new Error('There is no window.');
  await page.waitForURL(site.url);
  const session = await recorder.context.newCDPSession(page);
  await session.send('Page.enable');
  const confirmed = page.evaluate(() => confirm('Delete it?'));
  const acceptDialog = (): Promise<boolean> =>
    session.send('Page.handleJavaScriptDialog', { accept: true }).then(
      () => true,
      () => false,
    );
  await expect.poll(acceptDialog).toBe(true);
  expect(await confirmed).toBe(true);
});
