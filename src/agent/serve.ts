import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { once } from 'node:events';
import { rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { sweepOwnFolders, makeOwnFolder } from '#engine/ownFolder.ts';
import { Conversation, type Link } from './conversation.ts';

/**
 * Runs the agent on standard input and output. The agent exits when standard input closes or, if the plan allows reconnecting, after a
 * grace period. Otherwise its load would outlive the controlling process.
 */
export function serve(workerEntry: URL): void {
  void sweepOwnFolders();
  const end = (): never => process.exit(0);
  // Signals must lead to a normal exit, because a signal alone would not run the exit handlers, which remove files.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // Ignored, because such an error only means that nobody reads standard error any more.
  process.stderr.on('error', () => {});
  const first = linkOver(process.stdin, process.stdout);
  const conversation = new Conversation(first.link, {
    workerEntry,
    openDoor: () => openDoor((socket) => linkOver(socket, socket).follow(conversation)),
    onEnd: end,
  });
  first.follow(conversation);
}

/** Exchanges lines over a pair of streams. */
function linkOver(input: Readable, output: Writable): { readonly link: Link; follow(conversation: Conversation): void } {
  const link: Link = {
    send: (line) => void output.write(`${JSON.stringify(line)}\n`),
    close() {
      input.destroy();
      output.destroy();
    },
  };
  return {
    link,
    follow(conversation) {
      const lines = createInterface({ input });
      lines.on('line', (line) => {
        if (line.trim() !== '') conversation.take(link, line);
      });
      lines.on('close', () => conversation.lose(link));
      input.on('close', () => conversation.lose(link));
      for (const stream of [input, output]) stream.on('error', () => conversation.lose(link));
    },
  };
}

/**
 * Opens a Unix socket for later connections, in a new folder that only this user may enter. No port is opened. Socket and folder are
 * removed when the process exits. Resolves to the socket's path, or to null if the socket cannot be opened, for example because the path of
 * the temporary folder is too long for a socket.
 */
async function openDoor(onSocket: (socket: Socket) => void): Promise<string | null> {
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
    // The file was already removed, or removing it is not permitted.
  }
}
