import type { Page } from '@playwright/test';

/** Maximum number of tab stops before an element that is needed. */
export const MAX_STOPS = 60;

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const focusedName = await page.evaluate(() => {
      const { activeElement: at } = document;
      const field = at instanceof HTMLInputElement ? [...(at.labels ?? [])].map(({ textContent }) => textContent).join(' ') : '';
      return `${at?.getAttribute('aria-label') ?? ''} ${field} ${at?.textContent ?? ''}`.trim();
    });
    passed.push(focusedName.slice(0, 40));
    if (name.test(focusedName)) return;
  }
  throw new Error(`${String(name)} was not reached in ${MAX_STOPS} stops: ${passed.join(' | ')}`);
}
