import { readFile } from 'node:fs/promises';

/** Text of a file under /proc; null where there is none. */
export async function procFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
