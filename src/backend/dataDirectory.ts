import { mkdirSync, accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, posix, resolve, win32 } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { OWNER_ONLY } from './ownerOnly.ts';

/** What the choice of the data directory depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where Holdfast keeps its data: HOLDFAST_HOME, else `holdfast` in the platform's directory for application data. */
export function dataDirectoryFor({ platform, home, environment }: Surroundings): string {
  const chosen = environment['HOLDFAST_HOME'];
  if (chosen) return resolve(chosen);
  switch (platform) {
    case 'win32':
      return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'holdfast');
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'holdfast');
    default: {
      // The XDG specification says that a relative path is to be ignored.
      const shared = environment['XDG_DATA_HOME'];
      return posix.join(shared?.startsWith('/') ? shared : posix.join(home, '.local', 'share'), 'holdfast');
    }
  }
}

/** The data directory of this process; it need not exist yet. */
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

/** One directory after the other: Node's own `recursive` never returns where the parent is there and refuses with ENOENT, as /proc does. */
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
