import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { Visitor, readXsrf } from '../testing/visitor.ts';
import { People } from './accounts.ts';
import { contestLab, type RunningContest } from './contest.ts';
import { DESCRIPTION_BYTES } from './pages.ts';

const [firstAccount = { username: '', password: '' }, secondAccount = firstAccount] = new People(2).accounts;

let lab: RunningContest;
let directory: string;

async function start(options: GivenOptions = {}): Promise<RunningContest> {
  return contestLab.start({ 'service-ms': 0, ...options }, testSurroundings());
}

async function loggedIn(account = firstAccount): Promise<Visitor> {
  const visitor = new Visitor(lab.urls[0] ?? '');
  await visitor.logIn(account.username, account.password);
  return visitor;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-lab-'));
  lab = await start();
});
afterEach(async () => {
  await lab.stop();
  await rm(directory, { recursive: true, force: true });
});

async function submit(visitor: Visitor, bytes: number | null): Promise<Response> {
  const form = new FormData();
  form.set('_xsrf', visitor.cookies.get('_xsrf') ?? '');
  if (bytes !== null) form.set('coprobber.%l', new File(['x'.repeat(bytes)], 'solution.cpp'));
  return visitor.send('/tasks/coprobber/submit', form);
}

function renewsLogin(response: Response): boolean {
  return response.headers.getSetCookie().some((line) => line.startsWith('practice_login='));
}

describe('a login', () => {
  it('begins with a form that has a token', async () => {
    const visitor = new Visitor(lab.urls[0] ?? '');
    const page = await (await visitor.get('/')).text();
    expect(page).toContain('type="password"');
    expect(readXsrf(page)).toBe(visitor.cookies.get('_xsrf'));
  });

  it('leads to the requested page, and sets a cookie that works on every shard', async () => {
    const visitor = new Visitor(lab.urls[0] ?? '');
    const response = await visitor.logIn(firstAccount.username, firstAccount.password, '/tasks/coprobber/description');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/tasks/coprobber/description');
    const other = new Visitor(lab.urls[1] ?? '');
    for (const [name, value] of visitor.cookies) other.cookies.set(name, value);
    const page = await other.get('/');
    expect(await page.text()).toContain(firstAccount.username);
  });

  it('with a wrong password redirects to the form with an error', async () => {
    const visitor = new Visitor(lab.urls[0] ?? '');
    const response = await visitor.logIn(firstAccount.username, 'wrong');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/?login_error=true']);
    expect(await (await visitor.get('/?login_error=true')).text()).toContain('Failed to log in.');
    expect(visitor.cookies.has('practice_login')).toBe(false);
  });

  it("is refused without the form's token", async () => {
    const visitor = new Visitor(lab.urls[0] ?? '');
    await visitor.get('/');
    expect((await visitor.post('/login', { ...firstAccount })).status).toBe(403);
    expect((await visitor.post('/login', { ...firstAccount, _xsrf: 'f'.repeat(32) })).status).toBe(403);
  });

  it('never redirects to another server', async () => {
    const visitor = new Visitor(lab.urls[0] ?? '');
    const response = await visitor.logIn(firstAccount.username, firstAccount.password, '//elsewhere.example/');
    expect(response.headers.get('location')).toBe('/');
  });

  it('is required of visitors, who are redirected to the form and back afterwards', async () => {
    const response = await new Visitor(lab.urls[0] ?? '').get('/tasks/coprobber/description?x=1');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/?next=%2Ftasks%2Fcoprobber%2Fdescription%3Fx%3D1']);
  });

  it('cannot be bypassed with forged or foreign cookies', async () => {
    const visitor = await loggedIn();
    const good = visitor.cookies.get('practice_login') ?? '';
    const [, ...rest] = good.split('.');
    visitor.cookies.set('practice_login', [Buffer.from(secondAccount.username).toString('base64url'), ...rest].join('.'));
    expect((await visitor.get('/tasks/coprobber/description')).status).toBe(302);
    const foreign = await start();
    visitor.cookies.set('practice_login', good);
    const stranger = new Visitor(foreign.urls[0] ?? '');
    stranger.cookies.set('practice_login', good);
    expect((await stranger.get('/tasks/coprobber/description')).status).toBe(302);
    await foreign.stop();
  });

  it('is renewed by pages, but not by polling requests', async () => {
    const visitor = await loggedIn();
    expect(renewsLogin(await visitor.get('/tasks/coprobber/description'))).toBe(true);
    expect(renewsLogin(await visitor.get('/notifications?last_notification=0'))).toBe(false);
  });

  it('is undone by the logout', async () => {
    const visitor = await loggedIn();
    const xsrf = visitor.cookies.get('_xsrf') ?? '';
    expect((await visitor.post('/logout', { _xsrf: xsrf })).status).toBe(302);
    expect((await visitor.get('/tasks/coprobber/description')).status).toBe(302);
  });
});

