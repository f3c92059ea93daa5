import { z } from 'zod';

/** Values from a page's own performance observers for one visit, in ms from the start of the navigation. */
export const pageReadingSchema = z.object({
  /** Time of the document's first byte; null if the page was not reached. */
  firstByteMs: z.number().nullable(),
  firstPaintMs: z.number().nullable(),
  /** Time of the end of DOMContentLoaded. */
  interactiveMs: z.number(),
  /** Times of the candidates for the largest paint. The last candidate is the largest paint. */
  largest: z.array(z.number()),
  shifts: z.array(z.object({ atMs: z.number(), value: z.number() })),
  /** Tasks of 50 ms or longer. */
  tasks: z.array(z.object({ atMs: z.number(), tookMs: z.number() })),
  /** Start of the navigation in ms since 1970. Times of film frames are relative to it. */
  originMs: z.number(),
});
export type PageReading = z.infer<typeof pageReadingSchema>;

/** Duration without a long task, after the first paint, that makes a page usable. */
export const QUIET_MS = 500;
/** Maximum time to wait, after the page has loaded, until it is usable. */
const MAX_AFTER_LOAD_MS = 5_000;

/**
 * Runs in the page after the page has loaded: waits until the main thread is quiet, then returns what the performance observers have
 * buffered. Nothing of this script exists while the page loads, and nothing remains afterwards.
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
    if (now - last >= ${QUIET_MS} || now - began >= ${MAX_AFTER_LOAD_MS}) break;
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

/** Returns the time of the largest contentful paint, or null if nothing has been painted. */
export function findLargestPaint({ largest }: PageReading): number | null {
  return largest.at(-1) ?? null;
}

/**
 * Returns a reading with times relative to `sinceMs` on the browser's clock. `isOther` is true if the reading is of a document that was
 * opened after that time.
 */
export function shiftReading(reading: PageReading, sinceMs: number, isOther: boolean): PageReading {
  // A navigation caused by the click begins no earlier than the click.
  const offset = isOther ? Math.max(0, reading.originMs - sinceMs) : reading.originMs - sinceMs;
  const shift = (ms: number | null): number | null => (ms === null ? null : ms + offset);
  const moved = reading.shifts.map(({ atMs, value }) => ({ atMs: atMs + offset, value }));
  const tasks = reading.tasks.map(({ atMs, tookMs }) => ({ atMs: atMs + offset, tookMs }));
  return {
    firstByteMs: shift(reading.firstByteMs),
    firstPaintMs: shift(reading.firstPaintMs),
    interactiveMs: reading.interactiveMs + offset,
    largest: reading.largest.map((ms) => ms + offset),
    shifts: moved.filter(({ atMs }) => atMs >= 0),
    tasks: tasks.filter(({ atMs, tookMs }) => atMs + tookMs > 0),
    originMs: sinceMs,
  };
}

/** A session of layout shifts ends after a second without a shift, and after five seconds at the latest. */
const SESSION_GAP_MS = 1_000;
const MAX_SESSION_MS = 5_000;

/** Returns the cumulative layout shift: the largest sum of shifts in a session (web.dev, “Evolving the CLS metric”). */
export function getLayoutShift({ shifts }: Pick<PageReading, 'shifts'>): number {
  let largest = 0;
  let session = { sum: 0, fromMs: Number.NEGATIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY };
  for (const { atMs, value } of shifts.toSorted((one, other) => one.atMs - other.atMs)) {
    const goesOn = atMs - session.lastMs < SESSION_GAP_MS && atMs - session.fromMs < MAX_SESSION_MS;
    session = goesOn ? { ...session, sum: session.sum + value, lastMs: atMs } : { sum: value, fromMs: atMs, lastMs: atMs };
    largest = Math.max(largest, session.sum);
  }
  return largest;
}

/**
 * Returns when the page becomes usable: after the first paint and the page's own scripts, at the end of the last long task before half a
 * second without a long task. Returns null if nothing has been painted.
 */
export function usableMsOf({
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
