import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A request that the server has read completely. The requests of these tests have no body. */
export interface SeenRequest {
  readonly socket: Socket;
  readonly number: number;
  /** Number of the request on its connection, from 1. */
  readonly onConnection: number;
  readonly head: string;
}

export type Response = (request: SeenRequest) => void;

export const OK = 'HTTP/1.1 200 OK\r\nServer: scripted\r\nContent-Length: 5\r\n\r\nhello';
export const OK_AND_CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello';

/** A real server with a scripted handler. It logs every request. */
export class ScriptedServer {
  /** Request lines in the order of their arrival. */
  readonly log: string[] = [];
  connections = 0;
  /** Remote addresses of all connections. */
  readonly remoteAddresses = new Set<string>();
  readonly server: Server;
  private readonly response: Response;
  private readonly open = new Set<Socket>();
  private waiting: { readonly count: number; readonly resolve: () => void } | null = null;

  constructor(response: Response, tls: TlsOptions | null = null) {
    this.response = response;
    const serve = (socket: Socket): void => this.serve(socket);
    this.server = tls === null ? createServer({ noDelay: true }, serve) : createTlsServer(tls, serve);
    this.server.on('tlsClientError', () => {});
  }

  async listen(options: ListenOptions = { host: '127.0.0.1', port: 0 }): Promise<void> {
    this.server.listen(options);
    await once(this.server, 'listening');
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Resolves when the server has read `count` requests. */
  async seen(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting = { count, resolve };
    this.notify();
    await promise;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.connections += 1;
    this.remoteAddresses.add(socket.remoteAddress ?? '');
    this.open.add(socket);
    let onConnection = 0;
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => this.open.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        onConnection += 1;
        this.log.push(head.slice(0, head.indexOf('\r\n')));
        this.response({ socket, number: this.log.length, onConnection, head });
        this.notify();
      }
    });
  }

  private notify(): void {
    if (this.waiting !== null && this.log.length >= this.waiting.count) this.waiting.resolve();
  }
}
