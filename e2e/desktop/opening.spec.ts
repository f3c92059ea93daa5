import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron as electron, expect, test } from '@playwright/test';
import { browserFlags } from '#tools/check/browser.ts';

const root = resolve(import.meta.dirname, '..', '..');

test('the desktop app opens its page, confined, over its own backend', async ({}, testInfo) => {
  const executablePath = String(testInfo.project.metadata['electron']);
  const home = await mkdtemp(join(tmpdir(), 'holdfast-desktop-'));
  const app = await electron.launch({
    executablePath,
    args: [...browserFlags, `--user-data-dir=${join(home, 'electron')}`, root],
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
