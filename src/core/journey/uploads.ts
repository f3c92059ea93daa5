import type { Plan } from '../plan/schema.ts';

/** Paths of the files that the steps of a plan send, each once. */
export function uploadsOf({ journey }: Pick<Plan, 'journey'>): string[] {
  return [...new Set(journey.flatMap(({ multipart }) => (multipart ?? []).flatMap((part) => ('file' in part ? [part.file] : []))))];
}
