import type { Note } from '#core/import/imported.ts';

const WORDS = { leftOut: 'left out', changed: 'changed', assumed: 'assumed', secret: 'secret' } as const;

/** Formats differences of the plan from the original, one per line. */
export function notesText(notes: readonly Note[]): string {
  return notes.map(({ kind, place, what, instead }) => `${WORDS[kind]}: ${place === '' ? '' : `${place}: `}${what} ${instead}\n`).join('');
}
