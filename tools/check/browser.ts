import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserCandidates } from '#backend/browser/findBrowser.ts';
import { DISABLED_FEATURES } from '#backend/browser/openBrowser.ts';
import { findElectron } from '../launch/electron.mjs';
import { capture, print } from '../launch/run.mjs';

/** Chromium's flags for tests. Its sandbox does not work for root, and tests need no network. */
export const browserFlags: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  DISABLED_FEATURES,
];

/** Returns the path of an installed Chromium, or undefined. */
export function installedBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return browserCandidates(process.platform, environment).find((file) => existsSync(file));
}

/**
 * Returns the browser for tests, or undefined if Playwright's own browser is used. The headless shell is preferred, because a window around
 * each page takes more processor time than the page.
 */
export function browserOfWalks(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, 'chromium-headless-shell')).find((file) => existsSync(file)) ?? installedBrowser(environment);
}

const maxMs = 5 * 60_000;

/** Finds an installed Chromium, or installs the one of Playwright or Debian. If the tests then have no browser, returns the reason. */
export async function ensureBrowser(root: string): Promise<string | undefined> {
  if (installedBrowser() ?? (existsSync(chromium.executablePath()) || undefined)) return undefined;
  print('installing the browser for the tests');
  const playwright = await capture(
    process.execPath,
    [`${root}/node_modules/@playwright/test/cli.js`, 'install', 'chromium-headless-shell'],
    { cwd: root, timeoutMs: maxMs },
  );
  if (playwright.code === 0) return undefined;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await capture('apt-get', ['update', '-qq'], { timeoutMs: maxMs });
    await capture('apt-get', ['install', '-y', '-qq', 'chromium'], { timeoutMs: maxMs });
    if (installedBrowser()) return undefined;
  }
  return 'no Chromium could be installed: install one (Debian: apt-get install chromium) or let `npx playwright install chromium` through';
}

/** Returns Electron's executable for the desktop tests, or the reason why they cannot run here. */
export async function desktopForTests(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const { file, reason } = await findElectron({ root, environment });
  if (file === undefined) return { reason: reason ?? 'there is no Electron' };
  const hasDisplay = process.platform !== 'linux' || environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined;
  return hasDisplay ? { file } : { reason: 'there is no display (xvfb-run npm test gives it one)' };
}
