import { once } from 'node:events';
import {
  connect,
  type ClientHttp2Session,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer as createRelay, type Server } from 'node:net';

export type Head = Readonly<Record<string, string>>;

/** Bytes that Node's client and server sent on one connection, and the header lists that both read. */
export interface NodeTraffic {
  readonly fromClient: Buffer;
  readonly fromServer: Buffer;
  /** Header lists that the server read. */
  readonly requests: readonly Head[];
  /** Header lists that the client read: interim heads, heads and trailers. */
  readonly responses: readonly Head[];
}

export interface TrafficOptions {
  /** Padding strategy, a constant of node:http2. */
  readonly paddingStrategy: number;
  /** Length of one header of the request and of one header of the response. */
  readonly headerBytes: number;
}

/** Returns a header list of Node without the internal symbols. */
export function readHead(headers: IncomingHttpHeaders): Head {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

export async function portOf(server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Records requests and responses of node:http2 through a relay that logs both directions. */
export async function recordTraffic({ paddingStrategy, headerBytes }: TrafficOptions): Promise<NodeTraffic> {
  const requests: Head[] = [];
  const responses: Head[] = [];
  const fromClient: Buffer[] = [];
  const fromServer: Buffer[] = [];
  const server = createServer({ paddingStrategy });
  server.on('stream', (stream, headers) => {
    requests.push(readHead(headers));
    response(stream, headerBytes);
  });
  const port = await portOf(server);
  const relay = createRelay((socket) => {
    const upstream = connectSocket(port, '127.0.0.1');
    socket.on('data', (bytes: Buffer) => fromClient.push(bytes));
    upstream.on('data', (bytes: Buffer) => fromServer.push(bytes));
    socket.pipe(upstream).pipe(socket);
  });
  const session = connect(`http://127.0.0.1:${await portOf(relay)}`, { paddingStrategy });
  await ask(session, { ':path': '/' }, '', responses);
  await ask(session, { ':path': '/', 'x-trace': 'one' }, '', responses);
  await ask(session, { ':path': '/search?q=caf%C3%A9', 'x-trace': 'one', cookie: 'a=b' }, '', responses);
  await ask(session, { ':path': '/form', ':method': 'POST', authorization: 'Basic eDp5' }, 'a body, '.repeat(50), responses);
  await ask(session, { ':path': '/', 'x-long': 'l'.repeat(headerBytes) }, '', responses);
  const { promise, resolve } = Promise.withResolvers<void>();
  session.ping(() => resolve());
  await promise;
  session.close();
  await once(session, 'close');
  server.close();
  relay.close();
  return { fromClient: Buffer.concat(fromClient), fromServer: Buffer.concat(fromServer), requests, responses };
}

function response(stream: ServerHttp2Stream, headerBytes: number): void {
  let bodyBytes = 0;
  stream.on('data', (bytes: Buffer) => {
    bodyBytes += bytes.length;
  });
  stream.on('end', () => {
    stream.additionalHeaders({ ':status': 103, link: '</style.css>' });
    stream.respond({ ':status': 200, 'content-type': 'text/plain', 'x-long': 's'.repeat(headerBytes) }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-read': String(bodyBytes), 'x-bytes': '\u00e9\u00ff' }));
    stream.end('hello '.repeat(20));
  });
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body: string, responses: Head[]): Promise<void> {
  const stream = session.request(headers, { endStream: body === '' });
  const keep = (read: IncomingHttpHeaders): void => {
    responses.push(readHead(read));
  };
  stream.on('headers', keep).on('response', keep).on('trailers', keep);
  stream.resume();
  if (body !== '') stream.end(body);
  await once(stream, 'close');
}
