import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { chromium, defineConfig, type Project } from '@playwright/test';
import { browserFlags, browserOfWalks, desktopForTests, installedBrowser } from '#tools/check/browser.ts';

const root = resolve(import.meta.dirname, '..');
const executablePath = browserOfWalks();
// Holdfast opens an installed browser, as it does for its users. If there is none, it opens Playwright's browser.
if (!installedBrowser()) process.env['HOLDFAST_BROWSER'] ??= chromium.executablePath();
const desktop = await desktopForTests(root);
/**
 * Disables V8's optimizing compilers. Pages in tests do not live long enough for them, and they would take up to a sixth of the browser's
 * time.
 */
const UNOPTIMIZED = '--js-flags=--no-opt --no-maglev';
const LOAD_SPECS = /\/(contest|nodeVsGunicorn|siteWithPages)\.spec\.ts$/;
const LONG_SPECS = /\/(charts|developer|exam|hosts|ohmage|practice|series|visitor)\.spec\.ts$/;

/** Which browser tests run: all, or only those with `large` or with `small` loads. A full check runs large loads later. */
const CHOSEN_LOADS = process.env['HOLDFAST_LOADS'] ?? 'all';

const PROJECTS: Project[] = [
  // Loads that are large enough to disturb each other, or whose rates are judged, run one at a time.
  { name: 'loads', testDir: 'specs', testMatch: LOAD_SPECS, workers: 1, use: { browserName: 'chromium' } },
  // Long tests run before the others, because everything would wait for a long test that starts last.
  { name: 'long', testDir: 'specs', testMatch: LONG_SPECS, use: { browserName: 'chromium' } },
  { name: 'web', testDir: 'specs', testIgnore: [LOAD_SPECS, LONG_SPECS], use: { browserName: 'chromium' } },
  // If there is no binary of the current Electron, `npm test` reports and counts that.
  ...('file' in desktop ? [{ name: 'desktop', testDir: 'desktop', metadata: { electron: desktop.file } }] : []),
];

export default defineConfig({
  testDir: '.',
  outputDir: 'artifacts',
  // Two workers per core: one with a large load, and others that wait for their loads. Each worker has an app, a data directory and a
  // contest of its own.
  workers: 2 * availableParallelism(),
  fullyParallel: false,
  forbidOnly: process.env['CI'] === 'true',
  retries: 0,
  timeout: 240_000,
  // Generous, because the tests with servers run at the same time.
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1_280, height: 860 },
    actionTimeout: 60_000,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // The trace contains only names of actions and requests, because screenshots of each state take a tenth of the total time. If a test
    // fails again, everything is kept.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: { args: [...browserFlags, UNOPTIMIZED], ...(executablePath ? { executablePath } : {}) },
  },
  projects: PROJECTS.filter(({ name }) => CHOSEN_LOADS === 'all' || (name === 'loads') === (CHOSEN_LOADS === 'large')),
});
