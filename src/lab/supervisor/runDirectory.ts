import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { endProcessesIn, makeOwnFolder, removeOwnFolder, sweepOwnFolders } from '#engine/ownFolder.ts';

const PREFIX = 'holdfast-lab-';
/** Mode of folders that programs without root rights must be able to pass through to reach their files. */
const REACHABLE = 0o711;

/**
 * Creates the directory for all files of a practice server. Removes the directories of killed practice servers, and ends their programs.
 */
export async function makeRunDirectory(): Promise<string> {
  await sweepOwnFolders();
  const directory = await makeOwnFolder('lab');
  if (process.getuid?.() === 0) await chmod(directory, REACHABLE);
  return directory;
}

/** Removes the directory of a practice server and ends its programs. Ignores any other path. */
export async function removeRunDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(PREFIX) || dirname(directory) !== tmpdir()) return;
  // Ends a program that was started so recently that the watchdog may not know about it.
  endProcessesIn(directory);
  await removeOwnFolder(directory);
}
