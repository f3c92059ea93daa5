import type { Located, Subject } from '../subjects/subject.ts';
import { findOnPath, isProgram } from './locate.ts';

/** A subject that can be measured on this machine. */
export interface Found {
  readonly subject: Subject;
  readonly located: Located;
  /** Version of the program; null if unknown. */
  readonly version: string | null;
}

export interface Missing {
  readonly id: string;
  /** The command that installs the program. */
  readonly install: string;
}

/** Finds the subjects that are installed. `given` has programs from the options by subject id, which take precedence over PATH. */
export async function findSubjects(
  subjects: readonly Subject[],
  given: ReadonlyMap<string, string>,
  path: string,
): Promise<{ readonly found: readonly Found[]; readonly missing: readonly Missing[] }> {
  const foundSubjects: Found[] = [];
  const missing: Missing[] = [];
  for (const subject of subjects) {
    const located = await locate(subject, given.get(subject.id), path);
    if (located !== null) foundSubjects.push({ subject, located, version: await subject.version(located) });
    else if (subject.origin.kind === 'path') missing.push({ id: subject.id, install: subject.origin.install });
  }
  return { found: foundSubjects, missing };
}

async function locate({ id, origin }: Subject, givenPath: string | undefined, path: string): Promise<Located | null> {
  if (givenPath !== undefined) {
    if (!(await isProgram(givenPath))) throw new Error(`--tool ${id}=${givenPath}: there is no program.`);
    return { program: givenPath, before: [] };
  }
  if (origin.kind === 'ours') return origin.located;
  const program = await findOnPath(origin.program, path);
  return program === null ? null : { program, before: [] };
}
