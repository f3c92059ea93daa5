import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { ResultThread } from '#backend/results/resultThread.ts';
import { openStore } from '#backend/store/store.ts';
import { storeLongRun } from '#backend/testing/longRun.ts';
import { testOptions } from '#backend/testing/options.ts';
import { startHoldfast } from '#e2e/processes.ts';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';
import type { Measurement } from '../commands.ts';
import { LiveHour, showLive } from './liveHour.ts';
import { noteLongTasks, scriptKilobytes, scrollThrough, takeLongTasks } from './longTasks.ts';

const USAGE = 'node bench/main.ts screens [SECONDS]';
const ROUNDS = 3;
const STEPS = 3;
/** Speed of scrolling, like that of a fast turn of the mouse wheel. */
const PIXELS_PER_FRAME = 24;
/** Maximum time of a frame in ms: a sixtieth of a second, and an allowance for the rounding of clocks. */
const FRAME_MS = 1_000 / 60 + 4;
const WATCHED_MS = 15_000;

/**
 * Returns the measurement of how long the page of an hour's run blocks the browser: while its result is opened and scrolled, and while the
 * run is active. It needs a build (`npm run build`) and Chromium.
 */
export function readScreens(parameters: readonly string[]): Measurement {
  const [seconds = '3600', ...others] = parameters;
  if (!/^[1-9]\d{0,4}$/.test(seconds) || others.length > 0)
    throw new Error(`${parameters.join(' ')}: leave it out, or enter the length of the run in seconds, from 1 to 99999.\n\n${USAGE}`);
  return (signal, print) => measureScreens(Number(seconds), signal, print);
}

async function measureScreens(seconds: number, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'holdfast-screens-'));
  try {
    print(`Storing ${seconds} s of two hosts …`);
    await storeRun(home, seconds);
    const server = await startHoldfast(['serve', '--port', '0'], home);
    const path = installedBrowser();
    const browser = await chromium.launch({ args: [...browserFlags], ...(path === undefined ? {} : { executablePath: path }) });
    const lines: string[] = [];
    try {
      for (let round = 1; round <= ROUNDS; round += 1) {
        signal.throwIfAborted();
        print(`Round ${round} of ${ROUNDS} …`);
        lines.push(...(await resultLines(browser, server.urls[0] ?? '')), ...(await liveLines(browser, server.urls[0] ?? '', seconds)));
      }
    } finally {
      await browser.close();
      await server.stop();
    }
    console.log(
      ['| what | tasks of 50 ms or more | longest, ms | all of them, ms | besides |', '| --- | ---: | ---: | ---: | --- |', ...lines].join(
        '\n',
      ),
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function storeRun(home: string, seconds: number): Promise<void> {
  const store = openStore(home);
  const log = { failure: (text: string) => console.error(text) };
  const results = new ResultThread({
    entry: testOptions(home).resultEntry,
    dataDirectory: home,
    version: 'bench',
    log,
    unstored: () => null,
  });
  try {
    storeLongRun(store, { id: 'hour', seconds, hosts: 2, steps: STEPS, perSecond: 500 });
    await results.ask('own.storeResult', { runId: 'hour' });
  } finally {
    await results.close();
    store.close();
  }
}

/** Opens the result, and then scrolls it with all charts expanded. */
async function resultLines(browser: Browser, url: string): Promise<string[]> {
  const page = await openPage(browser);
  await open(page, url, 'hour');
  await page.getByRole('figure').first().waitFor();
  const opening = await takeLongTasks(page);
  const script = await scriptKilobytes(page);
  await page.getByRole('button', { name: /^More charts/ }).click();
  await takeLongTasks(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  const frames = await scrollThrough(page, PIXELS_PER_FRAME);
  const late = frames.filter((ms) => ms > FRAME_MS).length;
  const scrolling = await takeLongTasks(page);
  await page.context().close();
  return [
    line('result, opening', opening, `${Math.round(script)} kB of script`),
    line('result, scrolling', scrolling, `${frames.length} frames, ${late} late, longest ${Math.max(0, ...frames).toFixed(0)} ms`),
  ];
}

async function liveLines(browser: Browser, url: string, seconds: number): Promise<string[]> {
  const page = await openPage(browser);
  await showLive(page, new LiveHour(seconds, STEPS));
  await open(page, url, 'live');
  await page.getByRole('figure').first().waitFor();
  const opening = await takeLongTasks(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await workedSeconds(session);
  await page.waitForTimeout(WATCHED_MS);
  const share = (await workedSeconds(session)) - before;
  const watched = await takeLongTasks(page);
  await page.context().close();
  return [
    line('live view, opening', opening, ''),
    line(`live view, ${WATCHED_MS / 1_000} s of it`, watched, `${((100 * 1_000 * share) / WATCHED_MS).toFixed(1)} % of a core`),
  ];
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await noteLongTasks(page);
  return page;
}

/** Opens the app first, so that loading the app's code does not count for this page. */
async function open(page: Page, url: string, runId: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Waits until all parts have been loaded.
  await page.waitForTimeout(3_000);
  await takeLongTasks(page);
  await page.evaluate((id) => void (location.hash = `#/runs/${id}`), runId);
}

/** Returns the processor time in seconds that the page's main thread has used since the session was opened. */
async function workedSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

function line(what: string, tasks: readonly number[], besides: string): string {
  const all = tasks.reduce((sum, ms) => sum + ms, 0);
  return `| ${what} | ${tasks.length} | ${(tasks[0] ?? 0).toFixed(0)} | ${all.toFixed(0)} | ${besides} |`;
}
