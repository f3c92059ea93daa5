import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { endProcessesIn, makeOwnFolder, removeOwnFolder, sweepOwnFolders } from '#engine/ownFolder.ts';

const PREFIX = 'holdfast-lab-';
/** Programs that root starts give their rights up and still have to get at their files in here. */
const REACHABLE = 0o711;

/** A directory of its own for all that a running practice server writes. What was left by others that were killed goes first, with its programs. */
export async function makeRunDirectory(): Promise<string> {
  await sweepOwnFolders();
  const directory = await makeOwnFolder('lab');
  if (process.getuid?.() === 0) await chmod(directory, REACHABLE);
  return directory;
}

/** Removes such a directory, with what still works in it, and nothing else: a path that is none of ours is left alone. */
export async function removeRunDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(PREFIX) || dirname(directory) !== tmpdir()) return;
  // One that was started at the very last was not told to the watchdog.
  endProcessesIn(directory);
  await removeOwnFolder(directory);
}
