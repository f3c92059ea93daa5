import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron as electron, expect, test } from '@playwright/test';
import { Recorder } from '#backend/browser/recorder.ts';
import { browserFlags } from '#tools/check/browser.ts';

/** The app's folder for Electron, whose `main` names the built shell. */
const shell = resolve(import.meta.dirname, '..', '..', 'electron', 'app');

test('the desktop app opens its sandboxed page with a backend of its own', async ({}, testInfo) => {
  const executablePath = String(testInfo.project.metadata['electron']);
  const home = await mkdtemp(join(tmpdir(), 'holdfast-desktop-'));
  const app = await electron.launch({
    executablePath,
    args: [...browserFlags, `--user-data-dir=${join(home, 'electron')}`, shell],
    env: { ...(process.env as Record<string, string>), HOLDFAST_HOME: home },
  });
  try {
    const page = await app.firstWindow();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(page.url()).toMatch(/^app:\/\/holdfast\//);
    expect(await page.evaluate(() => Object.keys(globalThis).filter((name) => ['require', 'process', 'module'].includes(name)))).toEqual(
      [],
    );
    expect(await page.evaluate('Object.keys(window.holdfast)')).toEqual(['port', 'verbs']);
    await page.evaluate(() => globalThis.open('https://evil.example/'));
    expect(app.windows()).toHaveLength(1);
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true });
  }
});

test('the desktop app records in a window of its own', async ({}, testInfo) => {
  const program = String(testInfo.project.metadata['electron']);
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Shop</title><a href="/" target="_blank">New</a>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const recorder = await Recorder.open({
    url: `http://127.0.0.1:${port}/`,
    headless: false,
    verify: true,
    version: 'test',
    ownWindow: { program, args: [shell, '--recording-window', ...browserFlags] },
  });
  try {
    const [page] = recorder.context.pages();
    const [tab] = await Promise.all([recorder.context.waitForEvent('page'), page?.getByRole('link', { name: 'New' }).click()]);
    await expect(tab).toHaveTitle('Shop');
    await expect.poll(() => recorder.listSeen().map(({ kind }) => kind)).toEqual(['open', 'tab']);
    const { har } = await recorder.finish();
    expect(har.log.entries.map(({ response }) => response.content.text?.includes('Shop'))).toEqual([true, true]);
  } finally {
    await recorder.cancel();
    site.close();
  }
});
