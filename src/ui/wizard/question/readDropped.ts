import type { DropZoneProps } from 'react-aria-components/DropZone';
import type { Imported } from '#core/import/imported.ts';
import { secretReferences, withReferences } from '#core/plan/secrets.ts';
import { askReference, envReference, readReference } from '#core/plan/secretReference.ts';

export type Dropped = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'];

export interface Pasted {
  readonly text: string;
  /** null for what was typed or pasted. */
  readonly fileName: string | null;
  readonly tooLarge: boolean;
}

/** More is no recording that one plan could be made of. */
const LARGEST_BYTES = 100_000_000;

/** The first file that was dropped, else the first text; null for neither. */
export async function readDropped(items: Dropped): Promise<Pasted | null> {
  for (const item of items) {
    if (item.kind === 'file') return readFile(await item.getFile());
    if (item.kind === 'text' && item.types.has('text/plain'))
      return { text: await item.getText('text/plain'), fileName: null, tooLarge: false };
  }
  return null;
}

export async function readFile(file: File): Promise<Pasted> {
  const tooLarge = file.size > LARGEST_BYTES;
  return { text: tooLarge ? '' : await file.text(), fileName: file.name, tooLarge };
}

/** What an imported plan asks the person for: names of values that the document does not say. */
export function askedNames({ plan }: Pick<Imported, 'plan'>): string[] {
  return secretReferences(plan).flatMap((reference) => {
    const parts = readReference(reference);
    return parts?.kind === 'ask' ? [parts.label] : [];
  });
}

/**
 * The plan with references to what `keep` has taken into memory: in the place of those to environment variables that hold what was imported, and of what the
 * person was asked for and has answered.
 */
export async function withKeptSecrets(
  { plan, secrets }: Imported,
  answers: ReadonlyMap<string, string>,
  keep: (value: string) => Promise<string>,
): Promise<unknown> {
  const references = new Map<string, string>();
  for (const [name, value] of secrets) references.set(envReference(name), await keep(value));
  for (const [name, value] of answers) if (value !== '') references.set(askReference(name), await keep(value));
  return withReferences(plan, references);
}
