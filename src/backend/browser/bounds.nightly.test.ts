import { expect, it, onTestFinished } from 'vitest';
import { installedBrowser } from '#tools/check/browser.ts';
import { Recorder } from './recorder.ts';
import { startSite } from './testing/site.ts';

const program = installedBrowser() ?? (await import('@playwright/test')).chromium.executablePath();

it('a recording is limited in size and reports what was dropped', { timeout: 240_000 }, async () => {
  const site = await startSite();
  const recorder = await Recorder.open({ url: `${site.url}task`, headless: true, verify: true, version: 'test', program });
  onTestFinished(() => recorder.cancel());
  const [page] = recorder.context.pages();
  await page?.waitForURL(`${site.url}task`);
  await page?.waitForLoadState('networkidle');
  await page?.evaluate(`(async () => {
    for (let part = 0; part < 66; part += 1) await (await fetch('/large')).text();
    for (let part = 0; part < 50; part += 1) await Promise.all(Array.from({ length: 100 }, () => fetch('/small').then((response) => response.text())));
  })()`);
  const requestCount = site.asked.length;
  const { har, dropped } = await recorder.finish();
  expect(har.log.entries).toHaveLength(5_000);
  expect(dropped).toEqual({ requests: requestCount - 5_000, bodies: 3, actions: 0 });
  const large = har.log.entries.filter(({ request }) => request.url.endsWith('/large'));
  expect(large.filter(({ response }) => response.content.text !== undefined)).toHaveLength(63);
  expect(large.at(-1)?.response.content.comment).toMatch(/64 MB/);
});
