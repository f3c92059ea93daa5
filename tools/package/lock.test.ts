import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { npmCommand } from '../launch/run.mjs';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';

// lock.nightly.test.ts performs such an installation.
it('npm ci can install from the lock file alone, without install scripts', async () => {
  const folder = await emptyFolder();
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(root, file), join(folder, file));
  const npm = npmCommand();
  const options = { cwd: folder, env: plainEnvironment() };
  const tried = await run(npm.command, [...npm.before, 'ci', '--dry-run', '--offline', '--loglevel=error'], options);
  expect(tried.stderr).not.toMatch(/npm error/);
  expect(tried.code).toBe(0);
  expect((await run(npm.command, [...npm.before, 'config', 'get', 'ignore-scripts'], options)).stdout).toBe('true\n');
  // This installation was made without install scripts, so the only package with native code must work without them.
  const probe = "new (require('better-sqlite3'))(':memory:').prepare('select 1 as one').get().one";
  expect(await run(process.execPath, ['-p', probe], { cwd: root })).toEqual({ code: 0, stdout: '1\n', stderr: '' });
});

it('the lock file names no host, and pins every package by its hash', async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string; inBundle?: boolean }>;
  };
  const names = Object.keys(packages).filter((name) => name !== '');
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => packages[name]?.resolved !== undefined)).toEqual([]);
  expect(names.filter((name) => packages[name]?.integrity === undefined && packages[name]?.inBundle !== true)).toEqual([]);
});

it('every version in package.json is exact', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
