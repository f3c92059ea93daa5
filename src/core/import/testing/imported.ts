import { importText, type ImportOptions } from '../importText.ts';
import type { Imported } from '../imported.ts';

/** What was imported; throws with the reasons when nothing was. */
export function importedOf(text: string, options: ImportOptions = {}): Imported {
  const result = importText(text, options);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result, null, 1));
  return result.imported;
}

/** Codes and places of what was refused; empty when something was imported. */
export function refusalOf(text: string, options: ImportOptions = {}): string[] {
  const result = importText(text, options);
  return result.kind === 'refused' ? result.issues.map(({ code, path }) => `${code}${path === '' ? '' : ` ${path}`}`) : [];
}

/** Notes as `kind place`. */
export function notesOf({ notes }: Imported): string[] {
  return notes.map(({ kind, place }) => `${kind} ${place}`);
}
