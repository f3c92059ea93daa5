import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabProcess } from './labProcess.ts';
import type { Scene } from './scene.ts';

/** Writes a file with the first accounts of a practice server, for `feeds`. The first few accounts may get a wrong password. */
export async function accountFile(
  scene: Scene,
  { accounts }: Pick<LabProcess, 'accounts'>,
  count = accounts.length,
  wrong = 0,
): Promise<string> {
  const lines = accounts
    .slice(0, count)
    .map(({ username, password }, index) => `${username},${index < wrong ? `not-${password}` : password}`);
  const file = join(scene.directory, 'accounts.csv');
  await writeFile(file, `username,password\n${lines.join('\n')}\n`);
  return file;
}
