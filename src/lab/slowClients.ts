import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import { numberOption } from './lab.ts';
import type { Part } from './supervisor/part.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

/** The option for clients on slow lines, which hold their connections for a long time. */
export const slowClientsOption = numberOption('Slow clients', null, [1, 2_000], {
  help: 'These connections stay open during the test. Each sends its request one letter at a time.',
  fault: true,
});

/** Starts slow clients that connect to a server on 127.0.0.1. Starts none if `clients` is null. */
export async function addSlowClients(supervisor: Supervisor, port: number, clients: number | null): Promise<void> {
  if (clients !== null) await supervisor.part('slow-clients', 'slow clients', { host: '127.0.0.1', port, clients });
}

const settingsSchema = z.object({ host: z.string(), port: z.int(), clients: z.int() });

const LETTER_EVERY_MS = 250;
const RECONNECT_DELAY_MS = 500;

/** Keeps a number of connections open that each send a request character by character. Closed connections are opened again. */
export function startSlowClients(input: unknown): Promise<Part> {
  const { host, port, clients } = settingsSchema.parse(input);
  const request = `GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nX-Slow: ${'z'.repeat(2_000)}`;
  const sockets = new Set<Socket>();
  let isClosed = false;
  const open = (): void => {
    if (isClosed) return;
    let sentCount = 0;
    const socket = connect(port, host);
    sockets.add(socket);
    const timer = setInterval(() => {
      if (socket.writable) socket.write(request.charAt(sentCount));
      sentCount = Math.min(sentCount + 1, request.length - 1);
    }, LETTER_EVERY_MS);
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer);
        sockets.delete(socket);
        setTimeout(open, RECONNECT_DELAY_MS);
      })
      .resume();
  };
  for (let client = 0; client < clients; client += 1) open();
  return Promise.resolve({
    facts: { clients },
    commands: { open: () => sockets.size },
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    },
  });
}
