import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Missing } from '#core/base/lab/listing.ts';
import { HoldfastError } from '#core/base/errors.ts';

/** Folders in which servers are searched for besides PATH, because a user's PATH often lacks the administrator folders. */
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
/** Returns the path of an installed program, or null. */
export async function findProgram(name: string, environment: NodeJS.ProcessEnv, further: readonly string[] = []): Promise<string | null> {
  const inPath = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [...inPath, ...FURTHER_FOLDERS, ...further]) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Package names by package manager, for each program. */
const PACKAGES = {
  nginx: { apt: 'nginx-light', dnf: 'nginx', brew: 'nginx' },
  postgresql: { apt: 'postgresql', dnf: 'postgresql-server', brew: 'postgresql@17' },
  python: { apt: 'python3 python3-venv', dnf: 'python3', brew: 'python' },
} as const;
type Package = keyof typeof PACKAGES;

/** Returns the command that installs a package on this machine. */
export async function installCommand(name: Package, environment: NodeJS.ProcessEnv): Promise<string> {
  const packages = PACKAGES[name];
  if (process.platform === 'darwin') return `brew install ${packages.brew}`;
  if ((await findProgram('dnf', environment)) !== null) return `sudo dnf install --assumeyes ${packages.dnf}`;
  return `sudo apt-get install --yes ${packages.apt}`;
}

/** Throws `LAB_NEEDS` with the install commands if a required program is missing. */
export function refuseWithout(title: string, missing: readonly Missing[]): void {
  const needed = missing.filter((one) => one.needed);
  if (needed.length === 0) return;
  throw new HoldfastError({
    code: 'LAB_NEEDS',
    message: `${title} needs programs that this machine lacks: ${needed.map(({ what }) => what).join(', ')}.`,
    hint: needed.map(({ why, install }) => `${why} Install it with: ${install}`).join('\n'),
  });
}
