import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { AppPage } from './pages/AppPage.ts';
import { startHoldfast, type ServingProcess } from './processes.ts';

interface WorkerFixtures {
  /** Data directory that only this worker uses. */
  readonly home: string;
  /** The built app, served to a browser. */
  readonly server: ServingProcess;
  /** The practice contest. The first of its addresses is the main one. */
  readonly contest: ServingProcess;
}

interface TestFixtures {
  /** The app, opened at its first page. */
  readonly app: AppPage;
  /** Console errors and exceptions of the page. After each test there must be none. */
  readonly complaints: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  home: [
    async ({}, use) => {
      const home = await mkdtemp(join(tmpdir(), 'holdfast-e2e-'));
      await use(home);
      await rm(home, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ home }, use) => {
      const server = await startHoldfast(['serve', '--port', '0'], home);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  contest: [
    async ({ home }, use) => {
      const contest = await startHoldfast(['lab', 'contest'], home);
      await use(contest);
      await contest.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await use(complaints);
      base.expect(complaints, 'the page complained in its console').toEqual([]);
    },
    { auto: true },
  ],
  app: async ({ page, server }, use) => {
    const app = new AppPage(page);
    await app.open(server.urls[0] ?? '');
    await use(app);
  },
});

export { expect } from '@playwright/test';
