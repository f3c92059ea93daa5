import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf } from '#core/base/errors.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { OWNER_ONLY } from '../dataDirectory.ts';

const FOLDER = 'files';
const HASH_DIGITS = 16;
const MAX_NAME_CHARACTERS = 80;

/**
 * Creates the call that keeps a file that a user chooses in the app, such as a list of accounts, in the data directory. A page in a browser
 * cannot know the file's original path.
 */
export function createFileCalls(dataDirectory: string): Pick<CallHandlers, 'files.keep'> {
  return {
    'files.keep': async ({ name, text }) => {
      // Each content has a separate folder, so that files of the same name do not replace each other.
      const folder = join(dataDirectory, FOLDER, createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS));
      const path = join(folder, safeName(name));
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
      await writeFile(path, text, { mode: OWNER_ONLY.file });
      // The folder's modification time records when the file was last chosen: see removeUnusedFiles.
      await utimes(folder, new Date(), new Date());
      return { path };
    },
  };
}

/** Removes folders and characters that some file systems reject from a name. */
function safeName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-MAX_NAME_CHARACTERS);
  return /^[. ]*$/.test(last) ? 'file' : last.replace(/^[. ]+/, '');
}

/** Time after which a kept file is removed unless a stored plan names it, because lists of accounts contain passwords. */
const UNUSED_AFTER_MS = 30 * 86_400_000;
/** Maximum number of files that are looked up in the stored plans at one start. */
const MAX_EXAMINED_FILES = 50;

/**
 * Removes kept files that were last chosen 30 days ago or earlier. A file that a stored plan names is kept, because its run can be
 * repeated. `isNamed` returns whether a stored document contains this text. Returns the number of removed files.
 */
export async function removeUnusedFiles(dataDirectory: string, isNamed: (text: string) => boolean, nowMs: number): Promise<number> {
  const folder = join(dataDirectory, FOLDER);
  const names = await readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  });
  const ownNames = names.filter((name) => name.length === HASH_DIGITS && /^[\da-f]+$/.test(name));
  const old: string[] = [];
  for (const name of ownNames) if (nowMs - (await stat(join(folder, name))).mtimeMs >= UNUSED_AFTER_MS) old.push(name);
  const unused = old.slice(0, MAX_EXAMINED_FILES).filter((name) => !isNamed(name));
  for (const name of unused) await rm(join(folder, name), { recursive: true, force: true });
  return unused.length;
}
