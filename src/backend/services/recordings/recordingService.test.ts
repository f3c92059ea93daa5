import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingState } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { Recorder } from '#backend/browser/recorder.ts';
import { startSite, type Site } from '#backend/browser/testing/site.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = browserOfWalks() ?? (await import('@playwright/test')).chromium.executablePath();

interface Walk {
  readonly test: TestBackend;
  readonly recorders: Recorder[];
}

/** Starts a backend whose recorders are headless and controlled by the tests. */
async function startWalks(): Promise<Walk> {
  const recorders: Recorder[] = [];
  const test = await startTestBackend({
    openRecorder: async (options) => {
      const recorder = await Recorder.open({ ...options, headless: true, program });
      recorders.push(recorder);
      return recorder;
    },
  });
  onTestFinished(() => test.close());
  return { test, recorders };
}

function getPage({ recorders }: Walk): Page {
  const page = recorders.at(-1)?.context.pages()[0];
  if (page === undefined) throw new Error('There is no window.');
  return page;
}

async function logIn(page: Page, { user, password, url }: Site): Promise<void> {
  await page.getByRole('link', { name: 'Log in here' }).click();
  await page.getByLabel('Name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${url}home`);
  await page.waitForLoadState('networkidle');
}

/** Resolves with the first state that satisfies `isWanted`. */
function untilState(client: Client, isWanted: (state: RecordingState | null) => boolean): Promise<RecordingState | null> {
  return new Promise((resolve, reject) => {
    const leave = client.open(
      'recordings.watch',
      {},
      {
        onItem({ recording }) {
          if (!isWanted(recording)) return;
          leave();
          resolve(recording);
        },
        onEnd: (problem) => problem && reject(problem),
      },
    );
  });
}

describe('recording service', () => {
  it('lists requests by action, makes a plan that succeeds, and leaves no password and no session in any file', async () => {
    const walk = await startWalks();
    const { client, dataDirectory } = walk.test;
    const site = await startSite();
    const { recordingId } = await client.call('recordings.start', { url: site.url });
    await logIn(getPage(walk), site);
    const state = await untilState(client, (now) => now?.actions.length === 3 && now.actions[2]?.title === 'Home');
    expect(state).toMatchObject({ state: 'recording', url: site.url, problem: null, dropped: { requests: 0, bodies: 0, actions: 0 } });
    expect(state?.actions.map(({ kind, text }) => `${kind} ${text}`).slice(1)).toEqual(['click Log in here', 'submit Log in']);
    expect(state?.actions[2]?.requests[0]).toMatchObject({ method: 'POST', url: `${site.url}login`, status: 302 });
    const made = await client.call('recordings.finish', { recordingId, thinkTimes: 'none' });
    expect(made).toMatchObject({ recording: null, problem: null });
    expect(made.walked?.captured).toMatchObject([{ kind: 'field', called: 'csrf', usedAs: 'csrf' }]);
    expect(made.walked?.steps.map(({ step, isSame }) => `${step} ${isSame}`)).toContainEqual('Log in true');
    expect(made.walked?.steps.every(({ isSame }) => isSame)).toBe(true);
    expect(made.plan.journey.map(({ method, path }) => `${method} ${path}`).slice(0, 3)).toEqual(['GET /', 'GET /login', 'POST /login']);
    expect(made.plan.journey.every(({ thinkTime }) => thinkTime === undefined)).toBe(true);
    const before = site.asked.length;
    const report = await client.call('plans.try', { plan: made.plan });
    expect(report).toMatchObject({ isGood: true, problem: null, notReached: [] });
    // The redirect to the page behind the login shows that the server accepted the password.
    expect(site.asked.slice(before)).toContain('GET /home');

    const { runId } = await client.call('runs.start', {
      plan: {
        ...made.plan,
        load: { model: 'connections', stages: [{ connections: 1, requests: made.plan.journey.length, counted: true }] },
        criteria: [],
      },
    });
    await new Promise<void>((resolve) => client.open('runs.watch', { runId }, { onItem() {}, onEnd: () => resolve() }));
    await walk.test.backend.close();
    const files = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async ({ parentPath, name }) => (await readFile(join(parentPath, name))).toString('latin1')),
    );
    expect(contents.length).toBeGreaterThan(1);
    for (const secret of [site.password.slice(-20), Buffer.from(site.password).toString('base64'), site.session])
      expect(contents.filter((content) => content.includes(secret))).toEqual([]);
  });

  it('allows one recording at a time, can pause and discard, and keeps everything when the window is closed', async () => {
    const walk = await startWalks();
    const { client } = walk.test;
    const site = await startSite();
    const { recordingId } = await client.call('recordings.start', { url: site.url });
    await expect(client.call('recordings.start', { url: site.url })).rejects.toMatchObject({ code: 'RECORDING_GOING' });
    await client.call('recordings.pause', { recordingId });
    await untilState(client, (now) => now?.state === 'paused');
    await client.call('recordings.resume', { recordingId });
    await client.call('recordings.mark', { recordingId, text: 'here' });
    await untilState(client, (now) => now?.state === 'recording' && now.actions.some(({ kind }) => kind === 'mark'));
    await client.call('recordings.discard', { recordingId });
    await untilState(client, (now) => now === null);
    await expect(client.call('recordings.finish', { recordingId })).rejects.toMatchObject({ code: 'NO_SUCH_RECORDING' });

    const again = await client.call('recordings.start', { url: site.url });
    expect(again.recordingId).not.toBe(recordingId);
    const page = getPage(walk);
    await page.waitForURL(site.url);
    await page.getByRole('link', { name: 'Log in here' }).click();
    await page.waitForURL(`${site.url}login`);
    await page.close();
    await untilState(client, (now) => now?.state === 'ended');
    await expect(client.call('recordings.mark', { ...again, text: 'late' })).rejects.toMatchObject({ code: 'RECORDING_ENDED' });
    const { plan, recording } = await client.call('recordings.finish', { ...again, withRecording: true });
    expect(plan.journey).toHaveLength(2);
    expect(JSON.parse(recording ?? '')).toMatchObject({ log: { creator: { name: 'Holdfast' } } });
  });

  it('ends at once when the user discards the recording while Holdfast looks for values', async () => {
    const walk = await startWalks();
    const { client } = walk.test;
    const site = await startSite();
    const { recordingId } = await client.call('recordings.start', { url: site.url });
    await logIn(getPage(walk), site);
    const recorded = site.asked.length;
    const finishing = client.call('recordings.finish', { recordingId });
    const ended = expect(finishing).rejects.toMatchObject({ code: 'NO_SUCH_RECORDING' });
    await expect.poll(() => site.asked.length, { timeout: 30_000 }).toBeGreaterThan(recorded);
    await client.call('recordings.discard', { recordingId });
    await ended;
    await untilState(client, (now) => now === null);
    await expect(client.call('recordings.finish', { recordingId })).rejects.toMatchObject({ code: 'NO_SUCH_RECORDING' });
  });

  it('does not start on a public host before the user has agreed', async () => {
    const { test, recorders } = await startWalks();
    await expect(test.stranger.call('recordings.start', { url: 'http://school.example.org/' })).rejects.toMatchObject({
      code: 'AGREEMENT_NEEDED',
    });
    expect(recorders).toEqual([]);
  });

  it('opens no window before the user has agreed to the accounts file and the file could be read', async () => {
    const { test, recorders } = await startWalks();
    const file = join(temporaryDirectory(), 'people.csv');
    const start = { url: 'http://127.0.0.1:9/', accountsFile: file };
    await expect(test.stranger.call('recordings.start', start)).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    await expect(test.client.call('recordings.start', start)).rejects.toMatchObject({ code: 'FEED_UNUSABLE' });
    await writeFile(file, 'username\nada\n');
    await expect(test.client.call('recordings.start', start)).rejects.toMatchObject({
      code: 'FEED_UNUSABLE',
      message: expect.stringContaining('password'),
    });
    expect(recorders).toEqual([]);
  });

  it('takes accounts from the file and draws new texts for each journey', async () => {
    const walk = await startWalks();
    const { client } = walk.test;
    const site = await startSite();
    const file = join(temporaryDirectory(), 'people.csv');
    const row = `${site.user},"${site.password.replaceAll('"', '""')}"\n`;
    await writeFile(file, `username,password\n${row}${row}`);
    const { recordingId } = await client.call('recordings.start', { url: site.url, accountsFile: file, unique: ['Lesson 12'] });
    await logIn(getPage(walk), site);
    await getPage(walk).goto(`${site.url}home?q=Lesson+12`);
    const { plan } = await client.call('recordings.finish', { recordingId, walks: false });
    expect(plan.feeds).toMatchObject({ account: { file } });
    expect(plan.journey.map(({ path }) => path)).toContain('/home?q={{unique}}');
  });
});
