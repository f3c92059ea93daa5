import type { Page } from 'playwright-core';

/** Shorter texts stand in many a page by themselves. */
const LEAST_LENGTH = 4;

/** Runs in the page: a password that is entered, or a secret in any field or text. Nothing of it is there before or after. */
const LOOK_FOR = `(secrets) => {
  const holds = (text) => secrets.some((secret) => text.includes(secret));
  const inside = (root) => [...root.querySelectorAll('*')].some((element) => {
    if (element.shadowRoot && inside(element.shadowRoot)) return true;
    if (!('value' in element) || typeof element.value !== 'string') return false;
    return (element.type === 'password' && element.value !== '') || holds(element.value);
  });
  return inside(document) || holds(document.body?.innerText ?? '');
}`;

/**
 * Whether a page shows what no picture may: a password field that is not empty, or one of the secrets that were entered. A page that does not respond is
 * taken for one that does.
 */
export async function showsSecret(page: Page, secrets: readonly string[]): Promise<boolean> {
  const sought = secrets.filter(({ length }) => length >= LEAST_LENGTH);
  try {
    const found: unknown = await page.evaluate(`(${LOOK_FOR})(${JSON.stringify(sought)})`);
    return found !== false;
  } catch {
    return true;
  }
}
