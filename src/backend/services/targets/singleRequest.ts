import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { ConnectionSettings } from '#core/plan/url.ts';
import { hostOf, localAddressesFor, type TargetConnection, tlsOptions } from './targetConnection.ts';

/** A page bigger than this is cut: it is looked at, not kept. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface SingleRequestOptions {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connection: TargetConnection;
  /** Send nothing to a server whose certificate is not trusted; else any is accepted, and whether it is valid is told. */
  readonly demandsTrust: boolean;
  readonly timeoutMs: number;
}

export interface SeenCertificate {
  readonly certificate: PeerCertificate;
  /** Why it would not be trusted, e.g. `DEPTH_ZERO_SELF_SIGNED_CERT`; null when it is trusted. */
  readonly refusedBecause: string | null;
}

export interface SingleAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly address: string | null;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly certificate: SeenCertificate | null;
}

/** Thrown when no complete answer came. `code` is the system's (`ECONNREFUSED`) or `TIMEOUT`. */
export class NoAnswer extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** One request on a connection of its own. Follows no redirect. */
export function singleRequest({
  url,
  method,
  headers,
  body,
  connection,
  demandsTrust,
  timeoutMs,
}: SingleRequestOptions): Promise<SingleAnswer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const since = (): number => performance.now() - started;
    let connectMs = 0;
    let firstByteMs = 0;
    let certificate: SeenCertificate | null = null;
    const secure = url.protocol === 'https:';
    const agent = secure ? new https.Agent({ keepAlive: true, maxSockets: 1 }) : new http.Agent({ keepAlive: true, maxSockets: 1 });
    const payload = body === undefined ? null : Buffer.from(body, 'utf8');
    const length: OutgoingHttpHeaders = payload ? { 'Content-Length': payload.length } : {};
    let request: http.ClientRequest;
    try {
      request = (secure ? https : http).request(withoutCredentials(url), {
        method,
        agent,
        headers: { ...headers, ...length },
        rejectUnauthorized: demandsTrust,
        ...tlsOptions(connection),
        ...addressOptions(url, connection.connections),
      });
    } catch (thrown) {
      reject(failureOf(thrown));
      return;
    }
    const fail = (thrown: unknown): void => {
      clearTimeout(timer);
      agent.destroy();
      reject(failureOf(thrown));
    };
    const timer = setTimeout(() => request.destroy(timedOut(url, timeoutMs, connectMs)), timeoutMs);
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connectMs = since();
        if (socket instanceof TLSSocket) certificate = seenCertificate(socket);
      });
    });
    request.once('error', fail);
    request.once('response', (response) => {
      firstByteMs = since();
      const chunks: Buffer[] = [];
      let bytes = 0;
      const address = response.socket.remoteAddress ?? null;
      const settle = (): void => {
        clearTimeout(timer);
        const { statusCode = 0, statusMessage = '', httpVersion } = response;
        resolve({
          status: statusCode,
          statusText: statusMessage,
          httpVersion,
          headers: response.headers,
          body: Buffer.concat(chunks),
          address,
          connectMs,
          firstByteMs,
          totalMs: since(),
          certificate,
        });
        agent.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= MAX_BODY_BYTES) return;
        response.removeAllListeners('error').on('error', () => {});
        settle();
      });
      response.once('end', settle);
      response.once('error', fail);
    });
    request.end(payload ?? undefined);
  });
}

/** Node makes an Authorization of what stands before the `@` of an address, which is here what a page or a redirect wrote. */
function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

function addressOptions(url: URL, connections: ConnectionSettings['connections']): http.RequestOptions {
  if (connections.socketPath !== undefined) return { socketPath: connections.socketPath };
  const [localAddress] = localAddressesFor(connections, hostOf(url));
  return localAddress === undefined ? {} : { localAddress, family: isIP(localAddress) };
}

function seenCertificate(socket: TLSSocket): SeenCertificate {
  const { authorizationError } = socket;
  // Node's types say Error; what is there is the code as text.
  const reason: unknown = authorizationError;
  const code = reason instanceof Error ? ('code' in reason ? String(reason.code) : reason.message) : String(reason);
  return { certificate: socket.getPeerCertificate(), refusedBecause: socket.authorized ? null : code };
}

function timedOut(url: URL, timeoutMs: number, connectMs: number): NoAnswer {
  const what = connectMs > 0 ? 'accepted the connection but did not send a complete response' : 'did not accept a connection';
  return new NoAnswer('TIMEOUT', `${url.host} ${what} within ${timeoutMs / 1000} s.`);
}

function failureOf(thrown: unknown): NoAnswer {
  if (thrown instanceof NoAnswer) return thrown;
  // Several addresses were tried: the first failure stands for all.
  const single: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  if (!(single instanceof Error)) return new NoAnswer('UNKNOWN', String(single));
  const code = 'code' in single ? String(single.code) : 'UNKNOWN';
  return new NoAnswer(code, single.message, { cause: thrown });
}
