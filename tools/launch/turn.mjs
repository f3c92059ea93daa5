import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const lookAgainMs = 200;

/**
 * Waits until no other process works on `name` in this checkout. Returns a function that ends this process's turn. Without turns, two
 * installations or builds would be mixed in one folder. The turn of a process that has died is ignored.
 */
export async function takeTurn(root, name) {
  const file = path.join(root, '.build', `${name}.turn`);
  await mkdir(path.dirname(file), { recursive: true });
  // The file is created by a link, so that no process ever reads it before it contains its owner.
  const own = `${file}.${crypto.randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    for (;;) {
      try {
        await link(own, file);
        return () => rm(file, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const owner = Number(await readFile(file, 'utf8').catch(() => ''));
      if (owner > 0 && !isAlive(owner)) await rm(file, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
  } finally {
    await rm(own, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
