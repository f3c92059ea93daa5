import type { BrowserContext, Page } from 'playwright-core';
import type { Visit } from '#core/result/visits.ts';
import { clickAndTime } from './click.ts';
import { type Frame, pickFilmstrip } from './film.ts';
import { getLayoutShift, findLargestPaint, PAGE_READER, type PageReading, pageReadingSchema, usableMsOf } from './pageTimes.ts';
import { openTab, type Tab, type Visitor } from './tab.ts';

/** The findings of a visit, without its position in the run. */
export type VisitFindings = Omit<Visit, 'number' | 'page' | 'when' | 'second'>;

export interface SeenVisit {
  /** Start of the navigation on the clock of `nowMs`. */
  readonly beganMs: number;
  readonly seen: VisitFindings;
  readonly frames: readonly Frame[];
}

/** Time limit for loading a page. */
export const MAX_VISIT_MS = 60_000;
/** Maximum time to wait for requests that are outstanding after the page has loaded. */
const MAX_LATER_MS = 3_000;

/**
 * Makes one visit in a browser context: opens the page, waits until the page has loaded and is quiet, and reads its performance observers.
 * Rejects only if the browser has ended.
 */
export async function visitPage(visitor: Visitor, context: BrowserContext): Promise<SeenVisit> {
  const tab = await openTab(visitor, context);
  try {
    return await seePage(tab, visitor.address, visitor.page.click);
  } finally {
    await tab.close();
  }
}

/** Opens an address in a tab, and optionally clicks there. */
export async function seePage(tab: Tab, address: string, click?: string): Promise<SeenVisit> {
  const { page } = tab;
  const stretch = await tab.begin();
  const opened = await open(tab, address);
  const reading = opened.isThere ? await readPage(page) : null;
  // These frames are taken before the click, because the click changes the picture.
  const untouched = click === undefined ? null : await pickPictures(tab, reading);
  const clicked = click === undefined || reading === null ? null : await clickAndTime(page, click);
  const rest = await stretch.end();
  const failed = opened.problem ?? (reading === null ? NO_RESPONSE : null);
  return {
    beganMs: stretch.beganMs,
    seen: {
      ...loadingTimesOf(reading),
      ...rest,
      clickMs: clicked?.clickMs ?? null,
      problem: failed ?? (reading?.largest.length === 0 ? 'nothing was painted' : (clicked?.problem ?? null)),
    },
    frames: pickFilmstrip(untouched ?? (await pickPictures(tab, reading))),
  };
}

/** Returns the loading times that a page reports. */
export function loadingTimesOf(
  reading: PageReading | null,
): Pick<VisitFindings, 'firstByteMs' | 'firstPaintMs' | 'largestPaintMs' | 'usableMs' | 'layoutShift'> {
  return {
    firstByteMs: reading?.firstByteMs ?? null,
    firstPaintMs: reading?.firstPaintMs ?? null,
    largestPaintMs: reading && findLargestPaint(reading),
    usableMs: reading && usableMsOf(reading),
    layoutShift: reading && getLayoutShift(reading),
  };
}

/**
 * Returns the frames of the page, at least up to the largest paint. Frames that arrive while another is being acknowledged are lost. If the
 * last one was lost, a screenshot replaces it.
 */
async function pickPictures(tab: Tab, reading: PageReading | null): Promise<Frame[]> {
  if (reading === null) return [];
  const frames = tab.framesFrom(reading.originMs);
  const atMs = findLargestPaint(reading);
  if (atMs === null || frames.some((frame) => frame.atMs >= atMs)) return frames;
  const jpeg = await tab.look();
  return jpeg === null ? frames : [...frames, { atMs, jpeg }];
}

/** Opens the page and waits until it has loaded. The loaded page may be an error page. */
async function open({ page, refusals }: Tab, address: string): Promise<{ readonly isThere: boolean; readonly problem: string | null }> {
  try {
    const response = await page.goto(address, { waitUntil: 'load', timeout: MAX_VISIT_MS });
    return { isThere: true, problem: response === null ? null : findRefusal(response.status()) };
  } catch (thrown) {
    return { isThere: false, problem: findRefusal(refusals.status) ?? getWords(thrown) };
  }
}

/** Returns the problem of a document with an error status (400 or above); null for other statuses. */
export function findRefusal(status: number | null): string | null {
  return status !== null && status >= 400 ? `status ${status}` : null;
}

export const NO_RESPONSE = 'the page did not respond to the browser';
export const NOT_LOADED = `did not load within ${MAX_VISIT_MS / 1_000} s`;

function getWords(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return netErrorIn(message) ?? (/Timeout/.test(message) ? NOT_LOADED : 'the browser could not open it');
}

/** Returns the error name in a browser message, such as `ERR_CONNECTION_REFUSED`, or null. */
export function netErrorIn(message: string): string | null {
  return /net::(ERR_\w+)/.exec(message)?.[1] ?? null;
}

/** Waits until a page is quiet, and reads its performance observers. Returns null if the page does not respond. */
export async function readPage(page: Page): Promise<PageReading | null> {
  await page.waitForLoadState('networkidle', { timeout: MAX_LATER_MS }).catch(() => {});
  try {
    return pageReadingSchema.parse(await page.evaluate(PAGE_READER));
  } catch {
    return null;
  }
}
