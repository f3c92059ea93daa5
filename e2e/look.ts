import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ALL_COLOURS, COLOUR_RULES, objections, type Rules } from './axe.ts';

const pictures = resolve(import.meta.dirname, 'artifacts', 'pictures');
const HEIGHT = 860;
const TALLEST = 8_000;
/** Packed three times as fast as without loss, and no letter is lost to the eye. */
const PACKED = { type: 'jpeg', quality: 90 } as const;

/** The looks that every screen must survive. */
const LOOKS = [
  { name: 'light', scheme: 'light', width: 1_280 },
  { name: 'dark', scheme: 'dark', width: 1_280 },
  { name: 'narrow', scheme: 'light', width: 360 },
] as const;
type Kind = (typeof LOOKS)[number]['name'];
/** Checked for scrolling sideways only. */
const MIN_WIDTH_PX = 320;

/**
 * Keeps a picture of the whole screen in each look, and checks that axe finds nothing to object to in it and that it does not
 * scroll sideways. `knownColours`: another walk has looked at the colours of all its parts.
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
  for (const { name: kind, scheme, width } of LOOKS.filter((one) => kinds.includes(one.name))) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // In other colours a page is as high as it was.
    if (width === shownWidth) await redrawn(page);
    else await resizeToContent(page, width);
    shownWidth = width;
    await glance(page, `${name}-${kind}`);
    await expectNoSidewaysScrolling(page, `${name} (${kind})`);
    expect(await objections(page, isFirst ? {} : RULES[kind]), `axe on ${name} (${kind})`).toEqual([]);
    isFirst = false;
  }
  await page.setViewportSize({ width: MIN_WIDTH_PX, height: HEIGHT });
  await redrawn(page);
  await expectNoSidewaysScrolling(page, `${name} at ${MIN_WIDTH_PX} px`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (before) await page.setViewportSize(before);
}

/** Keeps a picture of what the window shows, and of nothing below it. Not in CI, where nobody looks at them: they are for whoever changes a screen. */
export async function glance(page: Page, name: string): Promise<void> {
  if (process.env['CI'] === 'true') return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: resolve(pictures, `${name}.jpg`), ...PACKED });
}

/** What an element says of itself is the same at each width. */
const sameWhenNarrow = Object.fromEntries([...COLOUR_RULES, 'avoid-inline-spacing'].map((rule) => [rule, { enabled: false }]));

/**
 * What is left to find where a screen was looked at before: in other colours nothing but colours, and in a narrow window all but the same
 * colours. By night they are looked at there too.
 */
const RULES: Readonly<Record<Kind, Rules>> = {
  light: {},
  dark: { runOnly: { type: 'rule', values: COLOUR_RULES } },
  narrow: ALL_COLOURS ? {} : { rules: sameWhenNarrow },
};

/** As high as the page is, so that bars that stick to the window's edges do not hide its middle. */
async function resizeToContent(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await redrawn(page);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(HEIGHT, height), TALLEST) });
  await redrawn(page);
}

/** Charts measure their width in one frame and are drawn in the next. */
async function redrawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))');
}

async function expectNoSidewaysScrolling(page: Page, where: string): Promise<void> {
  // On a busy machine a chart may take longer until it has the width of a window that has just become narrow.
  const sideways = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(sideways, { message: `${where} scrolls sideways`, timeout: 5_000 }).toBeLessThanOrEqual(0);
}
