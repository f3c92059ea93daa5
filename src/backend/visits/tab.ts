import type { BrowserContext, BrowserContextOptions, CDPSession, Page, Request } from 'playwright-core';
import { z } from 'zod';
import type { WatchPage } from '#core/plan/schema/watchPages.ts';
import { LINE_PROFILES } from '#core/plan/watchPages.ts';
import type { Visit } from '#core/result/visits.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { type CpuTimes, cpuShares } from '#engine/procFiles.ts';
import type { PlacedBrowser } from './browser.ts';
import { FRAME_QUALITY, FRAME_SIZE, type Frame } from './film.ts';
import { addName, truncateName } from '#core/base/foreignNames.ts';
import { hostOf, pathOf } from '#core/plan/url.ts';

export interface Visitor extends Pick<PlacedBrowser, 'browser' | 'readProcessors'> {
  readonly page: WatchPage;
  readonly address: string;
  /** Hosts that the browser may reach. */
  readonly allowed: ReadonlySet<string>;
  /** Text that is appended to the browser's own User-Agent; empty if the plan hides Holdfast. */
  readonly identity: string;
  readonly ignoresCertificates: boolean;
}

/** Screens of a notebook, and of the phone that Lighthouse emulates. */
const SCREENS = {
  desktop: { viewport: { width: 1_280, height: 800 } },
  phone: { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true },
} satisfies Record<WatchPage['device'], BrowserContextOptions>;

/** Creates a browser context for a first visit, with nothing stored and nothing cached. */
export function freshContext({ browser, page, identity, ignoresCertificates }: Visitor): Promise<BrowserContext> {
  return browser.newContext({
    ...SCREENS[page.device],
    userAgent: getUserAgent(browser.version(), page.device, identity),
    ignoreHTTPSErrors: ignoresCertificates,
    // Downloads are refused, because they are not needed and a remote browser would store them under random names.
    acceptDownloads: false,
  });
}

