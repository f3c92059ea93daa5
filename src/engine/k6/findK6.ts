import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { promisify } from 'node:util';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { isKnownK6, parseK6Version, MIN_K6_VERSION } from '#core/k6/mainModule.ts';
import { childEnvironment } from '../childEnvironment.ts';

const run = promisify(execFile);

/** Maximum duration of `k6 version`, which takes a fraction of a second. */
const MAX_LOOKUP_MS = 15_000;

/** An installed k6. */
export interface K6Program {
  readonly path: string;
  readonly version: string;
}

/**
 * Returns the k6 on the PATH.
 * @throws `K6_MISSING`, or `K6_VERSION` for a version whose output is unknown.
 */
export async function findK6(path = 'k6'): Promise<K6Program> {
  const output = await run(path, ['version'], { timeout: MAX_LOOKUP_MS, windowsHide: true, env: childEnvironment() }).catch(
    (thrown: unknown) => {
      throw missingError(thrown);
    },
  );
  const version = parseK6Version(output.stdout);
  if (version === null || !isKnownK6(version)) throw unknownVersionError(version ?? (output.stdout.split('\n')[0] ?? '').slice(0, 80));
  return { path, version };
}

/** Returns the command that installs k6 on this system. The source is https://grafana.com/docs/k6/latest/set-up/install-k6/ */
export function installCommand(system: string = platform()): string {
  if (system === 'darwin') return 'brew install k6';
  if (system === 'win32') return 'winget install k6 --source winget';
  return 'sudo apt-get install k6';
}

function missingError(thrown: unknown): HoldfastError {
  const isAbsent = codeOf(thrown) === 'ENOENT';
  return new HoldfastError({
    code: 'K6_MISSING',
    message: isAbsent
      ? 'The plan needs k6, and no k6 is on the PATH of this computer.'
      : `The plan needs k6, and “k6 version” failed: ${thrown instanceof Error ? thrown.message.slice(0, 300) : String(thrown)}`,
    hint: `Install it: ${installCommand()} (https://grafana.com/docs/k6/latest/set-up/install-k6/ names its package source). Or leave out the engine to use Holdfast’s own.`,
  });
}

function unknownVersionError(version: string): HoldfastError {
  return new HoldfastError({
    code: 'K6_VERSION',
    message: `The k6 on the PATH has version “${version}”. The plan needs k6 ${MIN_K6_VERSION} or newer.`,
    hint: `Install a newer one: ${installCommand()}. Or leave out the engine to use Holdfast’s own.`,
  });
}
