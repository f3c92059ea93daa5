import type { Choice } from '#core/import/imported.ts';

/** More boxes than this hold a page up, and nobody looks through them. */
const MOST_SHOWN = 500;

/** All that are taken, and of the others the first, in the order of the document. */
export function shownChoices(choices: readonly Choice[]): readonly Choice[] {
  if (choices.length <= MOST_SHOWN) return choices;
  let left = MOST_SHOWN - choices.filter(({ isTaken }) => isTaken).length;
  return choices.filter(({ isTaken }) => {
    if (!isTaken) left -= 1;
    return isTaken || left >= 0;
  });
}
