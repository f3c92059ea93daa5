import { z } from 'zod';

/** What a page's own observers say of one visit; times in ms from the start of its navigation. */
export const pageReadingSchema = z.object({
  /** Of the first byte of the document; null where the page was not reached. */
  firstByteMs: z.number().nullable(),
  firstPaintMs: z.number().nullable(),
  /** The end of DOMContentLoaded. */
  interactiveMs: z.number(),
  /** Candidates for the largest paint: the last one counts. */
  largest: z.array(z.number()),
  shifts: z.array(z.object({ atMs: z.number(), value: z.number() })),
  /** Tasks of 50 ms or longer. */
  tasks: z.array(z.object({ atMs: z.number(), tookMs: z.number() })),
  /** When the navigation began, in ms since 1970: what frames of the film are laid on. */
  originMs: z.number(),
});
export type PageReading = z.infer<typeof pageReadingSchema>;

/** From the first paint on, a page is usable once for so long no task keeps its thread. */
export const QUIET_MS = 500;
/** No page is waited for any longer once it has loaded. */
const MOST_AFTER_LOAD_MS = 5_000;

/**
 * Runs in the page once it has loaded: waits until its thread is quiet, then gives what its observers have buffered. Nothing of it is there while the page
 * loads, and it leaves nothing behind.
 */
export const PAGE_READER = `(async () => {
  const largest = [], shifts = [], tasks = [];
  const observers = [];
  const observe = (type, take) => {
    try {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
      observer.observe({ type, buffered: true });
      observers.push(observer);
    } catch {}
  };
  observe('largest-contentful-paint', (entry) => largest.push(entry.startTime));
  observe('layout-shift', (entry) => entry.hadRecentInput || shifts.push({ atMs: entry.startTime, value: entry.value }));
  observe('longtask', (entry) => tasks.push({ atMs: entry.startTime, tookMs: entry.duration }));
  const began = performance.now();
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  await new Promise((resolve) => setTimeout(resolve));
  for (;;) {
    const now = performance.now();
    const last = Math.max(painted ? painted.startTime : began, ...tasks.map(({ atMs, tookMs }) => atMs + tookMs));
    if (now - last >= ${QUIET_MS} || now - began >= ${MOST_AFTER_LOAD_MS}) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const observer of observers) observer.disconnect();
  const [navigation] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return {
    firstByteMs: navigation && navigation.responseStart > 0 ? navigation.responseStart : null,
    firstPaintMs: paint ? paint.startTime : null,
    interactiveMs: navigation ? navigation.domContentLoadedEventEnd : 0,
    largest, shifts, tasks,
    originMs: performance.timeOrigin,
  };
})()`;

/** When the largest part of the page was painted; null where nothing was. */
export function largestPaintOf({ largest }: PageReading): number | null {
  return largest.at(-1) ?? null;
}

/** What a page says since an instant of the browser's clock: of a document that came then, or of one that had been there. */
export function readingSince(reading: PageReading, sinceMs: number, isOther: boolean): PageReading {
  // Where the page was left by the click, its navigation began at the click or after it.
  const offset = isOther ? Math.max(0, reading.originMs - sinceMs) : reading.originMs - sinceMs;
  const later = (ms: number | null): number | null => (ms === null ? null : ms + offset);
  const moved = reading.shifts.map(({ atMs, value }) => ({ atMs: atMs + offset, value }));
  const tasks = reading.tasks.map(({ atMs, tookMs }) => ({ atMs: atMs + offset, tookMs }));
  return {
    firstByteMs: later(reading.firstByteMs),
    firstPaintMs: later(reading.firstPaintMs),
    interactiveMs: reading.interactiveMs + offset,
    largest: reading.largest.map((ms) => ms + offset),
    shifts: moved.filter(({ atMs }) => atMs >= 0),
    tasks: tasks.filter(({ atMs, tookMs }) => atMs + tookMs > 0),
    originMs: sinceMs,
  };
}

/** A session of shifts ends with a second without one, and lasts five seconds at most. */
const SESSION_GAP_MS = 1_000;
const LONGEST_SESSION_MS = 5_000;

/** Cumulative layout shift: the largest sum of a session of shifts (web.dev, “Evolving the CLS metric”). */
export function layoutShiftOf({ shifts }: Pick<PageReading, 'shifts'>): number {
  let largest = 0;
  let session = { sum: 0, fromMs: Number.NEGATIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY };
  for (const { atMs, value } of shifts.toSorted((one, other) => one.atMs - other.atMs)) {
    const goesOn = atMs - session.lastMs < SESSION_GAP_MS && atMs - session.fromMs < LONGEST_SESSION_MS;
    session = goesOn ? { ...session, sum: session.sum + value, lastMs: atMs } : { sum: value, fromMs: atMs, lastMs: atMs };
    largest = Math.max(largest, session.sum);
  }
  return largest;
}

/**
 * From when on somebody can use the page: after the first paint and after its own scripts have run, the end of the last long task before half a second
 * without any. null where nothing was painted.
 */
export function usableFrom({
  firstPaintMs,
  interactiveMs,
  tasks,
}: Pick<PageReading, 'firstPaintMs' | 'interactiveMs' | 'tasks'>): number | null {
  if (firstPaintMs === null) return null;
  let usable = firstPaintMs;
  for (const { atMs, tookMs } of tasks.toSorted((one, other) => one.atMs - other.atMs)) {
    const endMs = atMs + tookMs;
    if (endMs <= usable) continue;
    if (atMs - usable >= QUIET_MS) break;
    usable = endMs;
  }
  return Math.max(usable, interactiveMs);
}
