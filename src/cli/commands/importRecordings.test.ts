import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readImported } from '#core/import/testing/imported.ts';
import { tryReportSchema } from '#core/work/samples/tryPlan.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { contestLab } from '#lab/contest/contest.ts';
import type { Lab } from '#lab/lab.ts';
import { readLog } from '#lab/readLog.ts';
import { surveyLab } from '#lab/survey-lab/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startHarness } from '../testing/harness.ts';

const surveyLackReason = await whyNot(await surveyLab.missing(process.env));
const SMALL_SURVEY = { 'service-ms': 0, 'upload-ms': 0, 'stream-rows': 100, responses: 10, database: 'sqlite' };
const RECORDINGS = new URL('../../core/import/testing/recordings/', import.meta.url);

interface Recorded {
  readonly _resourceType?: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number };
}

interface ReplayedRecording {
  /** Requests to the server in order: while recording, and while trying the plan. */
  readonly recorded: readonly string[];
  readonly logged: readonly string[];
  /** Reasons why steps failed. */
  readonly failures: readonly string[];
  readonly isGood: boolean;
}

/** Imports a recording, tries the plan against a new practice server, and reads the log of that server. */
async function replayRecording(name: string, lab: Pick<Lab, 'start'>, givenOptions: GivenOptions, log: string): Promise<ReplayedRecording> {
  const text = readFileSync(new URL(`${name}.har`, RECORDINGS), 'utf8');
  const runningLab = await lab.start(givenOptions, testSurroundings());
  onTestFinished(() => runningLab.stop());
  const original = new URL(readImported(text).plan.targets[0]?.url ?? '').host;
  const { written, secrets } = readImported(text.replaceAll(original, new URL(runningLab.urls[0] ?? '').host));
  for (const [variable, value] of secrets) {
    process.env[variable] = value;
    onTestFinished(() => void delete process.env[variable]);
  }
  const cli = await startHarness();
  const file = join(cli.directory, 'plan.json');
  await writeFile(file, JSON.stringify(written));
  const { out } = await cli.run('try', file, '--json');
  const { samples, isGood } = tryReportSchema.parse(JSON.parse(out));
  const failures = samples.flatMap(({ request, failure }) => (failure === null ? [] : [`${request}: ${failure}`]));
  const { entries } = (JSON.parse(text) as { log: { entries: readonly Recorded[] } }).log;
  const recorded = entries
    .filter(({ request, response }) => new URL(request.url).host === original && response.status > 0)
    .map(({ request }) => requestLine(request.method, request.url))
    .filter(isPageRequest);
  const readLogged = async (): Promise<string[]> =>
    (await readLog(runningLab.logs[log] ?? ''))
      .toSorted((one, other) => one.startedAtMs - other.startedAtMs)
      .map(({ method, path }) => requestLine(method, path))
      .filter(isPageRequest);
  // The server writes the log line after its response.
  await expect.poll(async () => (await readLogged()).length).toBeGreaterThanOrEqual(recorded.length);
  return { recorded, logged: await readLogged(), failures, isGood };
}

/** Returns the request without its query, because the tokens in a query change each time. */
function requestLine(method: string, url: string): string {
  return `${method} ${new URL(url, 'http://server/').pathname}`;
}

/** Returns false for assets, because their order varies and the browser caches them. */
function isPageRequest(request: string): boolean {
  return !/\/static\/|favicon/.test(request);
}

describe('a recording that is played back', () => {
  it.each(['contest-question', 'contest-notifications', 'tools-contest', 'tools-contest-sanitized'])(
    "sends the browser's requests to the practice server: %s",
    async (name) => {
      const { recorded, logged, failures, isGood } = await replayRecording(name, contestLab, { 'service-ms': 1 }, 'contest');
      expect({ failures, isGood }).toEqual({ failures: [], isGood: true });
      expect(recorded.length).toBeGreaterThan(2);
      expect(logged).toEqual(recorded);
    },
  );

  const without = surveyLackReason === null ? '' : ` (${surveyLackReason})`;
  it.skipIf(surveyLackReason !== null)(`takes a token from JSON and sends it in forms, files and addresses${without}`, async () => {
    const { recorded, logged, failures, isGood } = await replayRecording('tools-survey-phone', surveyLab, SMALL_SURVEY, 'survey');
    expect({ failures, isGood }).toEqual({ failures: [], isGood: true });
    expect(recorded.length).toBeGreaterThan(2);
    expect(logged).toEqual(recorded);
  });
});

