import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';
import { responseTo, type MadeResponse } from './responses.ts';
import { redisReply } from './bodies.ts';
import type { Draw } from './draw.ts';

/** The server's own counts, for comparison with the request outcomes of a load. */
export interface ServerCounts {
  /** Number of requests whose head is complete. */
  readonly requests: number;
  /** Number of complete and valid responses, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly connections: number;
}

const DRIP_EVERY_MS = 200;
const MAX_ENDLESS_BYTES = 256 * 1_048_576;
/** Share of responses after which the server sends data that was not requested on the same connection. */
const UNREQUESTED_DATA_SHARE = 0.0005;
const MAX_HEAD_BYTES = 4_194_304;

/**
 * A server that sends hostile strings and, in a share of its responses, invalid HTTP. It serves plain TCP, TLS and the protocol of Redis.
 */
export class HostileServer {
  private readonly draw: Draw;
  private readonly open = new Set<Socket>();
  private readonly servers: Server[] = [];
  private requests = 0;
  private connections = 0;
  private readonly statuses = new Map<number, number>();

  constructor(draw: Draw) {
    this.draw = draw;
  }

  get counts(): ServerCounts {
    return { requests: this.requests, connections: this.connections, statuses: Object.fromEntries(this.statuses) };
  }

  /** Starts to listen for HTTP. Resolves with the port. */
  http(): Promise<number> {
    return this.listen(createServer({ noDelay: true }, (socket) => this.serve(socket)));
  }

  https(options: TlsOptions): Promise<number> {
    return this.listen(createTlsServer(options, (socket) => this.serve(socket)));
  }

  redis(): Promise<number> {
    return this.listen(
      createServer((socket) => {
        this.track(socket);
        socket.on('data', (bytes) => void socket.write(redisReply(bytes.toString('latin1'), this.draw), 'latin1'));
      }),
    );
  }

  close(): void {
    for (const server of this.servers) server.close();
    for (const socket of this.open) socket.destroy();
  }

  private async listen(server: Server): Promise<number> {
    this.servers.push(server);
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
    return address.port;
  }

  private track(socket: Socket): void {
    this.open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => void this.open.delete(socket));
  }

  private serve(socket: Socket): void {
    this.connections += 1;
    this.track(socket);
    let unread = '';
    let bodyLeft = 0;
    socket.on('data', (bytes: Buffer) => {
      unread += bytes.toString('latin1');
      for (;;) {
        const skipped = Math.min(bodyLeft, unread.length);
        unread = unread.slice(skipped);
        bodyLeft -= skipped;
        const end = bodyLeft > 0 ? -1 : unread.indexOf('\r\n\r\n');
        if (end < 0) break;
        const head = unread.slice(0, end);
        unread = unread.slice(end + 4);
        bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        this.requests += 1;
        const [method = '', path = ''] = head.split(' ', 2);
        this.response(socket, method, path);
      }
      if (unread.length > MAX_HEAD_BYTES) socket.destroy();
    });
  }

  private response(socket: Socket, method: string, path: string): void {
    const newResponse = responseTo(path, this.draw);
    const bytes = method === 'HEAD' ? newResponse.bytes.subarray(0, newResponse.bytes.indexOf('\r\n\r\n') + 4) : newResponse.bytes;
    if (newResponse.status !== null) this.statuses.set(newResponse.status, (this.statuses.get(newResponse.status) ?? 0) + 1);
    socket.write(bytes);
    this.afterResponse(socket, newResponse);
  }

  private afterResponse(socket: Socket, { afterwards }: MadeResponse): void {
    switch (afterwards) {
      case 'closes':
        socket.end();
        return;
      case 'resets':
        // A TLS socket cannot be reset.
        if (socket instanceof TLSSocket) socket.destroy();
        else socket.resetAndDestroy();
        return;
      case 'drips': {
        const timer = setInterval(() => void socket.write('x'), DRIP_EVERY_MS);
        socket.on('close', () => clearInterval(timer));
        return;
      }
      case 'never ends':
        writeEndlessly(socket);
        return;
      case 'stays':
        if (this.draw.chance(UNREQUESTED_DATA_SHARE))
          setTimeout(() => void socket.write('HTTP/1.1 408 Unasked\r\nContent-Length: 0\r\n\r\n'), 20);
        return;
      default:
        afterwards satisfies never;
    }
  }
}

function writeEndlessly(socket: Socket): void {
  const block = Buffer.alloc(65_536, '1\r\nz\r\n');
  let written = 0;
  const writeMore = (): void => {
    while (!socket.destroyed && written < MAX_ENDLESS_BYTES) {
      written += block.length;
      if (!socket.write(block)) return;
    }
  };
  socket.on('drain', writeMore);
  writeMore();
}
