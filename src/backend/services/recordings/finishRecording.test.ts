import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planOfRecording } from '#core/import/har/importHar.ts';
import { runTurnsYielding } from '#core/base/turns.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createSecrets } from '../secrets.ts';
import { readFeeds } from '../runs/readFiles.ts';
import { createYield, finishRecordingFrom } from './finishRecording.ts';

const PUPILS = Array.from({ length: 8 }, (_, index) => [`pupil${index}`, `quiet-day-${index}`] as const);
const PEOPLE: Readonly<Record<string, string>> = { adalovelace: 'hush-hush', bobnoyce: 'quiet-night', ...Object.fromEntries(PUPILS) };
const MARK = '{{holdfast-password-1}}';

/** Serves a login form with a new token each time, and records who logged in. */
class Site {
  readonly loggedIn: string[] = [];
  readonly titles: string[] = [];
  private readonly tokens = new Set<string>();
  readonly server: Server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    if (request.method === 'GET') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(this.form());
    const isRight = this.tokens.delete(form.get('token') ?? '') && PEOPLE[form.get('user') ?? ''] === form.get('password');
    if (isRight) this.loggedIn.push(form.get('user') ?? '');
    this.titles.push(form.get('title') ?? '');
    response.writeHead(isRight ? 200 : 403, { 'Content-Type': 'text/html' }).end('<title>Home</title>');
  });

  /** Returns a page with a form that begins beyond the part of a body that a try shows. */
  form(token: string = randomUUID()): string {
    this.tokens.add(token);
    return `<title>Login</title>${'<p>Words</p>'.repeat(3_000)}<form><input name="token" type="hidden" value="${token}"></form>`;
  }
}

