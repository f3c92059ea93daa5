import type { BrowserContext, Page } from 'playwright-core';
import type { Visit } from '#core/result/visit.ts';
import { clickAndTime } from './click.ts';
import { type Frame, filmstripOf } from './film.ts';
import { layoutShiftOf, largestPaintOf, PAGE_READER, type PageReading, pageReadingSchema, usableFrom } from './pageTimes.ts';
import { openTab, type Tab, type Visitor } from './tab.ts';

/** What a visit finds out; where it belongs in the run is added by those who asked for it. */
export type Seen = Omit<Visit, 'number' | 'page' | 'when' | 'second'>;

export interface SeenVisit {
  /** When the navigation began, on the clock of `nowMs`. */
  readonly beganMs: number;
  readonly seen: Seen;
  readonly frames: readonly Frame[];
}

/** A page that takes longer was not seen. */
export const LONGEST_VISIT_MS = 60_000;
/** What a page loads after it has loaded is waited for, unless it never ends. */
const MOST_LATER_MS = 3_000;

/** One visit in a context: opens the page, waits until it is loaded and quiet, and asks it what it saw. Rejects only where the browser itself is gone. */
export async function visitPage(visitor: Visitor, context: BrowserContext): Promise<SeenVisit> {
  const tab = await openTab(visitor, context);
  try {
    return await seePage(tab, visitor.address, visitor.page.click);
  } finally {
    await tab.close();
  }
}

/** Opens an address in a tab, and clicks there where that is wanted. */
export async function seePage(tab: Tab, address: string, click?: string): Promise<SeenVisit> {
  const { page } = tab;
  const stretch = await tab.begin();
  const opened = await open(tab, address);
  const reading = opened.isThere ? await readPage(page) : null;
  // A click changes what there is to see.
  const untouched = click === undefined ? null : await picturesOf(tab, reading);
  const clicked = click === undefined || reading === null ? null : await clickAndTime(page, click);
  const rest = await stretch.end();
  const failed = opened.problem ?? (reading === null ? NO_RESPONSE : null);
  return {
    beganMs: stretch.beganMs,
    seen: {
      ...timesOf(reading),
      ...rest,
      clickMs: clicked?.clickMs ?? null,
      problem: failed ?? (reading?.largest.length === 0 ? 'nothing was painted' : (clicked?.problem ?? null)),
    },
    frames: filmstripOf(untouched ?? (await picturesOf(tab, reading))),
  };
}

/** What a page says of its own loading. */
export function timesOf(
  reading: PageReading | null,
): Pick<Seen, 'firstByteMs' | 'firstPaintMs' | 'largestPaintMs' | 'usableMs' | 'layoutShift'> {
  return {
    firstByteMs: reading?.firstByteMs ?? null,
    firstPaintMs: reading?.firstPaintMs ?? null,
    largestPaintMs: reading && largestPaintOf(reading),
    usableMs: reading && usableFrom(reading),
    layoutShift: reading && layoutShiftOf(reading),
  };
}

/** Pictures that come while the one before is on its way are lost: where that was the last one, the page is looked at once more, as it was from the largest paint on. */
async function picturesOf(tab: Tab, reading: PageReading | null): Promise<Frame[]> {
  if (reading === null) return [];
  const frames = tab.framesFrom(reading.originMs);
  const atMs = largestPaintOf(reading);
  if (atMs === null || frames.some((frame) => frame.atMs >= atMs)) return frames;
  const jpeg = await tab.look();
  return jpeg === null ? frames : [...frames, { atMs, jpeg }];
}

/** Opens the page until it has loaded. What came may be the page of an error. */
async function open({ page, refusals }: Tab, address: string): Promise<{ readonly isThere: boolean; readonly problem: string | null }> {
  try {
    const response = await page.goto(address, { waitUntil: 'load', timeout: LONGEST_VISIT_MS });
    return { isThere: true, problem: response === null ? null : refusalOf(response.status()) };
  } catch (thrown) {
    return { isThere: false, problem: refusalOf(refusals.status) ?? wordsOf(thrown) };
  }
}

/** What a status of a document says that is a refusal; null for others. */
export function refusalOf(status: number | null): string | null {
  return status !== null && status >= 400 ? `status ${status}` : null;
}

export const NO_RESPONSE = 'the page did not respond to the browser';
export const NOT_LOADED = `did not load within ${LONGEST_VISIT_MS / 1_000} s`;

function wordsOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return netErrorIn(message) ?? (/Timeout/.test(message) ? NOT_LOADED : 'the browser could not open it');
}

/** `ERR_CONNECTION_REFUSED` in what a browser says; null where it names none. */
export function netErrorIn(message: string): string | null {
  return /net::(ERR_\w+)/.exec(message)?.[1] ?? null;
}

/** Waits until a page is quiet, and asks it; null where it does not respond. */
export async function readPage(page: Page): Promise<PageReading | null> {
  await page.waitForLoadState('networkidle', { timeout: MOST_LATER_MS }).catch(() => {});
  try {
    return pageReadingSchema.parse(await page.evaluate(PAGE_READER));
  } catch {
    return null;
  }
}
