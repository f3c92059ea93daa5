import { mkdirSync, accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';
import { HoldfastError } from '#core/errors.ts';

/** What the choice of the data directory depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const OWNER_ONLY = 0o700;

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
    mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
    mkdirSync(join(directory, 'logs'), { recursive: true, mode: OWNER_ONLY });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'DATA_DIRECTORY',
        message: `The data directory ${directory} cannot be written (${codeOf(cause)}).`,
        hint: 'Make it writable for you, or set HOLDFAST_HOME to a directory that is. Nothing was changed.',
      },
      { cause },
    );
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}
