import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { startHarness, type Harness } from '../testing/harness.ts';

const PASSWORD = 'HOLDFAST_TEST_PASSWORD';
const RESPONSE_MS = 50;

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
});
afterEach(() => void delete process.env[PASSWORD]);

const setOptions = (values: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(values).flatMap(([key, value]) => ['--set', `${key}=${value}`]);

/** Returns what `try` shows for a preset that fails. */
async function showPreset(preset: string, settings: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run('try', preset, ...settings);
  expect(code, err).toBe(95);
  expect(out).toContain('One user could not run every step as expected.');
  return out;
}

/** Returns what `try` shows, and the result of a run. */
async function tryAndRun(preset: string, settings: readonly string[]): Promise<{ readonly shown: string; readonly result: RunResult }> {
  const shownText = await showPreset(preset, settings);
  const ran = await cli.run('run', preset, ...settings, '--no-trial', '--json', '-');
  expect([97, 98, 99], ran.err).toContain(ran.code);
  const result = resultSchema.parse(JSON.parse(ran.out));
  expect(['failed', 'inconclusive']).toContain(result.verdict.outcome);
  return { shown: shownText, result };
}

/** Asserts that both commands report the lines of an accounts file with too few or too many columns, and that neither sends load. */
async function expectRefused(preset: string, settings: readonly string[], secret: string): Promise<void> {
  for (const command of ['try', 'run']) {
    const { code, out, err } = await cli.run(command, preset, ...settings);
    expect(code).toBe(2);
    expect(err).toContain('line 3: it has 1 value, and the first line names 2.');
    expect(err).toContain('line 4: it has 3 values, and the first line names 2.');
    expect(out + err).not.toContain(secret);
  }
  expect((await cli.run('runs')).out).not.toContain('finished');
}

it("a wrong response with a good status: try and the first finding of a run quote the server's reason", async () => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      '<html><title>Tasks</title><p class="alert alert-danger">app has exceeded max_user_connections, token=geheim42</p></html>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const plan = {
    holdfast: 1,
    name: 'tasks',
    targets: [{ url: `http://127.0.0.1:${port}/` }],
    journey: [{ name: 'tasks', checks: [{ kind: 'contains', text: 'Your tasks' }] }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 20 }] },
  };
  const file = join(cli.directory, 'tasks.json');
  await writeFile(file, JSON.stringify(plan));
  const words = 'The server says: “app has exceeded max_user_connections, token=•••”';
  expect(await showPreset(file, [])).toContain(words);
  const ran = await cli.run('run', file, '--json', '-');
  expect(resultSchema.parse(JSON.parse(ran.out)).findings[0]?.sentence).toContain(words);
});

describe('holdfast try and run at a contest with wrong responses', () => {
  let lab: RunningContest;
  let target: { target: string };
  beforeAll(async () => {
    lab = await contestLab.start({ 'service-ms': 20, 'one-password': true, accounts: 20, 'evaluation-ms': 200 }, testSurroundings());
    target = { target: lab.urls[0] ?? '' };
  });
  afterAll(() => lab.stop());
  beforeEach(() => {
    process.env[PASSWORD] = 'practice';
  });
  const rehearsal = (more: Readonly<Record<string, string>> = {}): string[] =>
    setOptions({
      ...target,
      test: 'rehearsal',
      scale: 5,
      participants: 6,
      minutes: 0.1,
      arrivalMinutes: 0.05,
      rushMinutes: 0.05,
      pauseSeconds: 0.5,
      drainSeconds: 5,
      accountsPassword: `env:${PASSWORD}`,
      ...more,
    });

  it('pass with right responses, and have no finding about the login that the journey performs itself', async () => {
    const { code, out, err } = await cli.run('try', 'cms-contest', ...rehearsal());
    expect(code, out).toBe(0);
    expect(err).not.toContain('Nobody is logged in');
    expect(out).not.toContain('practice&');
  });

  it('report wrong credentials', async () => {
    process.env[PASSWORD] = 'not-the-password';
    const { shown, result } = await tryAndRun('cms-contest', rehearsal());
    expect(shown).toContain('wrong content: it sends on to a login page (/?login_error)');
    expect(shown).toContain('Check the name and the password');
    expect(shown).toMatch(/Not reached: “first description”, “description”, “statement”, “form”, “submit”/);
    expect(result.verdict.outcome).toBe('failed');
    expect(shown + JSON.stringify(result)).not.toContain('not-the-password');
  });

  it('report a missing hidden field', async () => {
    const form = 'journey[1].form={username: "contestant{{number}}", password: "{{password}}"}';
    const shownText = await showPreset('cms-contest', [...rehearsal(), '--set', form]);
    expect(shownText).toContain('✗ login');
    expect(shownText).toContain('the response has the unexpected status 403');
    expect(shownText).toContain('hidden field against forged requests');
  });

  it('report a capture without a match', async () => {
    const captures = 'journey[1].captures=[{from: body, as: task, pattern: "/problems/([^/]+)"}]';
    const shownText = await showPreset('cms-contest', [...rehearsal(), '--set', captures]);
    expect(shownText).toContain('✗ login › redirects');
    expect(shownText).toContain('nothing to capture as “task”');
    expect(shownText).toContain('Compare the response with what the capture looks for');
  });

  it('report an expired cookie', async () => {
    const settings = { ...target, page: 'tasks/coprobber/description', cookie: 'practice_login=expired-long-ago', participants: 5 };
    const shownText = await showPreset('cms-contest', setOptions(settings));
    expect(shownText).toContain('✗ description');
    expect(shownText).toContain('/?next=%2Ftasks%2Fcoprobber%2Fdescription');
    expect(shownText).not.toContain('expired-long-ago');
  });

  it('reject an account file with bad rows', async () => {
    const before = lab.log.countOf('POST', '/login', 302);
    const path = join(cli.directory, 'people.csv');
    await writeFile(path, 'username,password\ncontestant1,practice-secret\ncontestant2\ncontestant3,practice-secret,more\n');
    await expectRefused(
      'cms-contest',
      setOptions({ ...target, test: 'rehearsal', participants: 6, accounts: 'file', accountsFile: path }),
      'practice-secret',
    );
    expect(lab.log.countOf('POST', '/login', 302)).toBe(before);
  });

  it('never pass a run without a successful login, whatever its criteria', async () => {
    process.env[PASSWORD] = 'not-the-password';
    const plan = {
      holdfast: 1,
      name: 'only the start page is judged',
      targets: [{ url: target.target }],
      variables: { password: { kind: 'secret', secret: `env:${PASSWORD}` } },
      cookies: 'user',
      journey: [
        { name: 'home', path: '' },
        {
          name: 'login',
          method: 'POST',
          path: 'login',
          form: { username: 'contestant1', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' },
          redirects: { follow: true },
        },
      ],
      load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.05 }, stages: [{ users: 10, seconds: 1 }] },
      criteria: [{ kind: 'responseTime', step: 'home', percentile: 50, maxMs: 60_000 }],
    };
    await writeFile(join(cli.directory, 'home.json'), JSON.stringify(plan));
    const { code, out } = await cli.run('run', 'home.json', '--no-trial');
    expect(code).toBe(99);
    expect(out).toMatch(/Failed at 10 users: none of [\d,]+ requests of “login” succeeded\./);
    expect(out).toContain('Try the journey once');
  });
});

