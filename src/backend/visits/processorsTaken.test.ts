import { cpus } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { startThread } from '#threads/startThread.ts';
import { readCpuTimes } from '#engine/procFiles.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { launchBrowser } from './browser.ts';
import { ProcessorWatch } from './processorWatch.ts';
import { startPageServer } from './testing/pageServer.ts';
import { freshContext, type Visitor } from './tab.ts';
import { visitPage } from './visitPage.ts';

const BUSY_MS = 1_500;

it(
  'TakenTime counts time for a visit while other processes keep the processors busy, and none for busy processors alone',
  { timeout: 60_000 },
  async () => {
    const server = await startPageServer();
    const plan = planSchema.parse({
      holdfast: 1,
      name: 'beside',
      targets: [{ url: server.url }],
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    });
    const browser = await launchBrowser(plan);
    const visitor: Visitor = {
      browser,
      readProcessors: async () => readCpuTimes(),
      page: watchPageSchema.parse({}),
      address: server.url,
      allowed: new Set(['127.0.0.1']),
      identity: '',
      ignoresCertificates: false,
    };
    const busyThreads = cpus().map(() => startThread(new URL('data:text/javascript,for(;;);'), 'busy', null));
    const processors = new ProcessorWatch(browser);
    const beganMs = nowMs();
    const secondOf = (atMs: number): number => (atMs - beganMs) / 1_000;
    try {
      const watching = processors.watch(secondOf);
      await after(BUSY_MS);
      const alone = secondOf(nowMs());
      expect(processors.isTaken(0, alone)).toBe(false);
      await processors.whileOpen(async () => visitPage(visitor, await freshContext(visitor)));
      expect(processors.isTaken(alone, secondOf(nowMs()) - alone)).toBe(true);
      processors.end();
      await watching;
    } finally {
      await Promise.all(busyThreads.map((thread) => thread.terminate()));
      await browser.close();
      await server.close();
    }
  },
);
