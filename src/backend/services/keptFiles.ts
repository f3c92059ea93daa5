import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { OWNER_ONLY } from '#backend/ownerOnly.ts';

const HASH_DIGITS = 16;
const MAX_NAME_CHARACTERS = 80;

/** Keeps files that a person chooses in the app, such as lists of accounts, in the data directory. A page in a browser cannot know their original paths. */
export function createFileCalls(dataDirectory: string): Pick<CallHandlers, 'files.keep'> {
  return {
    'files.keep': async ({ name, text }) => {
      // One folder per content, so files of the same name do not replace each other.
      const folder = join(dataDirectory, 'files', createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS));
      const path = join(folder, safeName(name));
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
      await writeFile(path, text, { mode: OWNER_ONLY.file });
      return { path };
    },
  };
}

/** Removes folders from a name, and characters that some file systems refuse. */
function safeName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-MAX_NAME_CHARACTERS);
  return /^[. ]*$/.test(last) ? 'file' : last.replace(/^[. ]+/, '');
}
