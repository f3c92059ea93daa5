import { resolve } from 'node:path';
import { chromium, defineConfig } from '@playwright/test';
import { browserFlags, browserOfWalks, desktopForTests, installedBrowser } from '#tools/check/browser.ts';

const root = resolve(import.meta.dirname, '..');
const executablePath = browserOfWalks();
// What Holdfast itself opens is an installed browser, as for its users; where there is none, the one of Playwright.
if (!installedBrowser()) process.env['HOLDFAST_BROWSER'] ??= chromium.executablePath();
const desktop = await desktopForTests(root);
/** No page of a walk lives long enough to be worth V8's optimizing compilers, which take up to a sixth of the browser's time. */
const UNOPTIMIZED = '--js-flags=--no-opt --no-maglev';
const LOADS = /\/(contest|newcomers|nodeVsGunicorn|selfTest|siteWithPages)\.spec\.ts$/;
const LONG = /\/(charts|developer|hosts|ohmage|practice|series|visitor)\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: 'artifacts',
  // On two cores: one with a large load, and two that wait for theirs. Each worker has an app, a data directory and a contest of its own.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env['CI'] === 'true',
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1_280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Names of actions and requests: to keep each state of the page takes a tenth of all time. Where a failed walk is repeated, all is kept.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: { args: [...browserFlags, UNOPTIMIZED], ...(executablePath ? { executablePath } : {}) },
  },
  projects: [
    // One at a time: loads that are large enough for two of them to measure each other. Said first, for they take longest.
    { name: 'loads', testDir: 'specs', testMatch: LOADS, workers: 1, use: { browserName: 'chromium' } },
    // Long ones before the others: begun last, one would be waited for alone.
    { name: 'long', testDir: 'specs', testMatch: LONG, use: { browserName: 'chromium' } },
    { name: 'web', testDir: 'specs', testIgnore: [LOADS, LONG], use: { browserName: 'chromium' } },
    // Where there is no binary of the current Electron, `npm test` says so and counts it.
    ...('file' in desktop ? [{ name: 'desktop', testDir: 'desktop', metadata: { electron: desktop.file } }] : []),
  ],
});
