import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Licences that allow redistributing built code under any licence if their own text is included. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  // The licence of a font, which is bundled unchanged.
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]);

const lockedSchema = z.object({
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
const lockSchema = z.object({ packages: z.record(z.string(), lockedSchema) });
/** The fields of a manifest. Packages from before 2014 use `licenses`. */
const manifestSchema = z.object({ license: z.string().optional(), licenses: z.array(z.object({ type: z.string() })).optional() });

/** Folders that contain the sources of the build. */
const BUILT_FROM = ['src', 'workers', 'electron'];

export interface ShippedPackage {
  /** Path of the installed package, such as `node_modules/a/node_modules/b`. */
  readonly path: string;
  readonly licence: string | null;
}

/** Returns whether at least one alternative in an SPDX expression consists only of allowed licences. */
export function isAllowed(licence: string | null): boolean {
  return (licence ?? '')
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => ALLOWED_LICENCES.has(part)));
}

/**
 * Returns all packages that users get: dependencies, bundled packages, and the dependencies of both. `root` is the folder with
 * package.json, package-lock.json and node_modules.
 */
export async function shippedPackages(root: string): Promise<readonly ShippedPackage[]> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const locked = new Map(Object.entries(packages));
  const own = locked.get('');
  const names = [...Object.keys(own?.dependencies ?? {}), ...(await listBundled(root, Object.keys(own?.devDependencies ?? {})))];
  const waiting = names.map((name) => `node_modules/${name}`);
  const found = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const one = locked.get(path);
    if (!one || found.has(path)) continue;
    found.add(path);
    for (const name of Object.keys({ ...one.dependencies, ...one.optionalDependencies })) {
      const place = findInstalled(locked, path, name);
      if (place !== null) waiting.push(place);
    }
  }
  return await Promise.all(
    [...found].sort().map(async (path) => ({ path, licence: locked.get(path)?.license ?? (await licenceInManifest(join(root, path))) })),
  );
}

/**
 * Returns the packages among `names` that the build imports. For npm these are development dependencies, but they become part of the build.
 */
async function listBundled(root: string, names: readonly string[]): Promise<readonly string[]> {
  const files = (await Promise.all(BUILT_FROM.map((folder) => filesIn(root, folder)))).flat();
  const sources = files.filter((file) => /\.(?:tsx?|css)$/.test(file) && !/\.test\.tsx?$|[\\/]testing[\\/]/.test(file));
  const texts = await Promise.all(sources.map((file) => readFile(file, 'utf8')));
  // Electron is excluded, because it is the program around the app and has its own notices.
  return names.filter((name) => name !== 'electron' && texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)));
}

async function filesIn(root: string, folder: string): Promise<readonly string[]> {
  const files = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return files.map((file) => join(root, folder, file));
}

/** Finds a package as Node does: in the folder of the importing package, then in each parent folder. */
function findInstalled(locked: ReadonlyMap<string, unknown>, from: string, name: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (locked.has(path)) return path;
    if (base === '') return null;
  }
}

async function licenceInManifest(folder: string): Promise<string | null> {
  try {
    const { license, licenses } = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? null;
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const shipped = await shippedPackages(resolve(import.meta.dirname, '..', '..'));
  const refusedPackages = shipped.filter(({ licence }) => !isAllowed(licence));
  for (const { path, licence } of refusedPackages) console.error(`${path}: ${licence ?? 'no licence known'}`);
  console.log(`${shipped.length} packages are shipped, ${refusedPackages.length} of them under a licence that is not allowed.`);
  if (refusedPackages.length > 0) process.exitCode = 1;
}