it('a HAR file is replayed with consent, and values that differ between sessions are found', async () => {
  const harness = await startHarness();
  const askedNames: string[] = [];
  let session = 0;
  const tokens = new Set<string>();
  const formHtml = (token: string): string =>
    `<title>Add</title><form method="post"><input type="hidden" name="form_key" value="${token}"></form>`;
  const server = createServer(async (request, response) => {
    const body = new URLSearchParams(await textOf(request));
    askedNames.push(`${request.method} ${tokens.has(body.get('form_key') ?? '') ? 'known' : '-'}`);
    response.setHeader('Content-Type', 'text/html');
    if (request.method === 'POST') return void response.writeHead(302, { Location: '/added' }).end();
    session += 1;
    tokens.add(`k${session}`);
    response.end(request.url === '/added' ? '<title>Added</title>' : formHtml(`k${session}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const makeEntry = (method: string, path: string, status: number, text: string, more: object = {}, headers: object[] = []): object => ({
    startedDateTime: new Date(session).toISOString(),
    time: 5,
    request: { method, url: url + path, headers: [], ...more },
    response: { status, headers: [{ name: 'Content-Type', value: 'text/html' }, ...headers], content: { mimeType: 'text/html', text } },
  });
  const postData = { mimeType: 'application/x-www-form-urlencoded', text: 'form_key=k0&name=lamp' };
  const entries = [
    makeEntry('GET', '/add', 200, formHtml('k0')),
    makeEntry('POST', '/add', 302, '', { postData }, [{ name: 'Location', value: `${url}/added` }]),
    makeEntry('GET', '/added', 200, '<title>Added</title>'),
  ];
  const har = JSON.stringify({ log: { entries } });
  await writeFile(join(harness.directory, 'shop.har'), har);
  await writeFile(join(harness.directory, 'foreign.har'), har.replaceAll(url, 'http://shop.example'));

  harness.agrees = 'no';
  const refused = await harness.run('import', 'har', 'foreign.har', '--walk');
  expect(refused.code, refused.err + refused.out).not.toBe(0);
  expect(refused.err).toContain('shop.example');
  const { code, out, err } = await harness.run('import', 'har', 'shop.har', '--walk');
  expect(code, err).toBe(0);
  expect(err).toMatch(/Holdfast walked the journey \d times. At the end, each step did what was recorded./);
  expect(out).toContain('form_key: "{{form_key}}"');
  expect(askedNames.at(-2)).toBe('POST known');
  expect((await harness.run('import', 'curl', 'shop.har', '--walk')).err).toContain('--walk does not apply to curl');
});

/** Starts an exam with a login, which accepts one attempt from each account; `handedIn` lists the accounts in order. */
async function startExamSite(): Promise<{ url: string; handedIn: string[] }> {
  const handedIn: string[] = [];
  let tokens = 0;
  const server = createServer(async (request, response) => {
    const formHtml = new URLSearchParams(await textOf(request));
    response.setHeader('Content-Type', 'text/html');
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    if (request.url === '/login' && request.method === 'POST') {
      if (formHtml.get('password') !== `pw-${formHtml.get('user') ?? ''}`) return void response.end('<title>Wrong password</title>');
      return void response.writeHead(302, { Location: '/exam', 'Set-Cookie': `user=${formHtml.get('user') ?? ''}` }).end();
    }
    if (request.url === '/login')
      return void response.end(
        '<title>Log in</title><form method="post"><input name="user"><input type="password" name="password"></form>',
      );
    if (request.method === 'POST') {
      if (handedIn.includes(user)) return void response.end('<title>Exam</title><p class="error">You have no attempts left.</p>');
      handedIn.push(user);
      return void response.end('<title>Handed in</title>');
    }
    response.end(`<title>Exam</title><form method="post"><input type="hidden" name="sheet" value="${user}-${(tokens += 1)}"></form>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return { url, handedIn };
}

it('a HAR file is replayed with other accounts, its writes are listed first, and no account is used twice', async () => {
  const harness = await startHarness();
  const { url, handedIn } = await startExamSite();
  const entries: object[] = [];
  let cookie = '';
  const openPage = async (path: string, form?: Record<string, string>): Promise<string> => {
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const type = 'application/x-www-form-urlencoded';
    const reply = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, ...(body === undefined ? {} : { 'Content-Type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    cookie = reply.headers.getSetCookie()[0] ?? cookie;
    const text = await reply.text();
    entries.push({
      startedDateTime: new Date(entries.length * 1_000).toISOString(),
      time: 5,
      request: {
        method: body === undefined ? 'GET' : 'POST',
        url: url + path,
        headers: [],
        ...(body === undefined ? {} : { postData: { mimeType: type, text: body } }),
      },
      response: {
        status: reply.status,
        headers: [...reply.headers].map(([name, value]) => ({ name, value })),
        content: { mimeType: 'text/html', text },
      },
    });
    return text;
  };
  await openPage('/login');
  await openPage('/login', { user: 's01', password: 'pw-s01', login: 'Log in' });
  const sheet = /value="([^"]*)"/.exec(await openPage('/exam'))?.[1] ?? '';
  await openPage('/exam', { sheet, answer: 'The Rhine' });
  await writeFile(join(harness.directory, 'exam.har'), JSON.stringify({ log: { entries } }));
  const names = Array.from({ length: 20 }, (_, index) => `s${String(index + 1).padStart(2, '0')}`);
  await writeFile(join(harness.directory, 'pupils.csv'), `username,password\n${names.map((name) => `${name},pw-${name}\n`).join('')}`);

  const walk = ['--walk', '--accounts', 'pupils.csv', '--accounts-once', '--out', 'exam.yaml'];
  const { code, err } = await harness.run('import', 'har', 'exam.har', ...walk);
  expect(code, err).toBe(0);
  expect(err).toMatch(/Each time, it repeats these requests, which may change data:\n {2}POST \/login\n {2}POST \/exam\n/);
  expect(err).toMatch(/At the end, each step did what was recorded/);
  const plan = readFileSync(join(harness.directory, 'exam.yaml'), 'utf8');
  expect(plan).toContain('user: "{{account.username}}"');
  expect(plan).toContain('password: "{{account.password}}"');
  expect(plan).toContain('sheet: "{{sheet}}"');
  expect(plan).toContain('order: once');
  expect(plan + err).not.toContain('pw-s01');
  const walked = handedIn.length;
  expect(handedIn).toEqual(names.slice(0, walked));
  expect(walked).toBeGreaterThan(2);

  const { out, err: tried } = await harness.run('try', 'exam.yaml', '--json');
  expect(tried).toContain(`pupils.csv: ${20 - walked} of 20 accounts are left. Spent: s01, s02, s03`);
  expect(tryReportSchema.parse(JSON.parse(out)).isGood, out).toBe(true);
  expect(handedIn).toEqual(names.slice(0, walked + 1));
});
