import { importText } from '#core/import/importText.ts';
import { linesOfNotes, writtenBeside } from '#core/import/testing/imported.ts';

/** Of a single command of curl that says no more. */
const USUAL_LOAD = '{"model":"connections","stages":[{"name":"load","connections":1,"seconds":30}]}';
/** Of a single command of curl; each example with another has it. */
const USUAL_NOTE = 'assumed load: curl sends one request and defines no load. Proposed: 1 connection for 30 seconds.';

/** What of a plan follows from the command, with its notes; or why there is none. */
export function readOfCommand(text: string): unknown[] {
  const result = importText(text);
  if (result.kind === 'refused')
    return [
      ...result.issues.map(({ path, message, hint }) => `refused ${path}: ${message} ${hint}`),
      ...result.notes.map(({ place, what, instead }) => `${place}: ${what} ${instead}`),
    ];
  const { imported } = result;
  const load = imported.written['load'];
  return [
    writtenBeside(imported, 'holdfast', 'name', 'load'),
    ...(JSON.stringify(load) === USUAL_LOAD ? [] : [load]),
    ...linesOfNotes(imported).filter((note) => note !== USUAL_NOTE),
  ];
}
