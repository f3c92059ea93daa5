import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { npmCommand } from '../launch/run.mjs';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';

it('npm ci installs from the lock file alone, without install scripts', { timeout: 180_000 }, async () => {
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
