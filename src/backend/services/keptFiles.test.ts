import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createFileCalls, removeUnusedFiles } from './keptFiles.ts';

it('a file is kept for its owner only, and beside another file of the same name with different contents', async () => {
  const directory = temporaryDirectory();
  const keep = createFileCalls(directory)['files.keep'];
  const { path } = await keep({ name: 'accounts.csv', text: 'username,password\na,b\n' });
  expect(readFileSync(path, 'utf8')).toBe('username,password\na,b\n');
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  const other = await keep({ name: 'accounts.csv', text: 'username,password\nc,d\n' });
  expect(other.path).not.toBe(path);
  expect(await keep({ name: 'accounts.csv', text: 'username,password\na,b\n' })).toEqual({ path });
});

it.each([
  ['../../etc/passwd', 'passwd'],
  ['..', 'file'],
  ['C:\\lists\\my list.csv', 'my list.csv'],
  ['a\u0000b\n.csv', 'a_b_.csv'],
])('a file called %j stays in the data directory', async (name, kept) => {
  const directory = temporaryDirectory();
  const { path } = await createFileCalls(directory)['files.keep']({ name, text: 'x' });
  expect(path).toBe(join(dirname(path), kept));
  expect(path.startsWith(join(directory, 'files'))).toBe(true);
});

it('a kept file is removed after 30 days, unless a stored plan names it', async () => {
  const directory = temporaryDirectory();
  const keep = createFileCalls(directory)['files.keep'];
  const [named, unused, fresh] = await Promise.all(['named', 'unused', 'fresh'].map((text) => keep({ name: 'accounts.csv', text })));
  const paths = [named, unused, fresh].map((file) => file?.path ?? '');
  const now = Date.now();
  for (const path of paths.slice(0, 2)) utimesSync(dirname(path), new Date(now - 31 * 86_400_000), new Date(now - 31 * 86_400_000));
  const plan = JSON.stringify({ feeds: { accounts: { file: paths[0] } } });
  expect(await removeUnusedFiles(directory, (text) => plan.includes(text), now)).toBe(1);
  expect(paths.map((path) => existsSync(path))).toEqual([true, false, true]);
  // Choosing a file again keeps it for another 30 days.
  await keep({ name: 'accounts.csv', text: 'named' });
  expect(await removeUnusedFiles(directory, () => false, now)).toBe(0);
  expect(await removeUnusedFiles(temporaryDirectory(), () => false, now)).toBe(0);
});
