import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { sweepOwnFolders } from '#engine/ownFolder.ts';
import { Conversation, type Link } from './conversation.ts';
import { openDoor } from './door.ts';

/**
 * Runs the agent on standard input and output. It ends with its standard input, or after the plan's grace period, so that no load outlives its owner for
 * long.
 */
export function serve(workerEntry: URL): void {
  void sweepOwnFolders();
  const end = (): never => process.exit(0);
  // Exit handlers remove files; a signal alone would not run them.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // The reader has gone.
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
