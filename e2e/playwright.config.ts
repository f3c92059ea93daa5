import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';
import { desktopForTests } from '#tools/check/desktop.ts';

const root = resolve(import.meta.dirname, '..');
const executablePath = installedBrowser();
const desktop = await desktopForTests(root);

export default defineConfig({
  testDir: '.',
  outputDir: 'artifacts',
  // The specs start servers and loads of their own; two at once would measure each other.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env['CI'] === 'true',
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1_280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: { args: [...browserFlags], ...(executablePath ? { executablePath } : {}) },
  },
  projects: [
    { name: 'web', testDir: 'specs', use: { browserName: 'chromium' } },
    // Where there is no binary of the current Electron, `npm test` says so and counts it.
    ...('file' in desktop ? [{ name: 'desktop', testDir: 'desktop', metadata: { electron: desktop.file } }] : []),
  ],
});
