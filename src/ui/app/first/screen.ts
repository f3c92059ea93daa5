import { STORED } from '../stored.ts';

/**
 * Until the page's code has taken over, the attribute `data-screen` of the document says what stands in it: `first`, the first screen as the build has drawn it,
 * or `other`, which is to show something else and hides it. It is `taken` from then on until the first screen reacts, and then there is none.
 */
export type DrawnScreen = 'first' | 'other';

/** Fragments of addresses at which a window begins with a new test. */
const NEW_TEST = /^#?\/?(?:new)?$/;

/** Whether a window that is opened like this begins with the first screen: a new test, in which nothing was entered. `isLetIn`: a backend may take it. */
export function drawnScreen(hash: string, isLetIn: boolean, kept: Pick<Storage, 'getItem'>): DrawnScreen {
  return isLetIn && NEW_TEST.test(hash) && kept.getItem(STORED.draft) === null ? 'first' : 'other';
}
