import type { Plan } from '#core/plan/schema/plan.ts';

/** Paths of the files that the steps of a plan send, each once. */
export function uploadsOf(plan: Pick<Plan, 'journey'>): string[] {
  const bodies = plan.journey.flatMap(({ bodyFile }) => bodyFile ?? []);
  return [...new Set([...partsOf(plan).flatMap((part) => ('file' in part ? [part.file] : [])), ...bodies])];
}

/** Paths of the folders of which the steps of a plan send the files, each once. */
export function uploadFoldersOf(plan: Pick<Plan, 'journey'>): string[] {
  return [...new Set(partsOf(plan).flatMap((part) => ('folder' in part ? [part.folder] : [])))];
}

/** Path of a file of a folder, as its content is found by. */
export function pathInFolder(folder: string, name: string): string {
  return `${folder.replace(/[/\\]+$/, '')}/${name}`;
}

function partsOf({ journey }: Pick<Plan, 'journey'>) {
  return journey.flatMap(({ multipart }) => multipart ?? []);
}

/** Made-up files of such a type hold text: servers refuse other bytes, or fail on them later. */
export function isTextType(type: string): boolean {
  return type.toLowerCase().startsWith('text/');
}
