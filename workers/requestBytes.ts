import { HoldfastError } from '#core/base/errors.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import type { BodyPiece } from './fileBody.ts';

export interface RequestParts {
  readonly method: Step['method'];
  readonly targetUrl: string;
  /** Path that is resolved against the target's URL as in browsers. An empty path means the target's URL itself. */
  readonly path: string;
  /** Header layers, the one with the lowest precedence first. Names are case-insensitive, and later values win. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body: string | Buffer | readonly BodyPiece[] | null;
}

export interface BuiltRequest {
  /** Body that is sent from disk after `bytes`; left out for bodies in memory. */
  readonly tail?: readonly BodyPiece[];
  readonly bytes: Buffer;
  /** Whether the connection stays open; false if the request closes it. */
  readonly keepsAlive: boolean;
  /** Whether it is a HEAD request, whose response has no body, whatever its headers state. */
  readonly isHead: boolean;
  /** Whether the request asks for a protocol upgrade; false if left out. */
  readonly upgrades?: boolean;
  /** Method of the request, which other HTTP versions need separately. */
  readonly method: Step['method'];
  readonly url: URL;
  /** Original name and value of each header, by the name in lower case. */
  readonly headers: ReadonlyMap<string, readonly [string, string]>;
  readonly body: Buffer | null;
}

/** Headers that are derived from the request. Values of the plan would make the message ambiguous. */
const DERIVED_HEADERS = new Set(['content-length', 'transfer-encoding']);
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Builds the bytes of one HTTP/1.1 request, which can be sent any number of times.
 * @throws {HoldfastError} for a header that cannot be sent, or a path that leaves the target.
 */
export function buildRequest(parts: RequestParts): BuiltRequest {
  return buildRequestTo(requestUrl(parts.targetUrl, parts.path), parts);
}

/** Builds a request like {@link buildRequest}, but for a given URL. */
export function buildRequestTo(url: URL, parts: Pick<RequestParts, 'method' | 'headers' | 'body'>): BuiltRequest {
  const headers = mergeHeaders([{ Host: url.host, Connection: 'keep-alive' }, ...parts.headers]);
  const tail = Array.isArray(parts.body) ? (parts.body as readonly BodyPiece[]) : null;
  const body = typeof parts.body === 'string' ? Buffer.from(parts.body, 'utf8') : Buffer.isBuffer(parts.body) ? parts.body : null;
  const lengthBytes =
    tail === null ? (body?.length ?? 0) : tail.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.bytes), 0);
  if (lengthBytes > 0 || METHODS_WITH_BODY.has(parts.method)) headers.set('content-length', ['Content-Length', String(lengthBytes)]);
  const lines = [`${parts.method} ${url.pathname}${url.search} HTTP/1.1`];
  for (const [name, value] of headers.values()) lines.push(`${name}: ${value}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  const connection = headers.get('connection')?.[1] ?? '';
  return {
    bytes: body === null ? head : Buffer.concat([head, body]),
    ...(tail === null ? {} : { tail }),
    keepsAlive: !/\bclose\b/i.test(connection),
    isHead: parts.method === 'HEAD',
    method: parts.method,
    url,
    headers,
    body,
  };
}

/** Returns the request with additional headers, which override its own. */
export function addHeaders({ url, method, headers, body }: BuiltRequest, more: Readonly<Record<string, string>>): BuiltRequest {
  return buildRequestTo(url, { method, headers: [Object.fromEntries(headers.values()), more], body });
}

/** Returns the URL of a step, which must have the target's origin. */
export function requestUrl(targetUrl: string, path: string): URL {
  const target = new URL(targetUrl);
  const url = URL.canParse(path, target.href) ? new URL(path, target) : null;
  if (url !== null && url.origin === target.origin) return url;
  throw new HoldfastError({
    code: 'STEP_LEAVES_TARGET',
    message: `The path “${path}” does not lead to ${target.origin}.`,
    hint: 'Enter a path on the target, for example “/login” or “tasks?page=2”. To test another server, add it as a target.',
  });
}

function mergeHeaders(layers: RequestParts['headers']): Map<string, readonly [string, string]> {
  const merged = new Map<string, readonly [string, string]>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      const key = name.toLowerCase();
      if (DERIVED_HEADERS.has(key)) continue;
      // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
      if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) throw badHeaderValue(name);
      merged.set(key, [name, value]);
    }
  }
  return merged;
}

function badHeaderValue(name: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_HEADER_VALUE',
    message: `The value of the header “${name}” cannot be sent: it has a line break or another control character.`,
    hint: 'Probably it comes from a file that ends with an empty line. Remove the line break from the value.',
  });
}
