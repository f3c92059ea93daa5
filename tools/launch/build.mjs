import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { capture } from './run.mjs';
import { say } from './say.mjs';
import { takeTurn } from './turn.mjs';

const folders = ['src', 'workers', 'electron', 'presets'];
const files = [
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tools/package/firstScreen.ts',
  'tools/package/licences.ts',
  'tools/package/notices.ts',
  'tools/package/presets.ts',
  'vite.config.ts',
];
const notBuilt = /(\.test\.tsx?$|(^|\/)testing\/|tsconfig\.json$|\.md$)/;

/** The files that the build is made from, in one order on all systems. */
function sources(root) {
  const found = [...files];
  // Node's own recursive reading takes five times as long.
  const enter = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) enter(name);
      else if (entry.isFile()) found.push(name);
    }
  };
  folders.forEach(enter);
  return found.filter((name) => !notBuilt.test(name)).sort();
}

/** A digest of everything the build is made from. Contents, not times: a fresh checkout has new times and the same build. */
export async function sourceDigest(root) {
  // Loaded only now: whoever starts a command seldom needs it, and it takes as long as to look at all sources.
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha256');
  for (const name of sources(root)) {
    digest
      .update(name)
      .update('\0')
      .update(await readFile(path.join(root, name)))
      .update('\0');
  }
  return digest.digest('hex');
}

/** The coarsest clock of a file system that is still in use, FAT's, counts in steps of two seconds. */
const clockStepNs = 2_000_000_000n;

/**
 * What can be known of the same files without reading them: their names, sizes, times and inodes, and when the last of them changed. An editor can put the
 * time of a file's contents back (mtime), but hardly that of its change (ctime).
 */
function lookAt(root) {
  let look = '';
  let lastChangeNs = 0n;
  for (const name of sources(root)) {
    const { size, mtimeNs, ctimeNs, ino } = lstatSync(path.join(root, name), { bigint: true });
    look += `${name} ${size} ${mtimeNs} ${ctimeNs} ${ino}\n`;
    if (ctimeNs > lastChangeNs) lastChangeNs = ctimeNs;
  }
  return { look, lastChangeNs };
}

const stampFile = (root) => path.join(root, 'dist', '.built-from');
const looksFile = (root) => path.join(root, '.build', 'sources-looked-like');

const readOrNothing = (file) => readFile(file, 'utf8').catch(() => '');

async function isOf(root, digest) {
  return (await readOrNothing(stampFile(root))) === digest;
}

/**
 * Remembers how sources looked whose contents are known. Not where one of them changed just now: it could change again within one step of the file
 * system's clock, and look the same. That clock is asked by a file that is written, for it may be another one than ours.
 */
async function rememberLook(root, digest, { look, lastChangeNs }) {
  const own = `${looksFile(root)}.${process.pid}`;
  try {
    await mkdir(path.dirname(own), { recursive: true });
    await writeFile(own, `${digest}\n${look}`);
    const isSettled = lstatSync(own, { bigint: true }).ctimeNs - lastChangeNs > clockStepNs;
    await (isSettled ? rename(own, looksFile(root)) : rm(own));
  } catch {
    // Where nothing can be written, the sources are read each time.
  }
}

/** Whether what lies in `dist` was made from these very sources: they are read only where they look otherwise than when they were read last. */
export async function isBuilt(root) {
  const built = await readOrNothing(stampFile(root));
  if (built === '' || !existsSync(path.join(root, 'dist', 'node', 'cli.mjs'))) return false;
  try {
    const seen = lookAt(root);
    if ((await readOrNothing(looksFile(root))) === `${built}\n${seen.look}`) return true;
    if ((await sourceDigest(root)) !== built) return false;
    await rememberLook(root, built, seen);
    return true;
  } catch {
    // A file that was removed while it was looked at: whatever the build was made from, it is of other sources now.
    return false;
  }
}

/** Builds into `dist` unless what lies there was made from these very sources. `force` builds in any case. */
export async function ensureBuild(root, { node = process.execPath, environment = process.env, force = false } = {}) {
  const digest = await sourceDigest(root);
  if (!force && (await isOf(root, digest))) return;
  const release = await takeTurn(root, 'build');
  try {
    if (!force && (await isOf(root, digest))) return;
    say('building');
    await rm(stampFile(root), { force: true });
    await rm(path.join(root, '.build', 'compiled'), { recursive: true, force: true });
    const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const { code, output } = await capture(node, [vite, 'build', '--logLevel', 'warn'], {
      cwd: root,
      // A test runner says `test`, which would put React's development build, larger by 70 kB packed, into the page.
      env: { ...environment, NODE_ENV: 'production', NO_COLOR: '1' },
    });
    if (code !== 0) throw new Error(`The build failed:\n${output.trimEnd()}`);
    await writeFile(stampFile(root), digest);
  } finally {
    await release();
  }
}
