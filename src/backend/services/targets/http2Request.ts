import { connect, constants, type IncomingHttpHeaders as Http2Headers, type OutgoingHttpHeaders } from 'node:http2';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** A request over an open connection. */
export interface AskedRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly socket: Socket;
  readonly signal: AbortSignal;
  /** Maximum number of body bytes that are read. */
  readonly mostBytes: number;
  /** Called when the response headers have arrived. */
  onHead(): void;
}

export interface ReadAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that belong to HTTP/1.1 connections and must not be sent (RFC 9113, 8.2.2). The host name has a field of its own. */
const NOT_IN_HTTP2 = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'host', 'te']);

/** Sends one request over HTTP/2, without server push. */
export function overHttp2({ url, method, headers, body, socket, signal, mostBytes, onHead }: AskedRequest): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const session = connect(url.origin, { createConnection: () => socket, settings: { enablePush: false } });
    session.on('error', reject);
    session.once('close', () => reject(new Error('The connection was closed.')));
    const payload = body === undefined ? null : Buffer.from(body, 'utf8');
    const stream = session.request(headersOf(url, method, headers, payload), { endStream: payload === null, signal });
    stream.on('error', reject);
    stream.once('response', (fields: Http2Headers) => {
      onHead();
      const status = Number(fields[':status']);
      const named = Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(':')));
      readBody(stream, mostBytes).then(
        (read) => resolve({ status, statusText: STATUS_CODES[status] ?? '', httpVersion: '2.0', headers: named, body: read }),
        reject,
      );
    });
    if (payload !== null) stream.end(payload);
  });
}

/** Reads a body to its end, or to the limit. */
export function readBody(stream: Readable, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (): void => resolve(Buffer.concat(chunks));
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) settle();
    });
    stream.once('end', settle);
    // A body that was cut off at the limit is destroyed with its connection.
    stream.on('error', reject);
  });
}

function headersOf(url: URL, method: string, headers: Readonly<Record<string, string>>, payload: Buffer | null): OutgoingHttpHeaders {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    ...Object.fromEntries(own.filter(([name]) => !NOT_IN_HTTP2.has(name))),
    ...(payload === null ? {} : { 'content-length': payload.length }),
    [constants.HTTP2_HEADER_METHOD]: method,
    [constants.HTTP2_HEADER_SCHEME]: url.protocol.slice(0, -1),
    [constants.HTTP2_HEADER_AUTHORITY]: own.find(([name]) => name === 'host')?.[1] ?? url.host,
    [constants.HTTP2_HEADER_PATH]: url.pathname + url.search,
  };
}
