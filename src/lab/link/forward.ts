import type { Part } from '../supervisor/part.ts';
import { z } from 'zod';
import { Transform } from 'node:stream';
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server, type Socket } from 'node:net';

export interface Forward {
  /** The port on which the forwarder listens; 0 for a Unix socket. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Accepts connections at one address and forwards their bytes to another, in both directions, with backpressure. The address may be a Unix
 * socket, which is reachable from every network namespace of a machine. `delayMs` is the one-way delay in each direction.
 */
export async function forward(from: ListenOptions, to: NetConnectOpts, delayMs = 0): Promise<Forward> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ ...to, allowHalfOpen: true, noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => passErrorOn(other));
      one.on('close', (hadError) => {
        open.delete(one);
        if (hadError) passErrorOn(other);
      });
      if (delayMs > 0) one.pipe(delayStream(delayMs)).pipe(other);
      else one.pipe(other);
    }
  });
  await listen(server, from);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Maximum amount of data in flight: more than a line of 100 Mbit/s carries in 300 ms. */
const MAX_BUFFERED_BYTES = 4 * 1_024 * 1_024;

/** Delays data, and the end of a stream. Stops reading while the other side has not caught up. */
function delayStream(delayMs: number): Transform {
  let underWay = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      underWay += chunk.length;
      const isFull = underWay + this.readableLength > MAX_BUFFERED_BYTES;
      setTimeout(() => {
        underWay -= chunk.length;
        this.push(chunk);
        // If the buffer is full, the callback waits until the chunk has been pushed.
        if (isFull) done();
      }, delayMs);
      if (!isFull) done();
    },
    flush(done) {
      setTimeout(done, delayMs);
    },
  });
}

/** Passes an error at one end of a connection to the other end. */
function passErrorOn(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

function listen(server: Server, from: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...from, backlog: 1_024 }, resolve);
  });
}

/** The ports in the line's network. Each has the Unix sockets at both ends of the line, which lie outside of this network. */
const settingsSchema = z.object({ ports: z.array(z.object({ port: z.int(), entry: z.string(), exit: z.string() })) });

/**
 * Starts the line in its own network namespace. Data from `entry` passes through the loopback to `port`, and continues to `exit`. Programs
 * in this network connect to `port` directly.
 */
export async function startLink(input: unknown): Promise<Part> {
  const { ports } = settingsSchema.parse(input);
  const forwards: Forward[] = [];
  for (const { port, entry, exit } of ports) {
    forwards.push(await forward({ host: '127.0.0.1', port }, { path: exit }));
    forwards.push(await forward({ path: entry }, { host: '127.0.0.1', port }));
  }
  return {
    facts: { ports: ports.length },
    async close() {
      await Promise.all(forwards.map((one) => one.close()));
    },
  };
}
