import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { makeOwnFolder } from '#engine/ownFolder.ts';

const PREFIX = 'holdfast-lab-';
/** Programs that root starts give their rights up and still have to get at their files in here. */
const REACHABLE = 0o711;

/** A directory of its own for all that a running practice server writes. */
export async function makeRunDirectory(): Promise<string> {
  const directory = await makeOwnFolder('lab');
  if (process.getuid?.() === 0) await chmod(directory, REACHABLE);
  return directory;
}

/** Removes such a directory and nothing else: a path that is none of ours is left alone. */
export async function removeRunDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(PREFIX) || dirname(directory) !== tmpdir()) return;
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
