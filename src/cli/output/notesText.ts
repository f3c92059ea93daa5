import type { Note } from '#core/import/imported.ts';

const WORDS = { leftOut: 'left out', changed: 'changed', assumed: 'assumed', secret: 'secret' } as const;

/** Everything that the plan says otherwise than the original, a line for each. */
export function notesText(notes: readonly Note[]): string {
  return notes.map(({ kind, place, what, instead }) => `${WORDS[kind]}: ${place === '' ? '' : `${place}: `}${what} ${instead}\n`).join('');
}
