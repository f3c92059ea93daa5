import { inARow } from '#core/plan/hosts/places.ts';
import type { Exported } from '#core/export/exported.ts';

/** What is otherwise than in the plan, and what has to be there before it is run. */
export function exportedText(
  { files, environment, notes }: Exported,
  { isWritten, hasSeries }: { readonly isWritten: boolean; readonly hasSeries: boolean },
): string {
  const beside = inARow(files.map(({ path }) => path));
  return [
    ...notes.map((note) => `note: ${note}\n`),
    hasSeries ? 'note: The preset makes a series of runs; this is the plan that they have in common.\n' : '',
    environment.length === 0 ? '' : `Before it is run, set ${inARow(environment)}.\n`,
    files.length === 0
      ? ''
      : isWritten
        ? `Beside it: ${beside}.\n`
        : `It needs ${beside} beside it: name a file instead of -, and they are written, too.\n`,
  ].join('');
}
