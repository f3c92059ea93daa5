import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { capture, print } from './run.mjs';
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

/** Returns the input files of the build. Their order is the same on all systems. */
function sources(root) {
  const found = [...files];
  // Folders are read here, because Node's own recursive reading takes five times as long.
  const readFolder = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) readFolder(name);
      else if (entry.isFile()) found.push(name);
    }
  };
  folders.forEach(readFolder);
  return found.filter((name) => !notBuilt.test(name)).sort();
}

/**
 * Returns a digest of the contents of all input files of the build. Times are not used, because a fresh checkout has new times but the same
 * build.
 */
export async function sourceDigest(root) {
  // Loaded on demand, because commands seldom need it, and loading it takes as long as reading the metadata of all sources.
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

/** Resolution of the coarsest clock of a file system in use: two seconds on FAT. */
const clockStepNs = 2_000_000_000n;

/**
 * Returns names, sizes, times and inodes of the input files without reading the files, and the time of the last change. An editor can reset
 * mtime, but hardly ctime.
 */
function readMetadata(root) {
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
const metadataFile = (root) => path.join(root, '.build', 'sources-looked-like');

const readOrNothing = (file) => readFile(file, 'utf8').catch(() => '');

async function hasDigest(root, digest) {
  return (await readOrNothing(stampFile(root))) === digest;
}

/**
 * Stores the metadata of sources whose contents are known. Nothing is stored after a very recent change, because another change within the
 * same clock step would leave the same metadata. The file system's own clock is read from a new file.
 */
async function storeMetadata(root, digest, { look, lastChangeNs }) {
  const own = `${metadataFile(root)}.${process.pid}`;
  try {
    await mkdir(path.dirname(own), { recursive: true });
    await writeFile(own, `${digest}\n${look}`);
    const isSettled = lstatSync(own, { bigint: true }).ctimeNs - lastChangeNs > clockStepNs;
    await (isSettled ? rename(own, metadataFile(root)) : rm(own));
  } catch {
    // If nothing can be written, the sources are read again each time.
  }
}

/**
 * Returns whether `dist` was built from the current sources. The sources are read only if their metadata has changed since they were last
 * read.
 */
export async function isBuilt(root) {
  const built = await readOrNothing(stampFile(root));
  if (built === '' || !existsSync(path.join(root, 'dist', 'node', 'cli.mjs'))) return false;
  try {
    const seen = readMetadata(root);
    if ((await readOrNothing(metadataFile(root))) === `${built}\n${seen.look}`) return true;
    if ((await sourceDigest(root)) !== built) return false;
    await storeMetadata(root, built, seen);
    return true;
  } catch {
    // A file was removed in the meantime, so the build is from other sources.
    return false;
  }
}

/** Builds into `dist`, unless `dist` was built from the current sources. With `force`, builds in any case. */
export async function ensureBuild(root, { node = process.execPath, environment = process.env, force = false } = {}) {
  const digest = await sourceDigest(root);
  if (!force && (await hasDigest(root, digest))) return;
  const release = await takeTurn(root, 'build');
  try {
    if (!force && (await hasDigest(root, digest))) return;
    print('building');
    await rm(stampFile(root), { force: true });
    await rm(path.join(root, '.build', 'compiled'), { recursive: true, force: true });
    const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const { code, output } = await capture(node, [vite, 'build', '--logLevel', 'warn'], {
      cwd: root,
      // If NODE_ENV were `test`, as set by a test runner, the page would contain React's development build, which is 70 kB larger when
      // compressed.
      env: { ...environment, NODE_ENV: 'production', NO_COLOR: '1' },
    });
    if (code !== 0) throw new Error(`The build failed:\n${output.trimEnd()}`);
    await writeFile(stampFile(root), digest);
  } finally {
    await release();
  }
}
