import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { capture } from '../launch/run.mjs';
import { say } from '../launch/say.mjs';
import { installedBrowser } from './browser.ts';

const limitMs = 5 * 60_000;

/**
 * Makes sure that there is a Chromium for the tests: one of this machine, else the one Playwright brings, else Debian's package
 * when we may install it. Gives the reason when there is none in the end.
 */
export async function ensureBrowser(root: string): Promise<string | undefined> {
  if (installedBrowser() ?? (existsSync(chromium.executablePath()) || undefined)) return undefined;
  say('installing the browser for the tests');
  const playwright = await capture(
    process.execPath,
    [`${root}/node_modules/@playwright/test/cli.js`, 'install', 'chromium-headless-shell'],
    {
      cwd: root,
      timeoutMs: limitMs,
    },
  );
  if (playwright.code === 0) return undefined;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await capture('apt-get', ['update', '-qq'], { timeoutMs: limitMs });
    await capture('apt-get', ['install', '-y', '-qq', 'chromium'], { timeoutMs: limitMs });
    if (installedBrowser()) return undefined;
  }
  return 'no Chromium could be installed: install one (Debian: apt-get install chromium) or let `npx playwright install chromium` through';
}
