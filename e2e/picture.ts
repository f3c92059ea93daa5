import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';
import { print } from '#tools/launch/run.mjs';
import { AppPage } from './pages/AppPage.ts';
import { RunPage } from './pages/RunPage.ts';
import { WizardPage } from './pages/WizardPage.ts';
import { startHoldfast } from './processes.ts';

// Creates the first picture in the README, which shows the result of the contest test. Taking it needs a build and lasts a minute.

const file = resolve(import.meta.dirname, '..', 'docs', 'images', 'result.png');
/**
 * Size of the window. It is just wide enough for two charts side by side, because a column of a README is about 840 px wide. The resolution
 * is higher for sharp screens.
 */
const view = { viewport: { width: 1_160, height: 780 }, deviceScaleFactor: 1.5 };

const executablePath = installedBrowser();
const home = await mkdtemp(join(tmpdir(), 'holdfast-picture-'));
const server = await startHoldfast(['serve', '--port', '0'], home);
const browser = await chromium.launch({ args: [...browserFlags], ...(executablePath ? { executablePath } : {}) });
try {
  const page = await browser.newPage({ ...view, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', colorScheme: 'light' });
  await new AppPage(page).open(server.urls[0] ?? '');
  const wizard = new WizardPage(page);
  await wizard.open();
  await wizard.choose('Will our contest site hold?');
  await wizard.next('Which server?');
  await wizard.usePracticeServer();
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');
  await wizard.endOfTrial();
  await wizard.start();
  const verdict = await new RunPage(page).verdict(120_000);
  await page.getByRole('figure', { name: /^Latency/ }).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: file });
  print((await verdict.textContent()) ?? '');
} finally {
  await browser.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
}
