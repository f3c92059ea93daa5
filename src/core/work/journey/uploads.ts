import type { Plan } from '#core/plan/schema/plan.ts';

/** Returns the paths of all files that a plan sends, each once. */
export function uploadsOf(plan: Pick<Plan, 'journey'>): string[] {
  const bodies = plan.journey.flatMap(({ bodyFile }) => bodyFile ?? []);
  return [...new Set([...partsOf(plan).flatMap((part) => ('file' in part ? [part.file] : [])), ...bodies])];
}

/** Returns the paths of all folders whose files a plan sends, each once. */
export function uploadFoldersOf(plan: Pick<Plan, 'journey'>): string[] {
  return [...new Set(partsOf(plan).flatMap((part) => ('folder' in part ? [part.folder] : [])))];
}

/** Returns the path of a file in a folder. */
export function pathInFolder(folder: string, name: string): string {
  return `${folder.replace(/[/\\]+$/, '')}/${name}`;
}

function partsOf({ journey }: Pick<Plan, 'journey'>) {
  return journey.flatMap(({ multipart }) => multipart ?? []);
}

/** Returns whether generated files of a type contain text: servers reject other bytes or fail later. */
export function isTextType(type: string): boolean {
  return type.toLowerCase().startsWith('text/');
}
