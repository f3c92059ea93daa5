import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createRaw, type AddressInfo, type Server, type Socket } from 'node:net';

/** A test server that counts what it receives. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Number of complete request heads that have arrived. */
  readonly requests: number;
  readonly connections: number;
  /** Maximum number of connections that were open at the same time. */
  readonly peakConnections: number;
  close(): Promise<void>;
}

/** A request received by {@link rawServer}. Counts start at 1. */
export interface RawRequest {
  readonly text: string;
  readonly socket: Socket;
  readonly onConnection: number;
  readonly inAll: number;
}

class CountingServer implements TestServer {
  requests = 0;
  connections = 0;
  peakConnections = 0;
  readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(server: Server) {
    this.server = server;
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      this.peakConnections = Math.max(this.peakConnections, this.sockets.size);
      socket.on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  get port(): number {
    return addressOf(this.server).port;
  }

  get url(): string {
    const { address, family, port } = addressOf(this.server);
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
  }

  async listen(host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, host, resolve);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export async function httpServer(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const server = createHttp((request, response) => {
    counted.requests += 1;
    listener(request, response);
  });
  const counted = new CountingServer(server);
  await counted.listen(host);
  return counted;
}

/** Starts a server whose responses the test writes byte by byte, for behaviour outside of the standards. */
export async function rawServer(onRequest: (request: RawRequest) => void, host = '127.0.0.1'): Promise<TestServer> {
  const server = createRaw((socket) => {
    let onConnection = 0;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        onConnection += 1;
        counted.requests += 1;
        onRequest({ text: head, socket, onConnection, inAll: counted.requests });
      }
    });
  });
  const counted = new CountingServer(server);
  await counted.listen(host);
  return counted;
}

/** Returns a response with a body of `bodyBytes`; `headers` are complete lines. */
export function responseText(bodyBytes = 11, headers: readonly string[] = [], status = '200 OK'): string {
  return [`HTTP/1.1 ${status}`, `Content-Length: ${bodyBytes}`, ...headers, '', 'x'.repeat(bodyBytes)].join('\r\n');
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return address;
}
