import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuild } from '../launch/build.mjs';
import { expectUsable, packPackage } from '../testing/packedPackage.ts';
import { root, run } from '../testing/processes.ts';

beforeAll(() => ensureBuild(root), 120_000);

/** Returns what a built file imports. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(join(root, 'dist', file), 'utf8');
  return [...text.matchAll(/^import\s[^'"\n]*?['"]([^'"\n]+)['"]/gm)].map(([, source = '']) => source);
}

/** Returns what a built file imports, except for Node's modules. */
async function packageImportsOf(file: string): Promise<string[]> {
  const imported = await importsOf(file);
  expect(imported.length).toBeGreaterThan(0);
  return [...new Set(imported.filter((source) => !isBuiltin(source)))];
}

describe('the build', () => {
  it('has a preload script that loads only Electron, as the sandbox requires', async () => {
    const preload = await readFile(join(root, 'dist', 'electron', 'preload.cjs'), 'utf8');
    expect(preload.match(/require\([^)]*\)/g)).toEqual(['require("electron")']);
  });

  it('has an agent in one file without packages', async () => {
    expect(await readdir(join(root, 'dist', 'agent'))).toEqual(['holdfast-agent.mjs']);
    expect(await packageImportsOf('agent/holdfast-agent.mjs')).toEqual([]);
  });

  it('has threads that each start from one file, with no packages but native ones', async () => {
    expect(await packageImportsOf('node/loadWorker.mjs')).toEqual([]);
    expect(await packageImportsOf('node/resultThread.mjs')).toEqual(['better-sqlite3']);
  });

  it('has commands that load few packages, and not those that Node loads with HTTP', async () => {
    const files = (await readdir(join(root, 'dist', 'node'), { recursive: true })).filter((file) => file.endsWith('.mjs'));
    const imported = await Promise.all(files.map((file) => importsOf(`node/${file}`)));
    expect(imported.flat()).toContain('node:net');
    expect(imported.flat()).not.toContain('node:http');
    // Imports in scripts for k6 are skipped, because these scripts are text.
    const packages = imported.flat().filter((source) => !isBuiltin(source) && !/^(?:\.|k6\/)/.test(source));
    expect([...new Set(packages)].toSorted()).toEqual(['better-sqlite3', 'pg', 'pino', 'ssh2']);
  });
});

describe('the packed package in an empty folder', () => {
  it('prints its version, lists its presets and runs a load, with only the packages that it names', { timeout: 120_000 }, async () => {
    const { file, paths, project } = await packPackage();
    const strays = paths.filter(
      (path) => !/^(dist|tools\/launch)\/|^(package\.json|README\.md|LICENSE|docs\/plan\.schema\.json)$/.test(path),
    );
    expect(strays).toEqual([]);
    expect(paths.filter((path) => path.startsWith('dist/electron/'))).toEqual([]);
    expect(paths).toContain('dist/THIRD-PARTY-NOTICES.txt');
    expect(paths.filter((path) => /\.tsx?$|\.test\.|\.map$/.test(path))).toEqual([]);

    const packages = join(project, 'node_modules');
    const own = join(packages, 'holdfast');
    await mkdir(own, { recursive: true });
    expect(await run('tar', ['-xzf', file, '--strip-components=1', '-C', own], { cwd: project })).toMatchObject({ code: 0 });
    const { bin, dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
      bin: { holdfast: string };
      dependencies: Record<string, string>;
    };
    // The packages that npm would install from the registry, and the command, are linked.
    for (const name of Object.keys(dependencies)) await symlink(join(root, 'node_modules', name), join(packages, name));
    const program = join(own, bin.holdfast);
    await chmod(program, 0o755);
    await expectUsable(project, program);
  });
});
