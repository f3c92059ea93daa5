import { once } from 'node:events';
import { createSecureServer, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { cert, key } from '#workers/testing/certificate.ts';
import { frame } from './frameBytes.ts';
import { DEFAULT_TLS, type Drive, driveNative } from '#workers/drivers/native/testing/driveNative.ts';

export interface TestServerState {
  readonly url: string;
  requests: number;
  sessions: number;
  readonly open: Set<ServerHttp2Session>;
}

const closing: (() => void)[] = [];

export function closeServers(): void {
  for (const close of closing.splice(0)) close();
}

export type Response = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>, inAll: number) => void;
export const respondOk: Response = (stream) => {
  stream.respond({ ':status': 200, 'content-length': 5 });
  stream.end('hello');
};

export async function serve(response: Response, options: object = {}, isSecure = false): Promise<TestServerState> {
  const server: Http2Server = isSecure ? createSecureServer({ key, cert, ...options }) : createServer(options);
  const served: TestServerState = { url: '', requests: 0, sessions: 0, open: new Set() };
  server.on('session', (session) => {
    served.sessions += 1;
    served.open.add(session);
    session.on('error', () => {});
    session.on('close', () => served.open.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: Record<string, unknown>) => {
    served.requests += 1;
    stream.on('error', () => {});
    response(stream, headers, served.requests);
  });
  closing.push(() => {
    for (const session of served.open) session.destroy();
    server.close();
  });
  const port = await portOf(server);
  return Object.assign(served, { url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/` });
}

export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a TCP server that calls `act` with the first bytes of each connection. */
export async function rawServer(act: (socket: Socket, first: Buffer) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (first: Buffer) => act(socket, first));
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await portOf(server)}/`;
}

/**
 * Starts a server that allows 4 concurrent streams per connection and calls `onStream` for each opened stream. Connections are counted from
 * 0.
 */
export async function frameServer(onStream: (socket: Socket, connection: number, stream: number) => void): Promise<string> {
  const PREFACE_BYTES = 24;
  let connections = 0;
  return rawServer((socket, first) => {
    const connection = connections;
    connections += 1;
    let unread = Buffer.from(first.subarray(PREFACE_BYTES));
    socket.write(frame(4, 0, 0, '000300000004'));
    const read = (): void => {
      for (let end = 0; unread.length >= 9 && unread.length >= (end = 9 + unread.readUIntBE(0, 3)); unread = unread.subarray(end))
        if (unread[3] === 1) onStream(socket, connection, unread.readUInt32BE(5));
    };
    read();
    socket.on('data', (bytes: Buffer) => {
      unread = Buffer.concat([unread, bytes]);
      read();
    });
  });
}

export const http2 = (drive: Drive): Drive => ({
  ...drive,
  endpoint: { protocol: 'h2', tls: { ...DEFAULT_TLS, verifies: false }, ...drive.endpoint },
});
export const over = (drive: Drive) => driveNative(http2(drive));
