import { once } from 'node:events';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { connect, constants, type IncomingHttpHeaders as Http2Headers, type OutgoingHttpHeaders as Http2RequestHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import { addressInHeader } from '#core/work/journey/redirects.ts';
import { type AskedRequest, overHttp1, type ReadResponse } from './overHttp1.ts';
import { BROWSER_PROTOCOLS, connectTls, openSocket, type TargetConnection } from './targetConnection.ts';

/** Maximum size of a body. The rest is not read. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface SingleRequestOptions {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connection: TargetConnection;
  /**
   * If true, nothing is sent to a server with an untrusted certificate. Otherwise any certificate is accepted, and its validity is
   * reported.
   */
  readonly demandsTrust: boolean;
  readonly timeoutMs: number;
}

export interface ShownCertificate {
  readonly certificate: PeerCertificate;
  /** Why the certificate is not trusted, e.g. `DEPTH_ZERO_SELF_SIGNED_CERT`; null if it is trusted. */
  readonly refusedBecause: string | null;
}

export interface SingleResponse {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly address: string | null;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly certificate: ShownCertificate | null;
}

/** Thrown if no complete response arrived. `code`: the code of the system (`ECONNREFUSED`), or `TIMEOUT`. */
export class NoResponseError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Sends one request on a new connection, with the HTTP version that a browser would use. Follows no redirect. */
export async function singleRequest(options: SingleRequestOptions): Promise<SingleResponse> {
  const { url, connection, demandsTrust, timeoutMs } = options;
  const started = performance.now();
  const elapsedMs = (): number => performance.now() - started;
  const times = { connectMs: 0, firstByteMs: 0 };
  const opening = new AbortController();
  const timer = setTimeout(() => opening.abort(timeoutError(url, timeoutMs, times.connectMs)), timeoutMs);
  let socket: Socket | null = null;
  try {
    const offered = { ALPNProtocols: BROWSER_PROTOCOLS, rejectUnauthorized: demandsTrust };
    const secure = url.protocol === 'https:';
    socket = secure ? connectTls(url, connection, offered) : openSocket(url, connection.connections, null).socket;
    socket.on('error', () => {});
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: opening.signal });
    times.connectMs = elapsedMs();
    const seen = { address: socket.remoteAddress ?? null, certificate: socket instanceof TLSSocket ? readCertificate(socket) : null };
    const clientRequest: AskedRequest = {
      ...options,
      socket,
      signal: opening.signal,
      mostBytes: MAX_BODY_BYTES,
      onHead: () => (times.firstByteMs = elapsedMs()),
    };
    const speaksHttp2 = socket instanceof TLSSocket && socket.alpnProtocol === 'h2';
    // The race ends within the time limit, whatever the server does.
    const receivedResponse = await Promise.race([
      speaksHttp2 ? sendOverHttp2(clientRequest) : overHttp1(clientRequest),
      rejectOnAbort(opening.signal),
    ]);
    const { location } = receivedResponse.headers;
    const headers =
      location === undefined ? receivedResponse.headers : { ...receivedResponse.headers, location: addressInHeader(location) };
    return { ...receivedResponse, headers, ...seen, ...times, totalMs: elapsedMs() };
  } catch (thrown) {
    throw toFailure(opening.signal.aborted ? opening.signal.reason : thrown);
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function readCertificate(socket: TLSSocket): ShownCertificate {
  const { authorizationError } = socket;
  // Node's types say Error, but the value is the code as a string.
  const reason: unknown = authorizationError;
  const code = reason instanceof Error ? ('code' in reason ? String(reason.code) : reason.message) : String(reason);
  return { certificate: socket.getPeerCertificate(), refusedBecause: socket.authorized ? null : code };
}

function timeoutError(url: URL, timeoutMs: number, connectMs: number): NoResponseError {
  const what = connectMs > 0 ? 'accepted the connection but did not send a complete response' : 'did not accept a connection';
  return new NoResponseError('TIMEOUT', `${url.host} ${what} within ${timeoutMs / 1000} s.`);
}

function toFailure(thrown: unknown): NoResponseError {
  if (thrown instanceof NoResponseError) return thrown;
  // If several addresses were tried, the first failure is reported.
  const single: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  if (!(single instanceof Error)) return new NoResponseError('UNKNOWN', String(single));
  const code = 'code' in single ? String(single.code) : 'UNKNOWN';
  return new NoResponseError(code, single.message, { cause: thrown });
}

/** Maximum length that is decoded, because a login form is near the top of its page. */
const MAX_BYTES = 1_000_000;

/** Returns the part of a page that is searched for a login form and links. */
export function searchedText(body: Buffer): string {
  return body.toString('utf8', 0, MAX_BYTES);
}

/** Headers of HTTP/1.1 connections, which must not be sent over HTTP/2 (RFC 9113, 8.2.2). The host name has a field of its own. */
const NOT_IN_HTTP2 = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'host', 'te']);

/** Sends one request over HTTP/2, without server push. */
function sendOverHttp2({ url, method, headers, body, socket, signal, mostBytes: maxBytes, onHead }: AskedRequest): Promise<ReadResponse> {
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
      readBody(stream, maxBytes).then(
        (read) => resolve({ status, statusText: STATUS_CODES[status] ?? '', httpVersion: '2.0', headers: named, body: read }),
        reject,
      );
    });
    if (payload !== null) stream.end(payload);
  });
}

/** Reads a body up to its end or up to the limit. */
function readBody(stream: Readable, mostBytes: number): Promise<Buffer> {
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
    // If a body is cut off at the limit, its stream is destroyed with the connection.
    stream.on('error', reject);
  });
}

function headersOf(url: URL, method: string, headers: Readonly<Record<string, string>>, payload: Buffer | null): Http2RequestHeaders {
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
