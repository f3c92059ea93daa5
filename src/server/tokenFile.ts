import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes the address with its token where only this user can read it, so that one's own programs can find a running Holdfast.
 * Returns what removes it; it means nothing once the process is gone.
 */
export async function writeTokenFile(dataDirectory: string, port: number, url: string): Promise<() => Promise<void>> {
  const file = join(dataDirectory, 'web', `${port}.url`);
  await mkdir(join(dataDirectory, 'web'), { recursive: true, mode: 0o700 });
  // A file left behind by a crash keeps its mode when it is written over, whatever that was: so it goes first.
  await rm(file, { force: true });
  await writeFile(file, `${url}\n`, { mode: 0o600, flag: 'wx' });
  return () => rm(file, { force: true });
}
