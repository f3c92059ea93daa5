import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { npmCommand } from '../launch/run.mjs';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';

it('npm ci installs from the lock alone, without running any install script', { timeout: 180_000 }, async () => {
  const folder = await emptyFolder();
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(root, file), join(folder, file));
  const npm = npmCommand();
  const installed = await run(npm.command, [...npm.before, 'ci', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    env: plainEnvironment(),
  });
  expect(installed.stderr).not.toMatch(/npm error/);
  expect(installed.code).toBe(0);
  const probe = "new (require('better-sqlite3'))(':memory:').prepare('select 1 as one').get().one";
  expect(await run(process.execPath, ['-p', probe], { cwd: folder })).toEqual({ code: 0, stdout: '1\n', stderr: '' });
});

it('the lock names no host, and pins every package by its contents', async () => {
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
