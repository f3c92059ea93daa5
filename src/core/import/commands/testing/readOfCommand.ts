import { importText } from '#core/import/importText.ts';
import { linesOfNotes, writtenBeside } from '#core/import/testing/imported.ts';

/** Load and note of a curl command without load options. The expected results of examples do not repeat them. */
const USUAL_LOAD = '{"model":"connections","stages":[{"name":"load","connections":1,"seconds":30}]}';
const USUAL_NOTE = 'assumed load: curl sends one request and defines no load. Proposed: 1 connection for 30 seconds.';

/** Returns the parts of the plan that depend on the command, with the plan's notes; or the reasons for a refusal. */
export function readOfCommand(text: string): unknown[] {
  const result = importText(text);
  if (result.kind === 'refused')
    return [
      ...result.issues.map(({ path, message, hint }) => `refused ${path}: ${message} ${hint}`),
      ...result.notes.map(({ location, what, instead }) => `${location}: ${what} ${instead}`),
    ];
  const { imported } = result;
  const load = imported.written['load'];
  return [
    writtenBeside(imported, 'holdfast', 'name', 'load'),
    ...(JSON.stringify(load) === USUAL_LOAD ? [] : [load]),
    ...linesOfNotes(imported).filter((note) => note !== USUAL_NOTE),
  ];
}
