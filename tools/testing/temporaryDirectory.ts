import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];

/** Creates an empty directory that is removed after the tests of the file. Programs other than tests must remove it themselves. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  directories.push(directory);
  return directory;
}

/** Removes the directories of a test file that has ended. */
export function removeTemporaryDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}
