import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Recorder } from '#backend/browser/recorder.ts';
import { startSite, type Site } from '#backend/browser/testing/site.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { startHarness, type RunningCommand, type Harness } from '../testing/harness.ts';

const program = browserOfWalks() ?? (await import('@playwright/test')).chromium.executablePath();

interface Scene {
  readonly harness: Harness;
  readonly site: Site;
  /** Resolves with the recorder once its browser has opened. */
  opened(): Promise<Recorder>;
}

async function startScene(): Promise<Scene> {
  const { promise, resolve } = Promise.withResolvers<Recorder>();
  const harness = await startHarness({
    openRecorder: async (options) => {
      const recorder = await Recorder.open({ ...options, headless: true, program });
      resolve(recorder);
      return recorder;
    },
  });
  return { harness, site: await startSite(), opened: () => promise };
}

async function logIn({ opened, site }: Scene): Promise<void> {
  const page = (await opened()).context.pages()[0];
  await page?.getByRole('link', { name: 'Log in here' }).click();
  await page?.getByLabel('Name').fill(site.user);
  await page?.getByLabel('Password').fill(site.password);
  await page?.getByRole('button', { name: 'Log in' }).click();
  await page?.waitForURL('**/home');
  await page?.waitForLoadState('networkidle');
}

async function waitForText(runningCommand: RunningCommand, text: string): Promise<void> {
  await expect.poll(() => runningCommand.err.text, { timeout: 20_000 }).toContain(text);
}