describe('pages', () => {
  it('have descriptions of constant size, or one byte less if the timestamp ends in a zero', async () => {
    for (const account of [firstAccount, secondAccount]) {
      const visitor = await loggedIn(account);
      for (const task of ['coprobber', 'lanterns', 'harbour']) {
        const response = await visitor.get(`/tasks/${task}/description`);
        const body = await response.text();
        const timestamp = /serverTimestamp = ([\d.]+);/.exec(body)?.[1] ?? '';
        expect(response.headers.get('content-type')).toContain('text/html');
        expect(Buffer.byteLength(body)).toBe(DESCRIPTION_BYTES - (13 - timestamp.length));
        expect(body).not.toMatch(/<p>[^<]*$/);
      }
    }
  });

  it('include statements as PDF and style sheets; other paths return 404', async () => {
    const visitor = await loggedIn();
    const pdf = await visitor.get('/tasks/harbour/statements/en');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const bytes = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
    expect(bytes.startsWith('%PDF-1.4')).toBe(true);
    const tableOffset = Number(/startxref\n(\d+)\n/.exec(bytes)?.[1]);
    expect(bytes.slice(tableOffset, tableOffset + 4)).toBe('xref');
    expect((await visitor.get('/static/css/contest.css')).headers.get('content-type')).toContain('text/css');
    for (const path of ['/static/nothing', '/tasks/none/description', '/tasks/harbour/statements/xx', '/tasks/harbour/submissions/1', '/x'])
      expect((await visitor.get(path)).status, path).toBe(404);
    expect((await visitor.get('/tasks/%E0%A4%A/description')).status).toBe(400);
  });
});

describe('submissions', () => {
  it('are accepted, listed and evaluated', async () => {
    const visitor = await loggedIn();
    const response = await submit(visitor, 300);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/^\/tasks\/coprobber\/submissions\?submission_id=[\w-]+$/);
    expect(await (await visitor.get('/tasks/coprobber/submissions')).text()).toContain('Compiling...');
    const status: unknown = await (await visitor.get('/tasks/coprobber/submissions/1')).json();
    expect(status).toEqual({ status: 1, status_text: 'Compiling...' });
  });

  it('with NUL bytes are accepted but never evaluated', async () => {
    const visitor = await loggedIn();
    const form = new FormData();
    form.set('_xsrf', visitor.cookies.get('_xsrf') ?? '');
    form.set('coprobber.%l', new File([new Uint8Array(10)], 'solution.cpp'));
    expect((await visitor.send('/tasks/coprobber/submit', form)).headers.get('location')).toContain('submission_id=');
    await submit(visitor, 300);
    const statusOf = async (number: number): Promise<unknown> => (await visitor.get(`/tasks/coprobber/submissions/${number}`)).json();
    await expect.poll(() => statusOf(2), { timeout: 10_000 }).toMatchObject({ status: 5 });
    expect(await statusOf(1)).toMatchObject({ status: 1 });
  });

  it('are refused by a redirect with the reason in a notification', async () => {
    const visitor = await loggedIn();
    for (const bytes of [null, 100_001]) {
      const response = await submit(visitor, bytes);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/tasks/coprobber/submissions']);
    }
    const notifications = await (await visitor.get('/notifications?last_notification=0')).json();
    expect(notifications).toMatchObject([{ subject: 'Invalid submission!' }, { text: expect.stringContaining('100000') }]);
    expect(await (await visitor.get(`/notifications?last_notification=${Date.now() / 1000 + 1}`)).json()).toEqual([]);
  });

  it('require the token, the login and a limited form size', async () => {
    const visitor = await loggedIn();
    visitor.cookies.set('_xsrf', 'f'.repeat(32));
    const form = new FormData();
    form.set('_xsrf', 'e'.repeat(32));
    expect((await visitor.send('/tasks/coprobber/submit', form)).status).toBe(403);
    const stranger = new Visitor(lab.urls[0] ?? '');
    expect((await submit(stranger, 10)).headers.get('location')).toMatch(/^\/\?next=/);
    expect((await submit(await loggedIn(), 1_100_000)).status).toBe(413);
  });

  it('can also be questions to the jury', async () => {
    const visitor = await loggedIn();
    const response = await visitor.post('/question', {
      _xsrf: visitor.cookies.get('_xsrf') ?? '',
      question_subject: 'Input',
      question_text: 'How large is N?',
    });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/communication']);
    expect((await visitor.get('/communication')).status).toBe(200);
  });
});

describe('the practice contest server', () => {
  it('counts every request in memory and in the file', async () => {
    const file = join(directory, 'contest.log');
    const countedContest = await start({ logs: directory, shards: 1 });
    const visitor = new Visitor(countedContest.urls[0] ?? '');
    for (let request = 0; request < 7; request += 1) await (await visitor.get('/')).text();
    await (await visitor.get('/tasks/coprobber/description')).text();
    await countedContest.stop();
    expect([countedContest.log.requests, countedContest.log.responses]).toEqual([8, 8]);
    expect(countedContest.log.countOf('GET', '/', 200)).toBe(7);
    expect(countedContest.log.countOf('GET', '/tasks/coprobber/description', 302)).toBe(1);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(8);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ server: 'shard-1', method: 'GET', path: '/', status: 200, complete: true });
  });

  it('keeps connections alive and closes them when it is stopped', async () => {
    const response = await fetch(lab.urls[0] ?? '');
    expect(response.headers.get('connection')).toBe('keep-alive');
    await response.text();
    await lab.stop();
    await expect(fetch(lab.urls[0] ?? '')).rejects.toThrow();
  });

  it('reports a port in use and leaves nothing open', async () => {
    const port = Number(new URL(lab.urls[0] ?? '').port);
    await expect(start({ port })).rejects.toMatchObject({ code: 'PORT_IN_USE', message: expect.stringContaining(String(port)) });
    await expect(start({ port: 65_535, shards: 2 })).rejects.toMatchObject({ code: 'LISTEN_FAILED' });
    await writeFile(join(directory, 'file'), '');
    await expect(start({ logs: join(directory, 'file', 'log') })).rejects.toMatchObject({ code: 'LOG_NOT_WRITABLE' });
  });
});
