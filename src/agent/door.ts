import { once } from 'node:events';
import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { makeOwnFolder } from '#engine/ownFolder.ts';

/**
 * Opens a Unix socket in a new folder that only this user may enter; later connections come in here, and no port is opened. Both are removed when the process
 * exits. Resolves to the socket's path, or to null if it cannot be opened, for example because the path of the temporary folder is too long for a socket.
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
    // The socket must not keep an ended agent alive.
    server.unref();
    process.on('exit', remove);
    return path;
  } catch {
    remove();
    return null;
  }
}

/** Removes the socket and the folder of a killed agent. */
export function removeDoor(path: string): void {
  try {
    unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // Already removed, or not permitted.
  }
}