describe('holdfast record', () => {
  it('prints how the recorded requests are handled, and writes a plan that `try` can run', async () => {
    const scene = await startScene();
    const { harness, site } = scene;
    const runningCommand = harness.start('record', site.url, '--out', 'plan.yaml', '--think', '2', '--keep-recording', 'walk.har');
    await logIn(scene);
    await waitForText(runningCommand, 'Click “Log in here” → Log in\n    200 GET');
    runningCommand.enter();
    const { code, err } = await runningCommand.done;
    expect(err).toContain('Submit “Log in” → Home\n    302 POST');
    expect(err).toContain('Each time, it repeats these requests, which may change data:\n  POST /login\n');
    expect(err).toContain('captured: {{csrf}}: “csrf” comes from the field “csrf” of the response to');
    expect(err).toMatch(/Holdfast walked the journey \d times. At the end, each step did what was recorded./);
    expect(err).toMatch(/Before a run, set HOLDFAST_\w+/);
    expect(code).toBe(0);
    const text = await readFile(join(harness.directory, 'plan.yaml'), 'utf8');
    expect(text + err).not.toContain(site.password.slice(-20));
    expect(parse(text)).not.toHaveProperty('watchPages');
    const [first, , third] = parse(text).journey;
    expect(first).toMatchObject({ path: '/', thinkTime: { kind: 'fixed', seconds: 2 } });
    expect(third).toMatchObject({ method: 'POST', path: '/login' });
    const kept = join(harness.directory, 'walk.har');
    expect(await readFile(kept, 'utf8')).not.toContain(site.password.slice(-20));
    expect(((await stat(kept)).mode & 0o777).toString(8)).toBe('600');
    expect(await harness.run('validate', 'plan.yaml')).toMatchObject({ code: 0 });
  });

  it('gives each user an account from a file and each journey a unique text', async () => {
    const scene = await startScene();
    const { harness, site } = scene;
    await writeFile(join(harness.directory, 'accounts.csv'), `username,password\n${site.user},"${site.password.replaceAll('"', '""')}"\n`);
    const runningCommand = harness.start('record', site.url, '--no-walk', '--accounts', 'accounts.csv', '--unique', 'login');
    await logIn(scene);
    await waitForText(runningCommand, 'Click “Log in here” → Log in\n    200 GET');
    runningCommand.enter();
    const { code, out, err } = await runningCommand.done;
    expect(code).toBe(0);
    const { feeds, journey, variables } = parse(out);
    expect(feeds.account.file).toBe(join(harness.directory, 'accounts.csv'));
    expect(Object.values(journey[2].form)).toEqual(expect.arrayContaining(['{{account.username}}', '{{account.password}}']));
    expect(journey[2]).toMatchObject({ method: 'POST', path: '/{{unique}}' });
    expect(variables.unique).toMatchObject({ kind: 'uuid' });
    expect(err).toContain('“login” has to be unique.');
    expect(out + err).not.toContain(site.password.slice(-20));
  });

  it('runs the journey in a browser during the load, with recorded clicks and the account', async () => {
    const scene = await startScene();
    const { harness, site } = scene;
    const runningCommand = harness.start('record', site.url, '--out', 'plan.yaml', '--no-walk', '--watch');
    await logIn(scene);
    await waitForText(runningCommand, 'Click “Log in here” → Log in\n    200 GET');
    runningCommand.enter();
    const { code, err } = await runningCommand.done;
    expect(err).toContain('A browser takes the journey beside the load: its first page and 2 steps.');
    expect(code).toBe(0);
    const text = await readFile(join(harness.directory, 'plan.yaml'), 'utf8');
    const { watchPages } = parse(text);
    expect(watchPages).toEqual([
      expect.objectContaining({
        name: 'The recorded journey',
        url: '/',
        steps: [
          { name: 'Log in here', click: 'Log in here', title: 'Log in' },
          {
            name: 'Log in',
            fill: { 'css=[name="login"]': '{{username}}', 'css=[name="secret"]': '{{password}}' },
            click: 'Log in',
            title: 'Home',
          },
        ],
      }),
    ]);
    expect(text).not.toContain(site.password.slice(-20));
    expect(await harness.run('validate', 'plan.yaml')).toMatchObject({ code: 0 });
  });

  it('ends when the window closes; Ctrl+C saves nothing', async () => {
    const scene = await startScene();
    const runningCommand = scene.harness.start('record', scene.site.url, '--no-walk');
    const recorder = await scene.opened();
    await waitForText(runningCommand, 'Recording.');
    const [page] = recorder.context.pages();
    await page?.waitForURL(scene.site.url);
    await page?.close();
    const { code, out } = await runningCommand.done;
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject({ targets: [{ url: scene.site.url }] });

    const other = await startScene();
    const second = other.harness.start('record', other.site.url, '--out', 'plan.yaml');
    await other.opened();
    await waitForText(second, 'Recording.');
    second.interrupt();
    expect(await second.done).toMatchObject({ code: 130, err: expect.stringContaining('Nothing was kept.') });
    await expect(stat(join(other.harness.directory, 'plan.yaml'))).rejects.toThrow();
  });

  it('saves nothing after Ctrl+C during the search for dynamic values', async () => {
    const scene = await startScene();
    const runningCommand = scene.harness.start('record', scene.site.url, '--out', 'plan.yaml');
    await logIn(scene);
    await waitForText(runningCommand, 'Log in');
    const recorded = scene.site.asked.length;
    runningCommand.enter();
    await expect.poll(() => scene.site.asked.length, { timeout: 30_000 }).toBeGreaterThan(recorded);
    runningCommand.interrupt();
    expect(await runningCommand.done).toMatchObject({ code: 130, err: expect.stringContaining('Nothing was kept.') });
    await expect(stat(join(scene.harness.directory, 'plan.yaml'))).rejects.toThrow();
  });

  it('rejects an existing file and an invalid address before recording', async () => {
    const { harness, site } = await startScene();
    await writeFile(join(harness.directory, 'plan.yaml'), '');
    expect(await harness.run('record', site.url, '--out', 'plan.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('plan.yaml exists already'),
    });
    expect(await harness.run('record', 'localhost:80')).toMatchObject({ code: 1, err: expect.stringContaining('http://') });
    expect(await harness.run('record', site.url, '--think', 'long')).toMatchObject({ code: 1 });
    expect(await harness.run('record', site.url, '--unique', 'abc')).toMatchObject({ code: 1 });
    expect(site.asked).toEqual([]);
  });
});
