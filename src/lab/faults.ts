import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { breakOption, Breaks } from './breaks.ts';
import { numberOption, switchOption } from './lab.ts';

const MAX_VALUE = 1_000_000;
const oneInOption = (label: string, help: string) => numberOption(label, null, [1, MAX_VALUE], { help, fault: true });

/** Faults that any practice server can have. "One in N" means exactly every Nth request, so that a test can count them. */
export const faultOptions = {
  'slow-one-in': oneInOption('Slow responses: one in', 'Every Nth response takes longer: a tail in the percentiles.'),
  'slow-by-ms': numberOption('Extra time of a slow response', 5_000, [1, 120_000], { unit: 'ms', fault: true }),
  'short-one-in': oneInOption('Bodies one byte short: one in', 'Only the length differs, as with a number that changes. Nothing failed.'),
  'empty-one-in': oneInOption('Empty bodies: one in', 'Status 200 without a body: a real failure that the status hides.'),
  'drop-one-in': oneInOption('Dropped connections: one in', 'The connection closes without a response.'),
  'leak-one-in': oneInOption('Leaked connections: one in', 'An inner connection opens and never closes, at most 20,000.'),
  'connect-per-request': switchOption('A new inner connection per request', false, {
    help: 'Opened and closed for each request: the closed ones use up ports.',
    fault: true,
  }),
  break: breakOption,
} as const;

export type FaultSettings = ValuesOf<typeof faultOptions>;

const MAX_LEAKED = 20_000;

export interface Faults {
  readonly handler: RequestHandler;
  readonly breaks: Breaks;
  /** Number of leaked connections that are open. */
  readonly leaked: number;
  /** Closes leaked connections, as a restart of the server would, and returns their number. */
  endLeaked(): number;
  close(): Promise<void>;
}

/** An inner connection, for example to a database. */
export interface InnerConnection {
  end(): void;
  destroy(): void;
}

/**
 * Applies faults to the requests of one server. If no fault is set, requests are unchanged. `connectInner` opens the connections that are
 * leaked or opened for each request; the default is a TCP connection to a server that only holds it. `breaks` is shared with other servers.
 */
export async function makeFaults(
  settings: FaultSettings,
  connectInner?: () => Promise<InnerConnection>,
  breaks = new Breaks(settings.break),
): Promise<Faults> {
  const isInner = settings['leak-one-in'] !== null || settings['connect-per-request'];
  const holder = isInner && !connectInner ? await openHolder() : null;
  const open = connectInner ?? (holder ? () => openTo(holder.port) : null);
  const leaked = new Set<InnerConnection>();
  let requests = 0;
  const isTurn = (oneIn: number | null): boolean => oneIn !== null && requests % oneIn === 0;
  const handler: RequestHandler = async (request, response, next) => {
    requests += 1;
    if (isTurn(settings['drop-one-in'])) return void request.socket.destroy();
    if (isTurn(settings['empty-one-in'])) changeBody(response, () => Buffer.alloc(0));
    else if (isTurn(settings['short-one-in'])) changeBody(response, (body) => body.subarray(0, -1));
    const isSlow = isTurn(settings['slow-one-in']);
    if (open && isTurn(settings['leak-one-in']) && leaked.size < MAX_LEAKED) leaked.add(await open());
    if (open && settings['connect-per-request']) (await open()).end();
    if (isSlow) await sleep(settings['slow-by-ms']);
    breaks.handler(request, response, next);
  };
  const endLeaked = (): number => {
    const count = leaked.size;
    for (const connection of leaked) connection.destroy();
    leaked.clear();
    return count;
  };
  return {
    handler,
    breaks,
    get leaked() {
      return leaked.size;
    },
    endLeaked,
    async close() {
      endLeaked();
      await holder?.close();
    },
  };
}

interface Holder {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server that acts as a database: it accepts connections and holds them. */
async function openHolder(): Promise<Holder> {
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    held.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => held.delete(socket))
      .resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const socket of held) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function openTo(port: number): Promise<InnerConnection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

/** Sends a changed body, with its new length in the headers. */
function changeBody(response: Response, change: (body: Buffer) => Buffer): void {
  const end = response.end.bind(response);
  response.end = ((chunk?: unknown, ...rest: unknown[]) => {
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return Reflect.apply(end, response, [chunk, ...rest]);
    const body = change(Buffer.from(chunk));
    if (!response.headersSent) response.setHeader('Content-Length', body.length);
    return end(body);
  }) as Response['end'];
}