describe('holdfast try and run at survey uploads with wrong responses', () => {
  /** Starts a server that always responds with status 200 and reports errors in the body. */
  async function surveyServer(): Promise<string> {
    // Responses are delayed, because the simulated phones would otherwise retry at once.
    const respondLater = (response: ServerResponse, body: object): void =>
      void setTimeout(() => response.end(JSON.stringify(body)), RESPONSE_MS);
    const failureBody = (errorText: string) => ({ result: 'failure', errors: [{ code: '0200', text: errorText }] });
    const server = createServer((request, response) => {
      void text(request).then((sent) => {
        if (request.url === '/app/user/auth')
          return respondLater(
            response,
            sent.includes('password=survey-100') ? { result: 'success', hashed_password: 'hash-7' } : failureBody('Unknown user.'),
          );
        const isKnown = sent.includes('hash-7');
        if (isKnown && request.url === '/app/survey_response/read')
          return respondLater(response, {
            result: 'success',
            data: [{ survey_key: new URLSearchParams(sent).get('survey_response_id_list') }],
          });
        return respondLater(response, isKnown ? { result: 'success' } : failureBody('No password.'));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/` : '';
  }
  async function upload(rows: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const accounts = join(cli.directory, 'accounts.csv');
    await writeFile(accounts, `username,password\n${rows}\n`);
    return setOptions({ target: await surveyServer(), test: 'upload', scale: 10, phones: 20, minutes: 0.2, accounts, ...more });
  }

  it('pass with right responses', async () => {
    const { code, out } = await cli.run('try', 'ohmage', ...(await upload('participant001,survey-100')));
    expect(code, out).toBe(0);
    expect(out).not.toContain('survey-100');
  });

  it('report wrong credentials despite status 200', async () => {
    const shownText = await showPreset('ohmage', await upload('participant001,survey-999'));
    expect(shownText).toMatch(/✗ log in .*wrong content: .*\$\.result is "success"/);
    expect(shownText).toContain('Unknown user.');
    expect(shownText).toContain('Not reached: “upload”, “read back”.');
    expect(shownText).not.toContain('survey-999');
  });

  it('report a capture without a match', async () => {
    const captures = 'journey[0].captures=[{from: json, as: hash, path: $.session}]';
    const shownText = await showPreset('ohmage', [...(await upload('participant001,survey-100')), '--set', captures]);
    expect(shownText).toContain('nothing to capture as “hash”');
  });

  it('report an upload that the response body rejects', async () => {
    const parts = 'journey[1].multipart=[{name: auth_token, value: gone}]';
    const { shown, result } = await tryAndRun('ohmage', [...(await upload('participant001,survey-100')), '--set', parts]);
    expect(shown).toContain('✗ upload');
    expect(result.verdict.outcome).toBe('failed');
  });

  it('reject an account file with bad rows', async () => {
    await expectRefused('ohmage', await upload('participant001,survey-100\nparticipant002\nparticipant003,survey-174,more'), 'survey-100');
  });
});
