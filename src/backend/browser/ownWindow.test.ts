import { chmod, readFile, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openRecordingWindow } from './ownWindow.ts';
import { Recorder } from './recorder.ts';
import { startSite } from './testing/site.ts';

const fakeApp = { program: process.execPath, args: [fileURLToPath(new URL('testing/appWindow.ts', import.meta.url))] };

/** A temporary folder for this test only, because other tests record at the same time. */
let folder: string;
beforeEach(() => {
  folder = temporaryDirectory();
  const before = ['TMPDIR', 'DISPLAY', 'HOLDFAST_BROWSER'].map((name) => [name, process.env[name]] as const);
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('DISPLAY', ':none');
  vi.stubEnv('HOLDFAST_BROWSER', '');
  onTestFinished(() => {
    for (const [name, value] of before) vi.stubEnv(name, value);
  });
});

/** Writes an executable shell script. */
async function writeScript(text: string): Promise<string> {
  const file = join(folder, 'program');
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

const ownFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('holdfast-'));

describe('openRecordingWindow', () => {
  it('controls the window over a pipe, with its own profile and without secrets in the environment', async () => {
    const seen = join(folder, 'seen');
    vi.stubEnv('SHOP_TOKEN', 'hidden');
    const program = await writeScript(`{ printf '%s\\n' "$@"; env; } > '${seen}'; exit 1`);
    await expect(openRecordingWindow({ program, args: ['main.cjs', '--recording-window'] }, { verify: true })).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
    });
    vi.stubEnv('SHOP_TOKEN', undefined);
    const text = await readFile(seen, 'utf8');
    expect(text.split('\n').slice(0, 3)).toEqual(['main.cjs', '--recording-window', '--remote-debugging-pipe']);
    expect(text).toMatch(/^--user-data-dir=.*holdfast-browser-.*profile$/m);
    expect(text).not.toMatch(/remote-debugging-port|ignore-certificate|hidden/);
  });

  it.each([
    ['reports why the window did not open', "echo 'Missing X server' >&2; exit 1", /It has ended\. Missing X server/],
    ['does not wait for a program without the DevTools protocol', 'echo hello >&4; exec 4>&-; sleep 0.2', /It has ended/],
  ])('%s', async (_what, text, message) => {
    const program = await writeScript(text);
    await expect(openRecordingWindow({ program, args: [] }, { verify: true })).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/HOLDFAST_BROWSER/),
    });
    expect(ownFolders()).toEqual([]);
  });

  it('rejects a missing program', async () => {
    await expect(openRecordingWindow({ program: join(folder, 'none'), args: [] }, { verify: true })).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: expect.stringMatching(/ENOENT/),
    });
    expect(ownFolders()).toEqual([]);
  });

  it('blocks service workers and leaves no files behind', async () => {
    const site = await startSite();
    const { context, close } = await openRecordingWindow(fakeApp, { verify: true });
    const [page] = context.pages();
    await page?.goto(site.url);
    expect(await page?.evaluate('ServiceWorkerContainer.prototype.register.call({}, "/sw.js").then(String)')).toBe('undefined');
    await close();
    expect(ownFolders()).toEqual([]);
  });
});

it('Recorder.open gives a named browser precedence over a window of the app', async () => {
  const program = await writeScript('exit 1');
  vi.stubEnv('HOLDFAST_BROWSER', program);
  const opened = Recorder.open({ url: 'http://127.0.0.1/', headless: true, verify: true, version: 'test', ownWindow: fakeApp });
  await expect(opened).rejects.toMatchObject({ code: 'BROWSER_FAILED', message: expect.stringContaining(`The browser ${program}`) });
});
