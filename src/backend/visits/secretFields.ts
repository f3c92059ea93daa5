import type { Page } from 'playwright-core';

/** Shorter texts occur in pages by chance. */
const MIN_SECRET_LENGTH = 4;

/** Runs in the page: looks for a filled password field, or a secret in any field or text. Leaves nothing in the page. */
const SEARCH_SCRIPT = `(secrets) => {
  const holds = (text) => secrets.some((secret) => text.includes(secret));
  const inside = (root) => [...root.querySelectorAll('*')].some((element) => {
    if (element.shadowRoot && inside(element.shadowRoot)) return true;
    if (!('value' in element) || typeof element.value !== 'string') return false;
    return (element.type === 'password' && element.value !== '') || holds(element.value);
  });
  return inside(document) || holds(document.body?.innerText ?? '');
}`;

/**
 * Returns whether a page shows what no picture may: a filled password field, or a secret that was entered. Returns true for a page that
 * does not respond.
 */
export async function showsSecret(page: Page, secrets: readonly string[]): Promise<boolean> {
  const sought = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  try {
    const found: unknown = await page.evaluate(`(${SEARCH_SCRIPT})(${JSON.stringify(sought)})`);
    return found !== false;
  } catch {
    return true;
  }
}
