import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ALL_COLOURS, COLOUR_RULES, findAxeProblems, type Rules } from './axe.ts';

const pictures = resolve(import.meta.dirname, 'artifacts', 'pictures');
const HEIGHT = 860;
const MAX_HEIGHT_PX = 8_000;
/** JPEG is used, because it is compressed three times as fast as PNG and text stays legible. */
const JPEG_OPTIONS = { type: 'jpeg', quality: 90 } as const;

/** The variants in which every screen must work. */
const VARIANTS = [
  { name: 'light', scheme: 'light', width: 1_280 },
  { name: 'dark', scheme: 'dark', width: 1_280 },
  { name: 'narrow', scheme: 'light', width: 360 },
] as const;
type Kind = (typeof VARIANTS)[number]['name'];
/** Width at which screens are checked only for horizontal scrolling. */
const MIN_WIDTH_PX = 320;

/**
 * Saves a picture of the whole screen in each variant, and checks the screen with axe and for horizontal scrolling. `knownColours` means
 * that another test checks the colours of all parts.
 */
export async function look(
  page: Page,
  name: string,
  kinds: readonly Kind[] = ['light', 'dark', 'narrow'],
  { knownColours = false } = {},
): Promise<void> {
  const before = page.viewportSize();
  let isFirst = !knownColours;
  let shownWidth = 0;
  for (const { name: kind, scheme, width } of VARIANTS.filter((one) => kinds.includes(one.name))) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // Changing the colours does not change the height.
    if (width === shownWidth) await waitForRedraw(page);
    else await resizeToContent(page, width);
    shownWidth = width;
    await saveViewport(page, `${name}-${kind}`);
    await expectNoSidewaysScrolling(page, `${name} (${kind})`);
    expect(await findAxeProblems(page, isFirst ? {} : RULES[kind]), `axe on ${name} (${kind})`).toEqual([]);
    isFirst = false;
  }
  await page.setViewportSize({ width: MIN_WIDTH_PX, height: HEIGHT });
  await waitForRedraw(page);
  await expectNoSidewaysScrolling(page, `${name} at ${MIN_WIDTH_PX} px`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (before) await page.setViewportSize(before);
}

/** Saves a picture of the visible part of the window. Does nothing in CI, because pictures are for people who change a screen. */
export async function saveViewport(page: Page, name: string): Promise<void> {
  if (process.env['CI'] === 'true') return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: resolve(pictures, `${name}.jpg`), ...JPEG_OPTIONS });
}

/** Excludes rules whose result does not depend on the width of the window. */
const sameWhenNarrow = Object.fromEntries([...COLOUR_RULES, 'avoid-inline-spacing'].map((rule) => [rule, { enabled: false }]));

/**
 * The rules for each variant, without those that the earlier variants cover. In another colour scheme, only colours are checked; in a
 * narrow window, everything except equal colours. At night, colours are checked there too.
 */
const RULES: Readonly<Record<Kind, Rules>> = {
  light: {},
  dark: { runOnly: { type: 'rule', values: COLOUR_RULES } },
  narrow: ALL_COLOURS ? {} : { rules: sameWhenNarrow },
};

/** Makes the window as high as the page, so that sticky bars do not hide the middle of the page. */
async function resizeToContent(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await waitForRedraw(page);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(HEIGHT, height), MAX_HEIGHT_PX) });
  await waitForRedraw(page);
}

/** Waits for three frames, because charts measure their width in one frame and are drawn in the next. */
async function waitForRedraw(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))');
}

/** A script that returns the elements that make the page scroll sideways, innermost last. Contents of scrollable elements are excluded. */
const FIND_WIDE_ELEMENTS_SCRIPT = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isClipped = (one) => one !== document.body && (getComputedStyle(one).overflowX !== 'visible' || isClipped(one.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth && !isClipped(one.parentElement))
    .map((one) => one.cloneNode().outerHTML.slice(0, 160) + ' ' + (one.textContent ?? '').slice(0, 60))
    .slice(-8);
})()`;

async function expectNoSidewaysScrolling(page: Page, where: string): Promise<void> {
  // On a busy machine, a chart may need longer to adapt to a narrower window.
  await expect.poll(() => page.evaluate(FIND_WIDE_ELEMENTS_SCRIPT), { message: `${where} scrolls sideways`, timeout: 5_000 }).toEqual([]);
}
