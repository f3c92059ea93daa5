import { STORED } from '#ui/shared/stored.ts';

/**
 * Value of the document's attribute `data-screen` before hydration: `first` shows the prerendered first screen, `other` hides it. The value
 * is `taken` during hydration; afterwards the attribute is removed.
 */
type DrawnScreen = 'first' | 'other';

/** Address fragments that open a new test. */
const NEW_TEST = /^#?\/?(?:new)?$/;

/** Returns `first` for the address of a new test without a saved draft. `isLetIn`: the page has a token, or runs in the desktop app. */
export function drawnScreen(hash: string, isLetIn: boolean, kept: Pick<Storage, 'getItem'>): DrawnScreen {
  return isLetIn && NEW_TEST.test(hash) && kept.getItem(STORED.draft) === null ? 'first' : 'other';
}
