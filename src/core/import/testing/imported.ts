import { importText, type ImportOptions } from '../importText.ts';
import type { ImportedPlan } from '../imported.ts';

/** Returns the import of a text; throws with the reasons if it is refused. */
export function readImported(text: string, options: ImportOptions = {}): ImportedPlan {
  const result = importText(text, options);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result, null, 1));
  return result.imported;
}

/** Returns the codes and locations of a refusal; empty if a plan was made. */
export function findRefusal(text: string, options: ImportOptions = {}): string[] {
  const result = importText(text, options);
  return result.kind === 'refused' ? result.issues.map(({ code, path }) => `${code}${path === '' ? '' : ` ${path}`}`) : [];
}

/** Returns the notes as `kind location`. */
export function listNotes({ notes }: ImportedPlan): string[] {
  return notes.map(({ kind, location }) => `${kind} ${location}`);
}

/** Returns each note as a line. */
export function linesOfNotes({ notes }: Pick<ImportedPlan, 'notes'>): string[] {
  return notes.map(({ kind, location, what, instead }) => `${kind} ${location}: ${what} ${instead}`);
}

/** Returns the written plan without these fields. */
export function writtenBeside({ written }: ImportedPlan, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(written).filter(([name]) => !names.includes(name)));
}

/** Returns the steps, further plan fields and notes (except on the load) of a document; or its refusal. */
export function listMade(document: unknown): unknown[] {
  const result = importText(JSON.stringify(document));
  if (result.kind === 'refused')
    return [
      ...result.issues.map(({ path, message }) => `refused ${path}: ${message}`),
      ...result.notes.map(({ location, what }) => `${location}: ${what}`),
    ];
  const { imported } = result;
  const more = writtenBeside(imported, 'holdfast', 'name', 'load', 'targets', 'journey', 'cookies');
  const notes = imported.notes.filter(({ location }) => location !== 'load');
  return [...(imported.written['journey'] as object[]), ...(Object.keys(more).length === 0 ? [] : [more]), ...linesOfNotes({ notes })];
}
