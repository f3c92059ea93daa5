import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Returns the path of a program in PATH, or null. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((each) => each !== '')) {
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return null;
}

export async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
