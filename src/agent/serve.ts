import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { sweepOwnFolders } from '#engine/ownFolder.ts';
import { Conversation, type Link } from './conversation.ts';
import { openDoor } from './door.ts';

/**
 * Runs the agent on standard input and output. It lives as long as its standard input, and where the plan allows its owner to come back, for that
 * time longer: no load goes on when the one who wanted it is gone.
 */
export function serve(workerEntry: URL): void {
  void sweepOwnFolders();
  const end = (): never => process.exit(0);
  // So that what is removed at the exit is removed then too.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // Whoever could have read it is gone.
  process.stderr.on('error', () => {});
  const first = linkOver(process.stdin, process.stdout);
  const conversation = new Conversation(first.link, {
    workerEntry,
    openDoor: () => openDoor((socket) => linkOver(socket, socket).follow(conversation)),
    onEnd: end,
  });
  first.follow(conversation);
}

/** Lines over a pair of streams. */
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
