import { setTimeout as after } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { CSS_CLICK } from '#core/plan/schema/watchPages.ts';

/** What is to be clicked has to be there, visible and still, within this time of the page being usable. */
const MOST_SEARCH_MS = 5_000;
/** A click that shows nothing for longer has failed. */
const MOST_CLICK_MS = 10_000;
/** Event Timing reports what took two frames at 60 Hz or more. */
const LEAST_REPORTED_MS = 16;
/** It does so once the frame is on the screen: a little after the page has drawn it. */
const REPORT_MS = 250;

export interface Clicked {
  /** From the click until the next paint; null where the click has left the page, or was not made. */
  readonly clickMs: number | null;
  /** Why it was not made, or showed nothing. */
  readonly problem: string | null;
}

/** Runs in the page from just before the click: waits for it, and then for the next paint. */
const PAGE_CLOCK = `new Promise((resolve) => {
  let reported = null, framed = null;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) reported = Math.max(reported ?? 0, entry.duration);
  });
  observer.observe({ type: 'event', durationThreshold: ${LEAST_REPORTED_MS} });
  addEventListener('click', ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => {
    framed = performance.now() - timeStamp;
    setTimeout(() => { observer.disconnect(); resolve(reported ?? framed); }, ${REPORT_MS});
  })), { capture: true, once: true });
})`;

const readingSchema = z.number().min(0).max(MOST_CLICK_MS);

/**
 * Clicks and waits for what the page shows next. The time is the longest that Event Timing reports of the interaction, in steps of 8 ms; of one that is too
 * short for it, until the page has drawn its next frame. Never rejects.
 */
export async function clickAndTime(page: Page, click: string): Promise<Clicked> {
  // What opens beside the page is nobody's to see.
  page.on('popup', (popup) => void popup.close().catch(() => {}));
  const painted: Promise<unknown> = page.evaluate(PAGE_CLOCK).catch(() => null);
  try {
    await placeOf(page, click).click({ timeout: MOST_SEARCH_MS, noWaitAfter: true });
  } catch {
    return { clickMs: null, problem: `“${click}” could not be clicked` };
  }
  const taken = await Promise.race([painted, after(MOST_CLICK_MS, 'late', { ref: false })]);
  if (taken === 'late') return { clickMs: null, problem: `nothing was painted after the click on “${click}”` };
  return { clickMs: readingSchema.safeParse(taken).data ?? null, problem: null };
}

/** The first of its kind that is to be seen. */
function placeOf(page: Page, click: string): Locator {
  if (click.startsWith(CSS_CLICK)) return page.locator(click).filter({ visible: true }).first();
  const named = { name: click, exact: true };
  return page.getByRole('button', named).or(page.getByRole('link', named)).filter({ visible: true }).first();
}
