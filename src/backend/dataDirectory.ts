import { mkdirSync, accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, posix, resolve, win32 } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { OWNER_ONLY } from './ownerOnly.ts';

/** The inputs that decide the data directory. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the data directory: HOLDFAST_HOME, or `holdfast` in the platform's directory for application data. */
export function dataDirectoryFor({ platform, home, environment }: Surroundings): string {
  const chosen = environment['HOLDFAST_HOME'];
  if (chosen) return resolve(chosen);
  switch (platform) {
    case 'win32':
      return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'holdfast');
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'holdfast');
    default: {
      // The XDG specification requires that relative paths are ignored.
      const shared = environment['XDG_DATA_HOME'];
      return posix.join(shared?.startsWith('/') ? shared : posix.join(home, '.local', 'share'), 'holdfast');
    }
  }
}

/** Returns the data directory of this process, which may not exist so far. */
export function defaultDataDirectory(): string {
  return dataDirectoryFor({ platform: process.platform, home: homedir(), environment: process.env });
}

/** Creates the directory for its owner only and checks that it can be written. Throws `DATA_DIRECTORY`. */
export function prepareDataDirectory(directory: string): void {
  try {
    createDirectory(resolve(directory, 'logs'));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'DATA_DIRECTORY',
        message: `The data directory ${directory} cannot be written (${codeOf(cause) ?? String(cause)}).`,
        hint: 'Make it writable for you, or set HOLDFAST_HOME to a writable directory. Nothing was changed.',
      },
      { cause },
    );
  }
}

/** Creates one directory after the other: with `recursive`, Node never returns if an existing parent refuses with ENOENT, as /proc does. */
function createDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) createDirectory(parent);
  try {
    mkdirSync(path, { mode: OWNER_ONLY.folder });
  } catch (thrown) {
    // Another process may have created it in between.
    if (codeOf(thrown) !== 'EEXIST' || !isDirectory(path)) throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
