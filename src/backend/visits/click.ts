import { setTimeout as after } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { CSS_CLICK } from '#core/plan/schema/watchPages.ts';

/** Maximum time until the element to click is present, visible and still. */
const MAX_SEARCH_MS = 5_000;
/** Maximum time until a click causes a paint. A click that takes longer has failed. */
const MAX_CLICK_MS = 10_000;
/** Minimum duration of interactions that Event Timing reports: two frames at 60 Hz. */
const MIN_REPORTED_MS = 16;
/** Time after which Event Timing has reported a frame that was painted. */
const REPORT_MS = 250;

export interface Clicked {
  /** Time of the click in ms since 1970, by the browser's clock; null if unknown. */
  readonly atMs: number | null;
  /** Time from the click to the next paint; null if the click left the page or did not happen. */
  readonly clickMs: number | null;
  /** Why the click failed or nothing was painted. */
  readonly problem: string | null;
}

/** Runs in the page from just before the click. Waits for the click, then for the next paint. */
const PAGE_CLOCK = `new Promise((resolve) => {
  let reported = null, framed = null;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) reported = Math.max(reported ?? 0, entry.duration);
  });
  observer.observe({ type: 'event', durationThreshold: ${MIN_REPORTED_MS} });
  const begun = new AbortController();
  for (const kind of ['click', 'keydown']) addEventListener(kind, ({ timeStamp }) => {
    begun.abort();
    requestAnimationFrame(() => setTimeout(() => {
      framed = performance.now() - timeStamp;
      setTimeout(() => { observer.disconnect(); resolve(reported ?? framed); }, ${REPORT_MS});
    }));
  }, { capture: true, signal: begun.signal });
})`;

/** Also runs in the page. Returns the time of the click even if the click leaves the page. */
const PAGE_INSTANT = `new Promise((resolve) => {
  const begun = new AbortController();
  for (const kind of ['click', 'keydown']) addEventListener(kind, ({ timeStamp }) => {
    begun.abort();
    resolve(performance.timeOrigin + timeStamp);
  }, { capture: true, signal: begun.signal });
})`;

const readingSchema = z.number().min(0).max(MAX_CLICK_MS);
const instantSchema = z.number();
/** Maximum time until the page notices a click. */
const MAX_NOTICE_MS = 1_000;

/**
 * Clicks and waits for the next paint. The time is the duration of the interaction's longest Event Timing entry, in steps of 8 ms. For
 * interactions that are too short for an entry, it is the time to the next animation frame. Never rejects.
 */
export function clickAndTime(page: Page, click: string): Promise<Clicked> {
  const place = findVisible(page, click);
  return timeAction(page, click, () => place.click({ timeout: MAX_SEARCH_MS, noWaitAfter: true }));
}

/** Presses Enter in a field, and waits like `clickAndTime`. Never rejects. */
export function enterAndTime(page: Page, field: string): Promise<Clicked> {
  const place = fieldOf(page, field);
  return timeAction(page, field, () => place.press('Enter', { timeout: MAX_SEARCH_MS, noWaitAfter: true }));
}

async function timeAction(page: Page, name: string, act: () => Promise<void>): Promise<Clicked> {
  const noticed: Promise<unknown> = page.evaluate(PAGE_INSTANT).catch(() => null);
  const painted: Promise<unknown> = page.evaluate(PAGE_CLOCK).catch(() => null);
  try {
    await act();
  } catch {
    return { atMs: null, clickMs: null, problem: `“${name}” could not be clicked` };
  }
  const instant = await Promise.race([noticed, after(MAX_NOTICE_MS, null, { ref: false })]);
  const atMs = instantSchema.safeParse(instant).data ?? null;
  const taken = await Promise.race([painted, after(MAX_CLICK_MS, 'late', { ref: false })]);
  if (taken === 'late') return { atMs, clickMs: null, problem: `nothing was painted after the click on “${name}”` };
  return { atMs, clickMs: readingSchema.safeParse(taken).data ?? null, problem: null };
}

/** Enters a text into a field, selects the text in a list, checks a radio button, or checks a checkbox that is unchecked. Never rejects. */
export async function enterInto(
  page: Page,
  field: string,
  text: string,
): Promise<{ readonly isPassword: boolean; readonly problem: string | null }> {
  const place = fieldOf(page, field);
  try {
    const timeout = MAX_SEARCH_MS;
    await place.waitFor({ timeout });
    const matches = async (selector: string): Promise<boolean> => (await place.and(page.locator(selector)).count()) > 0;
    if (await matches('select')) await place.selectOption(text, { timeout });
    else if (await matches('input[type=radio i],input[type=checkbox i]')) await place.check({ timeout });
    else await place.fill(text, { timeout });
    return { isPassword: (await place.getAttribute('type'))?.toLowerCase() === 'password', problem: null };
  } catch {
    // The browser's error is not passed on, because it may quote the text, which is a password.
    return { isPassword: true, problem: `“${field}” could not be filled in` };
  }
}

/** Finds a visible field by its label, its placeholder or a CSS selector. */
function fieldOf(page: Page, field: string): Locator {
  if (field.startsWith(CSS_CLICK)) return page.locator(field).filter({ visible: true }).first();
  return page
    .getByLabel(field, { exact: true })
    .or(page.getByPlaceholder(field, { exact: true }))
    .filter({ visible: true })
    .first();
}

/** Finds the first visible button or link with this name, or the first visible element that matches a CSS selector. */
function findVisible(page: Page, click: string): Locator {
  if (click.startsWith(CSS_CLICK)) return page.locator(click).filter({ visible: true }).first();
  const named = { name: click, exact: true };
  return page.getByRole('button', named).or(page.getByRole('link', named)).filter({ visible: true }).first();
}
