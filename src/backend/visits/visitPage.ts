import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import type { WatchPage } from '#core/plan/schema/watchPages.ts';
import { LINE_PROFILES } from '#core/plan/watchPages.ts';
import type { Visit } from '#core/result/visit.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { type CpuTimes, cpuShares } from '#engine/procFiles.ts';
import type { PlacedBrowser } from './browser.ts';
import { clickAndTime } from './click.ts';
import { FRAME_QUALITY, FRAME_SIZE, type Frame, filmstripOf } from './film.ts';
import { PageTraffic } from './pageTraffic.ts';
import { layoutShiftOf, largestPaintOf, PAGE_READER, type PageReading, pageReadingSchema, usableFrom } from './pageTimes.ts';

/** What a visit finds out; where it belongs in the run is added by those who asked for it. */
export type Seen = Omit<Visit, 'number' | 'page' | 'when' | 'second'>;

export interface SeenVisit {
  /** When the navigation began, on the clock of `nowMs`. */
  readonly beganMs: number;
  readonly seen: Seen;
  readonly frames: readonly Frame[];
}

export interface Visitor extends Pick<PlacedBrowser, 'browser' | 'readProcessors'> {
  readonly page: WatchPage;
  readonly address: string;
  /** Hosts that the browser may reach. */
  readonly allowed: ReadonlySet<string>;
  /** What it sends as User-Agent behind the browser's own words; empty where it does not say what it is. */
  readonly identity: string;
  readonly ignoresCertificates: boolean;
}

/** A page that takes longer was not seen. */
export const LONGEST_VISIT_MS = 60_000;
/** What a page loads after it has loaded is waited for, unless it never ends. */
const MOST_LATER_MS = 3_000;

/** Screens: that of a notebook, and that of the phone by which Lighthouse measures. */
const SCREENS = {
  desktop: { viewport: { width: 1_280, height: 800 } },
  phone: { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true },
} satisfies Record<WatchPage['device'], BrowserContextOptions>;

/** A browser as it is when somebody comes for the first time: nothing stored, nothing cached. */
export function freshContext({ browser, page, identity, ignoresCertificates }: Visitor): Promise<BrowserContext> {
  return browser.newContext({
    ...SCREENS[page.device],
    userAgent: userAgentOf(browser.version(), page.device, identity),
    ignoreHTTPSErrors: ignoresCertificates,
    // Nobody wants what a click would save. A browser elsewhere would keep it under a name that means nothing there.
    acceptDownloads: false,
  });
}

