import { STORED } from '#ui/shared/stored.ts';

/**
 * Value of the document's attribute `data-screen` before hydration: `first` shows the prerendered first screen, `other` hides it. The value
 * is `taken` during hydration. Afterwards, the attribute is removed.
 */
type DrawnScreen = 'first' | 'other';

/** Address fragments that lead to a new test. */
const NEW_TEST = /^#?\/?(?:new)?$/;

/**
 * Returns `first` for the address of a new test if no draft is saved. `isLetIn` is true if the page has a token or runs in the desktop app.
 */
export function drawnScreen(hash: string, isLetIn: boolean, kept: Pick<Storage, 'getItem'>): DrawnScreen {
  return isLetIn && NEW_TEST.test(hash) && kept.getItem(STORED.draft) === null ? 'first' : 'other';
}
