import { createHash } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- the folder outlives the process
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Missing } from '#core/base/lab/listing.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Surroundings } from '../lab.ts';
import { startProgram } from '../supervisor/program.ts';
import { findProgram, installCommand } from './find.ts';

const PYTHONS = ['python3', 'python'];
const LIMIT_MS = 10 * 60_000;
/** Prints the version of Python. Fails without ensurepip, which venv needs for pip and which Debian ships in a separate package. */
const VERSION_SCRIPT = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 8))';

interface Python {
  readonly file: string;
  readonly version: string;
}

async function findPython(environment: NodeJS.ProcessEnv): Promise<Python | null> {
  for (const name of PYTHONS) {
    const file = await findProgram(name, environment);
    if (file === null) continue;
    const { code, output } = await run(file, ['-c', VERSION_SCRIPT], environment);
    if (code === 0) return { file, version: output.trim() };
  }
  return null;
}

export async function missingPython(environment: NodeJS.ProcessEnv): Promise<Missing[]> {
  if ((await findPython(environment)) !== null) return [];
  const install = await installCommand('python', environment);
  return [{ what: 'Python 3.8 or newer with venv', why: 'gunicorn needs it.', install, needed: true }];
}

/**
 * Returns the path of a Python that has these PyPI packages. Python is in a private environment, which is created at the first use and
 * stays in the cache directory. Throws `PYTHON_PACKAGES` with the failed command and the command's output.
 */
export async function pythonWith(requirements: readonly string[], surroundings: Surroundings): Promise<string> {
  const { environment, cacheDirectory, onProgress } = surroundings;
  const python = await findPython(environment);
  if (!python) throw packagesError('', 'There is no Python.');
  const digest = createHash('sha256')
    .update(JSON.stringify([python, requirements]))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheDirectory, 'python');
  const home = join(folder, `venv-${digest}`);
  const ready = join(home, 'bin', 'python');
  if (await exists(ready)) return ready;
  await mkdir(folder, { recursive: true });
  // The environment is created next to its final path and moved when it is complete, so that interrupted or concurrent starts leave no
  // partial environment.
  const draft = await mkdtemp(join(folder, 'draft-'));
  try {
    onProgress(`making a private Python environment in ${home} (only the first time)`);
    await runOrThrow(python.file, ['-m', 'venv', draft], environment);
    onProgress(`fetching ${requirements.join(' and ')} from PyPI`);
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet', ...requirements];
    await runOrThrow(join(draft, 'bin', 'python'), pip, environment, `${python.file} ${pip.join(' ')} (in a private environment)`);
    await rename(draft, home).catch(async (cause: unknown) => {
      if (!(await exists(ready))) throw cause;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return ready;
}

async function runOrThrow(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  command = `${file} ${args.join(' ')}`,
): Promise<void> {
  const { code, output } = await run(file, args, environment);
  if (code !== 0) throw packagesError(command, output.trim().slice(-800));
}

function packagesError(command: string, output: string): HoldfastError {
  return new HoldfastError({
    code: 'PYTHON_PACKAGES',
    message: 'The Python packages of the practice server could not be installed.',
    hint: `This command failed: ${command}\nIts output: ${output}\nThe packages come from PyPI. Check that this machine is online, and that pip reaches PyPI.`,
  });
}

async function run(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const program = await startProgram({ name: 'Python', file, args, environment, directory: process.cwd() }).catch(() => null);
  if (!program) return { code: null, output: '' };
  program.child.stdin?.end();
  const timer = setTimeout(() => void program.stop(), LIMIT_MS);
  await program.ended;
  clearTimeout(timer);
  return { code: program.child.exitCode, output: program.getOutput() };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
