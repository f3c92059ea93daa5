import { once } from 'node:events';
import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { makeOwnFolder } from '#engine/ownFolder.ts';

/**
 * A Unix socket in a new folder that only this user may enter, at which this process can be found again; no port is opened. Both are removed when the
 * process exits. Resolves to its path; null where there can be none, as with a name of the temporary folder that is too long for a socket.
 */
export async function openDoor(onSocket: (socket: Socket) => void): Promise<string | null> {
  let directory: string | null = null;
  const remove = (): void => {
    if (directory !== null) rmSync(directory, { recursive: true, force: true });
  };
  try {
    directory = await makeOwnFolder('agent');
    const path = join(directory, 'door');
    const server = createServer(onSocket);
    server.listen(path);
    await once(server, 'listening');
    server.on('error', () => {});
    // What lives is the load, not the door.
    server.unref();
    process.on('exit', remove);
    return path;
  } catch {
    remove();
    return null;
  }
}

/** Removes what an agent has left that was killed. */
export function removeDoor(path: string): void {
  try {
    unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // Somebody else has, or may not.
  }
}
