// Installs the package from this checkout for a build. `key` prints a hash of everything from which the package is made.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['package.json', 'package-lock.json', 'vite.config.ts', 'src', 'workers', 'presets', 'tools'];

const [command, folder] = process.argv.slice(2);
if (command === 'key') console.log(hashSources());
else if (command === 'install' && folder !== undefined) install(folder);
else {
  console.error('Usage: installation.mjs key | install FOLDER');
  process.exitCode = 2;
}

function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => listFiles(name)).toSorted()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function listFiles(name) {
  const path = join(root, name);
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function install(target) {
  const stamp = join(target, 'sources');
  const key = hashSources();
  // A cache that was restored by the name of a branch may contain the program of an earlier commit, or only a part of it.
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  npm(root, 'ci', '--no-audit', '--no-fund');
  // npm pack does not build: .npmrc turns life-cycle scripts off.
  npm(root, 'run', 'build');
  npm(root, 'pack', '--pack-destination', target);
  const archive = readdirSync(target).find((name) => /^holdfast-.*\.tgz$/.test(name));
  npm(target, 'install', '--prefix', target, '--no-audit', '--no-fund', join(target, archive));
  writeFileSync(stamp, key);
}

function npm(cwd, ...args) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });
}
