import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { capture } from './run.mjs';
import { say } from './say.mjs';
import { takeTurn } from './turn.mjs';

const folders = ['src', 'workers', 'electron'];
const files = ['LICENSE', 'package.json', 'package-lock.json', 'tools/package/licences.ts', 'tools/package/notices.ts', 'vite.config.ts'];
const notBuilt = /(\.test\.tsx?$|(^|[\\/])testing[\\/]|tsconfig\.json$|\.md$)/;

/** A digest of everything the build is made from. Contents, not times: a fresh checkout has new times and the same build. */
export async function sourceDigest(root) {
  const found = [...files];
  for (const folder of folders) {
    for (const entry of await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) found.push(path.relative(root, path.join(entry.parentPath, entry.name)));
    }
  }
  const digest = createHash('sha256');
  for (const name of found.filter((name) => !notBuilt.test(name)).sort()) {
    digest
      .update(name.replaceAll('\\', '/'))
      .update('\0')
      .update(await readFile(path.join(root, name)))
      .update('\0');
  }
  return digest.digest('hex');
}

const stampFile = (root) => path.join(root, 'dist', '.built-from');

async function isOf(root, digest) {
  return (await readFile(stampFile(root), 'utf8').catch(() => '')) === digest;
}

/** Whether what lies in `dist` was made from these very sources. */
export async function isBuilt(root) {
  return existsSync(stampFile(root)) && isOf(root, await sourceDigest(root));
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
