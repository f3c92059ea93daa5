import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { pathInFolder, uploadFoldersOf, uploadsOf } from '#core/work/journey/uploads.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

const MAX_BYTES = 16 * 1_048_576;
/** Limits of a folder: all its files are in the memory of every thread. */
const MAX_FILES = 1_000;
const MAX_FOLDER_BYTES = 64 * 1_048_576;

/** Reads the files that a plan's steps send, as Base64 by path. @throws {HoldfastError} `UPLOAD_UNREADABLE` with every unreadable file. */
export async function readUploads(plan: Plan): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const problems: string[] = [];
  const take = async (path: string, key: string): Promise<number> => {
    try {
      const { size } = await stat(path);
      if (size > MAX_BYTES) problems.push(`${path} is larger than 16 MiB.`);
      else setOwn(files, key, (await readFile(path)).toString('base64'));
      return size;
    } catch (thrown) {
      problems.push(`${path} cannot be read (${codeOf(thrown) ?? String(thrown)}).`);
      return 0;
    }
  };
  for (const path of uploadsOf(plan)) await take(path, path);
  for (const folder of uploadFoldersOf(plan)) {
    const names = await namesIn(folder, problems);
    let bytes = 0;
    for (const name of names) {
      bytes += await take(join(folder, name), pathInFolder(folder, name));
      if (bytes > MAX_FOLDER_BYTES) {
        problems.push(`The files in ${folder} are larger than 64 MiB together.`);
        break;
      }
    }
  }
  if (problems.length === 0) return files;
  throw new HoldfastError({
    code: 'UPLOAD_UNREADABLE',
    message: problems.join('\n'),
    hint: 'Check the paths of the files that the steps send, or let Holdfast generate contents of that size: {bytes: 98831, type: image/jpeg}.',
  });
}

/** Hidden files and folders are never uploaded. */
async function namesIn(folder: string, problems: string[]): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [])).sort();
    if (names.length === 0) problems.push(`No files in ${folder}.`);
    if (names.length > MAX_FILES) problems.push(`${folder} holds ${names.length} files; at most ${MAX_FILES} can be sent.`);
    return names.slice(0, MAX_FILES);
  } catch (thrown) {
    problems.push(`The folder ${folder} cannot be read (${codeOf(thrown) ?? String(thrown)}).`);
    return [];
  }
}
