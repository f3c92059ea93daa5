import type { Imported } from '#core/import/imported.ts';
import { secretReferences, withReferences } from '#core/plan/secrets.ts';
import { askReference, envReference, readReference } from '#core/plan/secretReference.ts';

export interface Pasted {
  readonly text: string;
  /** null for typed or pasted text. */
  readonly fileName: string | null;
  readonly tooLarge: boolean;
}

/** A larger recording cannot become a plan. */
const MAX_FILE_BYTES = 100_000_000;

/** Reads a chosen or dropped file. */
export async function readFile(file: File): Promise<Pasted> {
  const tooLarge = file.size > MAX_FILE_BYTES;
  return { text: tooLarge ? '' : await file.text(), fileName: file.name, tooLarge };
}

/** Returns the names of values that the document refers to but does not contain. */
export function askedNames({ plan }: Pick<Imported, 'plan'>): string[] {
  return secretReferences(plan).flatMap((reference) => {
    const parts = readReference(reference);
    return parts?.kind === 'ask' ? [parts.label] : [];
  });
}

/**
 * Stores imported secrets and entered values with `keep`, and returns the plan with references to them instead of references to
 * environment variables.
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
