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
  /** When it was clicked, in ms since 1970 by the browser's clock; null where the page does not say. */
  readonly atMs: number | null;
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
  const begun = new AbortController();
  for (const kind of ['click', 'keydown']) addEventListener(kind, ({ timeStamp }) => {
    begun.abort();
    requestAnimationFrame(() => setTimeout(() => {
      framed = performance.now() - timeStamp;
      setTimeout(() => { observer.disconnect(); resolve(reported ?? framed); }, ${REPORT_MS});
    }));
  }, { capture: true, signal: begun.signal });
})`;

/** Runs in the page beside the other, and says when it happened: also where the page is left by it. */
const PAGE_INSTANT = `new Promise((resolve) => {
  const begun = new AbortController();
  for (const kind of ['click', 'keydown']) addEventListener(kind, ({ timeStamp }) => {
    begun.abort();
    resolve(performance.timeOrigin + timeStamp);
  }, { capture: true, signal: begun.signal });
})`;

const readingSchema = z.number().min(0).max(MOST_CLICK_MS);
const instantSchema = z.number();
/** A click that nobody in the page has noticed by then was not noticed. */
const MOST_NOTICE_MS = 1_000;

/**
 * Clicks and waits for what the page shows next. The time is the longest that Event Timing reports of the interaction, in steps of 8 ms; of one that is too
 * short for it, until the page has drawn its next frame. Never rejects.
 */
export function clickAndTime(page: Page, click: string): Promise<Clicked> {
  const place = placeOf(page, click);
  return timed(page, click, () => place.click({ timeout: MOST_SEARCH_MS, noWaitAfter: true }));
}

/** Presses Enter in a field, and waits as `clickAndTime` does. Never rejects. */
export function enterAndTime(page: Page, field: string): Promise<Clicked> {
  const place = fieldOf(page, field);
  return timed(page, field, () => place.press('Enter', { timeout: MOST_SEARCH_MS, noWaitAfter: true }));
}

async function timed(page: Page, name: string, act: () => Promise<void>): Promise<Clicked> {
  const noticed: Promise<unknown> = page.evaluate(PAGE_INSTANT).catch(() => null);
  const painted: Promise<unknown> = page.evaluate(PAGE_CLOCK).catch(() => null);
  try {
    await act();
  } catch {
    return { atMs: null, clickMs: null, problem: `“${name}” could not be clicked` };
  }
  const instant = await Promise.race([noticed, after(MOST_NOTICE_MS, null, { ref: false })]);
  const atMs = instantSchema.safeParse(instant).data ?? null;
  const taken = await Promise.race([painted, after(MOST_CLICK_MS, 'late', { ref: false })]);
  if (taken === 'late') return { atMs, clickMs: null, problem: `nothing was painted after the click on “${name}”` };
  return { atMs, clickMs: readingSchema.safeParse(taken).data ?? null, problem: null };
}

/** Enters a text into a field, selects it in a list, or checks a radio button or an unchecked checkbox. Never rejects. */
export async function enterInto(
  page: Page,
  field: string,
  text: string,
): Promise<{ readonly isPassword: boolean; readonly problem: string | null }> {
  const place = fieldOf(page, field);
  try {
    const timeout = MOST_SEARCH_MS;
    await place.waitFor({ timeout });
    const is = async (selector: string): Promise<boolean> => (await place.and(page.locator(selector)).count()) > 0;
    if (await is('select')) await place.selectOption(text, { timeout });
    else if (await is('input[type=radio i],input[type=checkbox i]')) await place.check({ timeout });
    else await place.fill(text, { timeout });
    return { isPassword: (await place.getAttribute('type'))?.toLowerCase() === 'password', problem: null };
  } catch {
    // What the browser says of it may quote the text.
    return { isPassword: true, problem: `“${field}” could not be filled in` };
  }
}

/** By the text beside it, or the one that stands in it. */
function fieldOf(page: Page, field: string): Locator {
  if (field.startsWith(CSS_CLICK)) return page.locator(field).filter({ visible: true }).first();
  return page
    .getByLabel(field, { exact: true })
    .or(page.getByPlaceholder(field, { exact: true }))
    .filter({ visible: true })
    .first();
}

/** The first of its kind that is to be seen. */
function placeOf(page: Page, click: string): Locator {
  if (click.startsWith(CSS_CLICK)) return page.locator(click).filter({ visible: true }).first();
  const named = { name: click, exact: true };
  return page.getByRole('button', named).or(page.getByRole('link', named)).filter({ visible: true }).first();
}
