import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { pathInFolder, uploadFoldersOf, uploadsOf } from '#core/work/journey/uploads.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { LoadJob } from '#engine/engine.ts';

const MAX_BYTES = 16 * 1_048_576;
/** Limits of a folder: all its files are in the memory of every thread. */
const MAX_FILES = 1_000;
const MAX_FOLDER_BYTES = 64 * 1_048_576;

/** Files that steps send. */
export interface Uploads {
  /** Contents as Base64 by path. */
  readonly files: Record<string, string>;
  /** Larger files by path: they are sent from disk. */
  readonly largeFiles: NonNullable<LoadJob['largeFiles']>;
}

/**
 * {@link readUploads} for a load that is made here by Holdfast's own driver, which sends files of more than 16 MiB from disk.
 * @throws {HoldfastError} `UPLOAD_NOT_STREAMED` if the load cannot do that.
 */
export async function openUploads(plan: Plan, isMadeHere = true): Promise<Uploads> {
  const largeFiles: Uploads['largeFiles'] = {};
  const files = await readUploads(plan, largeFiles);
  const [large] = Object.keys(largeFiles);
  const need =
    plan.connections.protocol === 'h2'
      ? 'HTTP/1.1'
      : plan.engine === 'k6'
        ? 'the engine native'
        : isMadeHere
          ? null
          : 'this computer as the only load generator';
  if (large === undefined || need === null) return { files, largeFiles };
  throw new HoldfastError({
    code: 'UPLOAD_NOT_STREAMED',
    message: `${large} is larger than 16 MiB and is sent from disk, which needs ${need}.`,
    hint: 'Change that in the plan, or send a smaller file.',
  });
}

/**
 * Reads the files that a plan's steps send, as Base64 by path. `largeFiles` takes those that are too large for memory; without it, they are refused.
 * @throws {HoldfastError} `UPLOAD_UNREADABLE` with every unreadable file.
 */
export async function readUploads(plan: Plan, largeFiles: Uploads['largeFiles'] | null = null): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const problems: string[] = [];
  const take = async (path: string, key: string): Promise<number> => {
    try {
      const { size, mtimeMs } = await stat(path);
      if (size > MAX_BYTES && largeFiles !== null) {
        setOwn(largeFiles, key, { path: resolve(path), bytes: size, modifiedMs: mtimeMs });
        return 0;
      }
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