let site: Site;
let url = '';
beforeEach(async () => {
  site = new Site();
  site.server.listen(0, '127.0.0.1');
  await once(site.server, 'listening');
  const address = site.server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterEach(() => {
  site.server.closeAllConnections();
  site.server.close();
});

const knownNames: string[] = [];
const parts = {
  usedRows: null,
  secrets: createSecrets({ environment: {}, onKnown: (value) => void knownNames.push(value) }),
  workerEntry: new URL('../../../../workers/loadWorker.ts', import.meta.url),
  version: 'test',
};
const recordingWith = (body: string): object => {
  const token = 'f0f1f2f3-0000-4000-8000-000000000001';
  const entry = (method: string, status: number, content: string, at: number, postData?: object): object => ({
    startedDateTime: new Date(at).toISOString(),
    time: 5,
    _resourceType: 'document',
    request: { method, url: `${url}/login`, headers: [], ...(postData === undefined ? {} : { postData }) },
    response: { status, headers: [{ name: 'Content-Type', value: 'text/html' }], content: { mimeType: 'text/html', text: content } },
  });
  return {
    log: {
      entries: [
        entry('GET', 200, site.form(token), 0),
        entry('POST', 200, '<title>Home</title>', 3_000, { mimeType: 'application/x-www-form-urlencoded', text: `token=${token}&${body}` }),
      ],
    },
  };
};
const account = { number: 1, userField: 'user', userName: 'adalovelace', password: 'hush-hush' };

it('finishRecordingFrom: walks the journey with another account and leaves no password and no token in the plan', async () => {
  const har = recordingWith(`user=adalovelace&password=${MARK}`);
  const others = [{ number: 1, userName: 'bobnoyce', password: 'quiet-night' }];
  const walks: number[] = [];
  const onWalk = (number: number): void => void walks.push(number);
  const result = await finishRecordingFrom(
    { recording: planOfRecording(har, { accounts: [account] }), accounts: [account], others, onWalk },
    parts,
  );
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  const { plan, captured, steps, secrets, isSettled } = result.finished;
  expect(captured).toMatchObject([{ from: 'GET /login', kind: 'field', called: 'token' }]);
  expect(plan.journey[1]?.form).toEqual({ token: '{{token}}', user: '{{username}}', password: '{{password}}' });
  expect(steps.map(({ isSame }) => isSame)).toEqual([true, true]);
  expect(isSettled).toBe(true);
  expect(walks).toEqual([1, 2, 3]);
  expect(site.loggedIn).toEqual(['bobnoyce', 'adalovelace', 'bobnoyce']);
  expect([...secrets]).toEqual([['HOLDFAST_PASSWORD', 'hush-hush']]);
  expect(JSON.stringify(plan)).not.toMatch(/hush-hush|quiet-night|session:|holdfast-password/);
  expect(knownNames).toEqual(expect.arrayContaining(['hush-hush', 'quiet-night']));
});

it('finishRecordingFrom: walks first with the second row of an accounts file', async () => {
  const file = join(temporaryDirectory(), 'people.csv');
  writeFileSync(file, 'username,password\nadalovelace,hush-hush\nbobnoyce,quiet-night\n');
  const har = recordingWith(`user=adalovelace&password=${MARK}`);
  const result = await finishRecordingFrom(
    { recording: planOfRecording(har, { accounts: [account], accountsFile: file }), accounts: [account], others: [] },
    parts,
  );
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  expect(result.finished.plan.journey[1]?.form).toMatchObject({ user: '{{account.username}}', password: '{{account.password}}' });
  expect(site.loggedIn).toEqual(['bobnoyce', 'adalovelace', 'bobnoyce']);
});

it('finishRecordingFrom: uses a new row of the accounts file for each walk, and skips the used rows in the plan', async () => {
  const file = join(temporaryDirectory(), 'people.csv');
  const names = Object.keys(PEOPLE);
  writeFileSync(file, ['username,password', ...Object.entries(PEOPLE).map((row) => row.join(','))].join('\n'));
  const har = recordingWith(`user=adalovelace&password=${MARK}`);
  const result = await finishRecordingFrom(
    { recording: planOfRecording(har, { accounts: [account], accountsFile: file }), accounts: [account], others: [] },
    parts,
  );
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  const { rounds, plan } = result.finished;
  expect(site.loggedIn).toHaveLength(rounds);
  expect(new Set(site.loggedIn).size).toBe(rounds);
  expect(plan.feeds?.['account']?.skip).toBe(rounds);
  expect(result.notes.find(({ location }) => location === 'feeds')?.what).toBe(`${rounds} of 10 accounts were used to find values.`);
  expect((await readFeeds(plan))['account']?.rows[0]?.[0]).toBe(names[rounds]);
  const spent = readFeeds({ ...plan, feeds: { account: { file, separator: ',', order: 'sequential', secret: [], skip: 10 } } });
  await expect(spent).rejects.toThrow('10 of 10 rows are used up (skip: 10)');
});

it('finishRecordingFrom: rejects as soon as its signal aborts, during a walk and between walks', async () => {
  const recording = planOfRecording(recordingWith(`user=adalovelace&password=${MARK}`), { accounts: [account] });
  const end = new AbortController();
  const walks: number[] = [];
  const onWalk = (number: number): void => {
    walks.push(number);
    if (number === 2) site.server.once('request', () => end.abort(new Error('given up')));
  };
  const finishing = finishRecordingFrom({ recording, accounts: [account], others: [], onWalk, signal: end.signal }, parts);
  await expect(finishing).rejects.toThrow('given up');
  expect(walks).toEqual([1, 2]);

  function* yieldForever(): Generator<void, never> {
    for (;;) yield;
  }
  const between = new AbortController();
  setImmediate(() => between.abort(new Error('given up')));
  await expect(runTurnsYielding(yieldForever(), createYield(between.signal))).rejects.toThrow('given up');
});

it('finishRecordingFrom: refuses an empty recording with the reason', async () => {
  const result = await finishRecordingFrom({ recording: planOfRecording({ log: { entries: [] } }), accounts: [], others: [] }, parts);
  expect(result).toMatchObject({ kind: 'refused', issues: [{ code: 'NO_REQUESTS' }] });
});

it('finishRecordingFrom: replaces a text that has to be unique with a different text in each walk', async () => {
  const har = recordingWith(`user=adalovelace&password=${MARK}&title=Lesson+12`);
  const result = await finishRecordingFrom(
    { recording: planOfRecording(har, { accounts: [account], unique: ['Lesson 12'] }), accounts: [account], others: [] },
    parts,
  );
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  const { plan, rounds } = result.finished;
  expect(plan.journey[1]?.form).toMatchObject({ title: '{{unique}}' });
  expect(rounds).toBeGreaterThan(1);
  expect(site.titles).toHaveLength(rounds);
  expect(new Set(site.titles).size).toBe(rounds);
});