function getUserAgent(version: string, device: WatchPage['device'], identity: string): string {
  const chrome = `Chrome/${version.split('.', 1)[0] ?? '0'}.0.0.0`;
  const own =
    device === 'phone'
      ? `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Mobile Safari/537.36`
      : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Safari/537.36`;
  return identity === '' ? own : `${own} ${identity}`;
}

/** Measurements of a span of a tab, in addition to the page's own times. */
export type SpanMeasurement = Pick<Visit, 'tookMs' | 'requests' | 'missing' | 'leftOut' | 'browserCpuMs' | 'starvedMs' | 'steal'>;

/** Status and error of the last document. */
interface Refusals {
  status: number | null;
  failure: string | null;
}

/** A tab of a visitor. Frames are collected and requests counted while it is open. */
export interface Tab {
  readonly page: Page;
  readonly traffic: PageTraffic;
  /** Refusals of documents in the current span. */
  readonly refusals: Readonly<Refusals>;
  /** Begins a span. `end` ends the span and returns its measurements. `beganMs` is on the clock of `nowMs`. */
  begin(): Promise<{ readonly beganMs: number; end(): Promise<SpanMeasurement> }>;
  /**
   * Returns the frames since the tab was opened. Their times are relative to `originMs`, which is in ms since 1970 by the browser's clock.
   */
  framesFrom(originMs: number): Frame[];
  /** Returns a screenshot, or null if the browser returns none. */
  look(): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** Opens a tab in a context. Rejects only if the browser has ended. */
export async function openTab(visitor: Visitor, context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const { device } = visitor.page;
  const tools = await context.newCDPSession(page);
  await prepare(tools, visitor.page);
  const frames = await startFilm(tools, visitor.page);
  const traffic = new PageTraffic(page, visitor.allowed);
  const refusals = watchRefusals(page);
  return {
    page,
    traffic,
    refusals,
    async begin() {
      const before = await machineReading(visitor);
      const stood = await taskTimes(tools);
      traffic.begin();
      refusals.status = refusals.failure = null;
      const beganMs = nowMs();
      return {
        beganMs,
        async end() {
          const tookMs = nowMs() - beganMs;
          const starvedMs = starvedBetween(stood, await taskTimes(tools));
          const after = await machineReading(visitor);
          return {
            tookMs,
            ...traffic.readCounts(),
            browserCpuMs: before.cpuMs === null || after.cpuMs === null ? null : Math.max(0, after.cpuMs - before.cpuMs),
            starvedMs,
            steal: stealBetween(before.processors, after.processors),
          };
        },
      };
    },
    framesFrom: (originMs) => frames.map(({ atMs, jpeg }) => ({ atMs: atMs - originMs, jpeg })),
    look: () => getPicture(tools, device),
    close: () => page.close().catch(() => {}),
  };
}

function watchRefusals(page: Page): Refusals {
  // After a failed request, the browser shows its own error page and reports no response.
  const refusals: Refusals = { status: null, failure: null };
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) refusals.status = response.status();
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Redirecting pages and downloads also abort a navigation, so that is not an error.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame() && why !== 'net::ERR_ABORTED') refusals.failure = why;
  });
  return refusals;
}

async function prepare(tools: CDPSession, { line }: WatchPage): Promise<void> {
  await tools.send('Performance.enable', { timeDomain: 'timeTicks' });
  const profile = LINE_PROFILES[line];
  if (profile === null) return;
  // Emulation requires that the network domain is enabled.
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: profile.latencyMs,
    downloadThroughput: profile.downloadBytesPerSecond,
    uploadThroughput: profile.uploadBytesPerSecond,
  });
}

/** Starts collecting frames. The browser sends a frame when the picture changes, but only after the previous frame was acknowledged. */
async function startFilm(tools: CDPSession, { device }: WatchPage): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  tools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    if (metadata.timestamp !== undefined) frames.push({ atMs: metadata.timestamp * 1_000, jpeg: Buffer.from(data, 'base64') });
    void tools.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await tools.send('Page.startScreencast', { format: 'jpeg', quality: FRAME_QUALITY, ...FRAME_SIZE[device] });
  return frames;
}

async function getPicture(tools: CDPSession, device: WatchPage['device']): Promise<Buffer | null> {
  const { width, height } = SCREENS[device].viewport;
  const { maxWidth, maxHeight } = FRAME_SIZE[device];
  try {
    const { data } = await tools.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: FRAME_QUALITY,
      clip: { x: 0, y: 0, width, height, scale: Math.min(maxWidth / width, maxHeight / height) },
    });
    return Buffer.from(data, 'base64');
  } catch {
    return null;
  }
}

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** Returns the duration of main-thread tasks minus the CPU time of that thread, in ms, or null if unknown. */
async function taskTimes(tools: CDPSession): Promise<number | null> {
  try {
    const { metrics } = metricsSchema.parse(await tools.send('Performance.getMetrics'));
    const metricValue = (name: string): number | undefined => metrics.find((metric) => metric.name === name)?.value;
    const [tasks, thread] = [metricValue('TaskDuration'), metricValue('ThreadTime')];
    return tasks === undefined || thread === undefined ? null : (tasks - thread) * 1_000;
  } catch {
    return null;
  }
}

/** Returns how long tasks waited for CPU time. If a document was loaded in another process, the counters restarted from zero. */
function starvedBetween(before: number | null, after: number | null): number | null {
  if (after === null) return null;
  return Math.max(0, before === null || after < before ? after : after - before);
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

/** Returns the share of processor time that the hypervisor stole, or null if unknown. */
function stealBetween(before: CpuTimes | null, after: CpuTimes | null): number | null {
  return before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null);
}

const MAX_NAME_LENGTH = 80;

/** Types of requests that stay open or that no user waits for. */
const IGNORED_TYPES: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'ping']);

/** The requests of a page since the current span began. */
class PageTraffic {
  private requests = 0;
  private missing: Record<string, number> = {};
  private leftOut: Record<string, number> = {};
  private readonly missed = new Set<Request>();
  /** Outstanding requests of the current span. */
  private readonly open = new Set<Request>();
  private lastResponse: number | null = null;
  private readonly allowed: ReadonlySet<string>;

  constructor(page: Page, allowed: ReadonlySet<string>) {
    this.allowed = allowed;
    page.on('request', (request) => {
      if (!this.isAllowed(request)) return;
      this.requests += 1;
      if (!IGNORED_TYPES.has(request.resourceType())) this.open.add(request);
    });
    page.on('requestfailed', (request) => {
      this.open.delete(request);
      if (this.isAllowed(request)) this.addMissing(request, request.failure()?.errorText ?? 'failed');
      else addName(this.leftOut, truncateName(hostOf(request.url()), MAX_NAME_LENGTH));
    });
    page.on('requestfinished', (request) => {
      if (!this.open.delete(request)) return;
      const { startTime, responseEnd } = request.timing();
      if (responseEnd >= 0) this.lastResponse = Math.max(this.lastResponse ?? 0, startTime + responseEnd);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.addMissing(response.request(), String(response.status()));
    });
  }

  /** Starts a new span. */
  begin(): void {
    this.requests = 0;
    this.missing = {};
    this.leftOut = {};
    this.missed.clear();
    this.open.clear();
    this.lastResponse = null;
  }

  readCounts(): Pick<Visit, 'requests' | 'missing' | 'leftOut'> {
    return { requests: this.requests, missing: { ...this.missing }, leftOut: { ...this.leftOut } };
  }

  /** Whether requests of this span are outstanding. When the page navigates away, the requests of the old page are dropped. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** Whether a document request is outstanding. */
  get isLeaving(): boolean {
    return [...this.open].some(isDocument);
  }

  /** Time of the last response in this span, in ms since 1970 by the browser's clock, or null. */
  get lastResponseMs(): number | null {
    return this.lastResponse;
  }

  private isAllowed(request: Request): boolean {
    return !URL.canParse(request.url()) || this.allowed.has(new URL(request.url()).hostname) || !/^(?:http|ws)s?:/.test(request.url());
  }

  /**
   * Adds a missing file. Only its path is reported, because a query may contain private data. The document itself is reported separately.
   */
  private addMissing(request: Request, reason: string): void {
    if (this.missed.has(request) || isDocument(request)) return;
    this.missed.add(request);
    addName(this.missing, truncateName(`${pathOf(request.url())}: ${reason}`, MAX_NAME_LENGTH));
  }
}

function isDocument(request: Request): boolean {
  return request.isNavigationRequest() && request.frame().parentFrame() === null;
}
