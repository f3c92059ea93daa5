import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, run, print } from './run.mjs';
import { takeTurn } from './turn.mjs';

async function readLock(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/**
 * Returns whether `node_modules` matches the lock file. npm writes its own list of what is installed at the end, so an interrupted
 * installation does not match. Optional packages may be missing, because they may be for other platforms.
 */
export function matchesInstalled(wanted, installed) {
  const names = Object.keys(wanted).filter((name) => name !== '');
  return (
    names.every((name) => {
      const there = installed[name];
      if (!there) return wanted[name].optional === true;
      return there.version === wanted[name].version && there.integrity === wanted[name].integrity;
    }) && Object.keys(installed).every((name) => Object.hasOwn(wanted, name))
  );
}

/** Returns the state of the installation: missing, different from the lock file, or matching. */
async function stateOf(root) {
  const wanted = await readLock(path.join(root, 'package-lock.json'));
  if (!wanted) throw new Error(`No readable package-lock.json in ${root}. Check that this is a complete copy of the project.`);
  const installed = await readLock(path.join(root, 'node_modules', '.package-lock.json'));
  if (!installed) return 'nothing';
  return matchesInstalled(wanted, installed) ? 'right' : 'other';
}

/** Runs `npm ci` if the dependencies are missing or do not match the lock file. */
export async function ensureDependencies(root, environment = process.env) {
  if ((await stateOf(root)) === 'right') return;
  const release = await takeTurn(root, 'install');
  try {
    const state = await stateOf(root);
    if (state === 'right') return;
    print(state === 'other' ? 'the dependencies changed: npm ci' : 'installing the dependencies: npm ci');
    await install(root, environment);
  } finally {
    await release();
  }
}

async function install(root, environment) {
  const npm = npmCommand(environment);
  const code = await run(npm.command, [...npm.before, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: npm.shell,
    env: { ...environment, NODE_ENV: '' },
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code !== 0) {
    throw new Error(`npm ci failed (status ${code}): its own message is above. Check the connection to the npm registry and try again.`);
  }
}
