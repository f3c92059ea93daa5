import { KIND_NAMES, type Imported, type Note } from '#core/import/imported.ts';

const WORDS = { leftOut: 'left out', changed: 'changed', assumed: 'assumed', secret: 'secret' } as const;

/** Everything that the plan says otherwise than the original, a line for each. */
export function notesText(notes: readonly Note[]): string {
  return notes.map(({ kind, place, what, instead }) => `${WORDS[kind]}: ${place === '' ? '' : `${place}: `}${what} ${instead}\n`).join('');
}

/** What was recognised, and what has to be set before a run. */
export function importedText({ kind, notes, secrets, choices }: Imported): string {
  const names = [...secrets.keys()];
  const taken = choices?.filter(({ isTaken }) => isTaken).length ?? 0;
  return [
    `This is ${KIND_NAMES[kind]}.\n`,
    choices === undefined ? '' : `${taken} of ${choices.length} operations were taken; --operations chooses others.\n`,
    notesText(notes),
    names.length === 0 ? '' : `Before a run, set ${names.join(', ')} to what the original says there.\n`,
  ].join('');
}
