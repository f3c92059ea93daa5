import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { LEFT_OUT } from '#backend/browser/leftOut.ts';
import { findElectron } from '../launch/electron.mjs';
import { capture } from '../launch/run.mjs';
import { say } from '../launch/say.mjs';

/** Chromium's flags for tests: as root it cannot use its sandbox, and it has no business on the network. */
export const browserFlags: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  LEFT_OUT,
];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** A Chromium that is installed on this machine, or undefined. */
export function installedBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return [...onPath(names, environment), ...(process.platform === 'darwin' ? macApps : [])].find((file) => existsSync(file));
}

/**
 * The browser to walk in, or undefined where Playwright brings one: that without windows where it is installed, since the window around each page
 * takes more processor time than the page itself.
 */
export function browserOfWalks(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return onPath(['chromium-headless-shell'], environment).find((file) => existsSync(file)) ?? installedBrowser(environment);
}

function onPath(programs: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => programs.map((program) => join(folder, program)));
}

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

/** Electron's executable for the tests of the desktop app, or why they cannot run here. */
export async function desktopForTests(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const { file, reason } = await findElectron({ root, environment });
  if (file === undefined) return { reason: reason ?? 'there is no Electron' };
  const hasDisplay = process.platform !== 'linux' || environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined;
  return hasDisplay ? { file } : { reason: 'there is no display (xvfb-run npm test gives it one)' };
}
