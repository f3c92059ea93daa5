import { HoldfastError } from '#core/base/errors.ts';
import type { Step } from '#core/plan/schema/plan.ts';

export interface RequestParts {
  readonly method: Step['method'];
  readonly targetUrl: string;
  /** Resolved against the target's URL as a browser would; empty means the target's URL itself. */
  readonly path: string;
  /** Lowest precedence first; names are compared without regard to case, later ones win. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body: string | Buffer | null;
}

export interface BuiltRequest {
  readonly bytes: Buffer;
  /** False when the request itself asks the server to close. */
  readonly keepsAlive: boolean;
  /** The method is HEAD: its answer has no body, whatever its headers say. */
  readonly isHead: boolean;
  /** It asks for another protocol; left out, it does not. */
  readonly upgrades?: boolean;
  /** The same taken apart, for versions of HTTP that write it otherwise. */
  readonly method: Step['method'];
  readonly url: URL;
  /** Name as it is written and value, by the name in lower case. */
  readonly headers: ReadonlyMap<string, readonly [string, string]>;
  readonly body: Buffer | null;
}

/** Names that follow from the request itself; what a plan says about them would make the message ambiguous. */
const OWN_HEADERS = new Set(['content-length', 'transfer-encoding']);
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The bytes of one HTTP/1.1 request, ready to be written any number of times.
 * @throws {HoldfastError} for a header that cannot be sent, or a path that leaves the target.
 */
export function buildRequest(parts: RequestParts): BuiltRequest {
  return buildRequestTo(requestUrl(parts.targetUrl, parts.path), parts);
}

/** {@link buildRequest} for an address that is known already. */
export function buildRequestTo(url: URL, parts: Pick<RequestParts, 'method' | 'headers' | 'body'>): BuiltRequest {
  const headers = mergeHeaders([{ Host: url.host, Connection: 'keep-alive' }, ...parts.headers]);
  const body = typeof parts.body === 'string' ? Buffer.from(parts.body, 'utf8') : parts.body;
  const lengthBytes = body?.length ?? 0;
  if (lengthBytes > 0 || METHODS_WITH_BODY.has(parts.method)) headers.set('content-length', ['Content-Length', String(lengthBytes)]);
  const lines = [`${parts.method} ${url.pathname}${url.search} HTTP/1.1`];
  for (const [name, value] of headers.values()) lines.push(`${name}: ${value}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  const connection = headers.get('connection')?.[1] ?? '';
  return {
    bytes: body === null ? head : Buffer.concat([head, body]),
    keepsAlive: !/\bclose\b/i.test(connection),
    isHead: parts.method === 'HEAD',
    method: parts.method,
    url,
    headers,
    body,
  };
}

/** The same request with more headers, which win. */
export function withHeaders({ url, method, headers, body }: BuiltRequest, more: Readonly<Record<string, string>>): BuiltRequest {
  return buildRequestTo(url, { method, headers: [Object.fromEntries(headers.values()), more], body });
}

/** Where a step goes: never to another origin than the target's. */
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
      if (OWN_HEADERS.has(key)) continue;
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