function userAgentOf(version: string, device: WatchPage['device'], identity: string): string {
  const chrome = `Chrome/${version.split('.', 1)[0] ?? '0'}.0.0.0`;
  const own =
    device === 'phone'
      ? `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Mobile Safari/537.36`
      : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Safari/537.36`;
  return identity === '' ? own : `${own} ${identity}`;
}

/** One visit in a context: opens the page, waits until it is loaded and quiet, and asks it what it saw. Rejects only where the browser itself is gone. */
export async function visitPage(visitor: Visitor, context: BrowserContext): Promise<SeenVisit> {
  const page = await context.newPage();
  try {
    const tools = await context.newCDPSession(page);
    await prepare(tools, visitor.page);
    const film = await startFilm(tools, visitor.page);
    const traffic = new PageTraffic(page, visitor.allowed);
    const before = await machineReading(visitor);
    const beganMs = nowMs();
    const opened = await open(page, visitor.address);
    const reading = opened.isThere ? await readPage(page) : null;
    const { click } = visitor.page;
    const look = async (): Promise<Frame[]> =>
      reading === null ? [] : withLastLook(film.framesFrom(reading.originMs), reading, tools, visitor.page);
    // A click changes what there is to see.
    const untouched = click === undefined ? null : await look();
    const clicked = click === undefined || reading === null ? null : await clickAndTime(page, click);
    const tookMs = nowMs() - beganMs;
    const starvedMs = await starvedOf(tools);
    const after = await machineReading(visitor);
    const seenAt = { firstByteMs: reading?.firstByteMs ?? null, firstPaintMs: reading?.firstPaintMs ?? null };
    const failed = opened.problem ?? (reading === null ? 'the page did not respond to the browser' : null);
    return {
      beganMs,
      seen: {
        tookMs,
        ...seenAt,
        largestPaintMs: reading && largestPaintOf(reading),
        usableMs: reading && usableFrom(reading),
        layoutShift: reading && layoutShiftOf(reading),
        clickMs: clicked?.clickMs ?? null,
        ...traffic.counts(),
        problem: failed ?? (reading?.largest.length === 0 ? 'nothing was painted' : (clicked?.problem ?? null)),
        browserCpuMs: before.cpuMs === null || after.cpuMs === null ? null : Math.max(0, after.cpuMs - before.cpuMs),
        starvedMs,
        steal: stealBetween(before.processors, after.processors),
      },
      frames: filmstripOf(untouched ?? (await look())),
    };
  } finally {
    await page.close().catch(() => {});
  }
}

async function prepare(tools: CDPSession, { line }: WatchPage): Promise<void> {
  await tools.send('Performance.enable', { timeDomain: 'timeTicks' });
  const profile = LINE_PROFILES[line];
  if (profile === null) return;
  // Only who listens to the network may slow it down.
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: profile.latencyMs,
    downloadThroughput: profile.downloadBytesPerSecond,
    uploadThroughput: profile.uploadBytesPerSecond,
  });
}

interface Film {
  framesFrom(originMs: number): Frame[];
}

/** The browser sends a picture whenever its picture changes, and the next one once the last was taken. */
async function startFilm(tools: CDPSession, { device }: WatchPage): Promise<Film> {
  const frames: Frame[] = [];
  tools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    if (metadata.timestamp !== undefined) frames.push({ atMs: metadata.timestamp * 1_000, jpeg: Buffer.from(data, 'base64') });
    void tools.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await tools.send('Page.startScreencast', { format: 'jpeg', quality: FRAME_QUALITY, ...FRAME_SIZE[device] });
  return { framesFrom: (originMs) => frames.map(({ atMs, jpeg }) => ({ atMs: atMs - originMs, jpeg })) };
}

/** Pictures that come while the one before is on its way are lost: where that was the last one, the page is looked at once more, as it was from the largest paint on. */
async function withLastLook(frames: Frame[], reading: PageReading, tools: CDPSession, { device }: WatchPage): Promise<Frame[]> {
  const atMs = largestPaintOf(reading);
  if (atMs === null || frames.some((frame) => frame.atMs >= atMs)) return frames;
  const { width, height } = SCREENS[device].viewport;
  const { maxWidth, maxHeight } = FRAME_SIZE[device];
  try {
    const { data } = await tools.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: FRAME_QUALITY,
      clip: { x: 0, y: 0, width, height, scale: Math.min(maxWidth / width, maxHeight / height) },
    });
    return [...frames, { atMs, jpeg: Buffer.from(data, 'base64') }];
  } catch {
    return frames;
  }
}

/** Opens the page until it has loaded. What came may be the page of an error. */
async function open(page: Page, address: string): Promise<{ readonly isThere: boolean; readonly problem: string | null }> {
  // A refusal without a page of its own gets one of the browser's, and no answer here.
  let status: number | null = null;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) status = response.status();
  });
  try {
    const response = await page.goto(address, { waitUntil: 'load', timeout: LONGEST_VISIT_MS });
    return { isThere: true, problem: response !== null && response.status() >= 400 ? `status ${response.status()}` : null };
  } catch (thrown) {
    return { isThere: false, problem: status !== null && status >= 400 ? `status ${status}` : wordsOf(thrown) };
  }
}

function wordsOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const [, code] = /net::(ERR_\w+)/.exec(message) ?? [];
  if (code !== undefined) return code;
  return /Timeout/.test(message) ? `did not load within ${LONGEST_VISIT_MS / 1_000} s` : 'the browser could not open it';
}

async function readPage(page: Page): Promise<PageReading | null> {
  await page.waitForLoadState('networkidle', { timeout: MOST_LATER_MS }).catch(() => {});
  try {
    return pageReadingSchema.parse(await page.evaluate(PAGE_READER));
  } catch {
    return null;
  }
}

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** For how long tasks of the page's thread stood still: how long they took, less the processor time of that thread. null where the browser does not tell. */
async function starvedOf(tools: CDPSession): Promise<number | null> {
  try {
    const { metrics } = metricsSchema.parse(await tools.send('Performance.getMetrics'));
    const value = (name: string): number | undefined => metrics.find((metric) => metric.name === name)?.value;
    const [tasks, thread] = [value('TaskDuration'), value('ThreadTime')];
    return tasks === undefined || thread === undefined ? null : Math.max(0, tasks - thread) * 1_000;
  } catch {
    return null;
  }
}

const processesSchema = z.object({ processInfo: z.array(z.object({ cpuTime: z.number() })) });

async function machineReading({
  browser,
  readProcessors,
}: Pick<Visitor, 'browser' | 'readProcessors'>): Promise<{ cpuMs: number | null; processors: CpuTimes | null }> {
  const processors = await readProcessors();
  try {
    const tools = await browser.newBrowserCDPSession();
    const { processInfo } = processesSchema.parse(await tools.send('SystemInfo.getProcessInfo'));
    await tools.detach();
    return { cpuMs: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1_000, processors };
  } catch {
    return { cpuMs: null, processors };
  }
}

/** Share of the time of all processors that the hypervisor took; null where its computer does not tell. */
function stealBetween(before: CpuTimes | null, after: CpuTimes | null): number | null {
  return before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null);
}
