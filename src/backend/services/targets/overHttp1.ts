import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { ResponseFramer } from '#framer/framer.ts';
import { planHeaders, type Refusal } from '#framer/refusals.ts';

/** A request that is sent over an open connection. */
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

export interface ReadResponse {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const NO_HEADERS = planHeaders([]);

/**
 * Sends one request over HTTP/1.1 and reads its response as the engines do (docs/framing.md), so that both accept and refuse the same
 * responses. Rejects with an error whose code is the reason of the refusal, `ECONNRESET` if no byte arrived, or the code of the socket's
 * error.
 */
export function overHttp1(clientRequest: AskedRequest): Promise<ReadResponse> {
  const { socket, mostBytes, onHead } = clientRequest;
  return new Promise((resolve, reject) => {
    const framer = new ResponseFramer(NO_HEADERS);
    const head: Buffer[] = [];
    const body: Buffer[] = [];
    let interim = 0;
    const settle = (): void => {
      if (framer.refusal !== null) reject(refused(framer.refusal, framer.begun));
      else if (framer.complete || framer.bodyBytes > mostBytes)
        resolve({
          status: framer.status,
          httpVersion: `1.${framer.minorVersion}`,
          ...readHead(Buffer.concat(head)),
          body: Buffer.concat(body),
        });
    };
    framer.onBody = (buffer, start, end) => void body.push(Buffer.from(buffer.subarray(start, end)));
    framer.begin(false);
    socket.on('error', reject);
    socket.on('data', (bytes: Buffer) => {
      let begin = 0;
      let at = 0;
      // Reads the head byte by byte, because the framer does not report where a head ends. A head has at most 256 KiB.
      while (!framer.headComplete && framer.refusal === null && at < bytes.length) {
        at = framer.feed(bytes, at, at + 1);
        if (framer.interimResponses > interim) {
          interim = framer.interimResponses;
          begin = at;
          head.length = 0;
        }
        if (framer.headComplete) onHead();
      }
      if (at > begin) head.push(bytes.subarray(begin, at));
      if (framer.headComplete && !framer.complete) framer.feed(bytes, at, bytes.length);
      settle();
    });
    const closed = (): void => {
      framer.finish();
      settle();
    };
    socket.once('end', closed);
    socket.once('close', closed);
    socket.write(requestBytes(clientRequest));
  });
}

function refused(refusal: Refusal, hasBegun: boolean): Error {
  return refusal === 'CLOSED_EARLY' && !hasBegun
    ? Object.assign(new Error('closed before a response'), { code: 'ECONNRESET' })
    : Object.assign(new Error('its response cannot be read'), { code: refusal });
}

/** Returns the bytes of a request. Throws `ERR_INVALID_CHAR` for a header that HTTP does not allow. */
function requestBytes({ url, method, headers, body }: AskedRequest): Buffer {
  const payload = body === undefined ? null : Buffer.from(body, 'utf8');
  const own = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]));
  const usual: [string, string][] = [
    ['Host', url.host],
    ['Connection', 'keep-alive'],
  ];
  if (payload !== null) own.set('content-length', ['Content-Length', String(payload.length)]);
  const lines = [...usual.filter(([name]) => !own.has(name.toLowerCase())), ...own.values()].map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  const head = Buffer.from(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return payload === null ? head : Buffer.concat([head, payload]);
}

/** Headers that keep their first value if a server repeats them, as in Node. */
const SINGLE = new Set(['content-type', 'content-length', 'location', 'server', 'age', 'etag', 'expires', 'last-modified', 'retry-after']);

/** Parses a head that the framer has accepted. Lines end with LF; a line that begins with a blank continues the previous one. */
function readHead(head: Buffer): { readonly statusText: string; readonly headers: IncomingHttpHeaders } {
  const lines: string[] = [];
  for (const line of head.toString('latin1').split('\n')) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop() ?? ''} ${line.trim()}`);
    else if (line.trim() !== '') lines.push(line.trim());
  }
  const [first = '', ...fields] = lines;
  const values = new Map<string, string[]>();
  for (const line of fields) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon < 0 || name === '') continue;
    const knownNames = values.get(name);
    if (knownNames === undefined) values.set(name, [line.slice(colon + 1).trim()]);
    else knownNames.push(line.slice(colon + 1).trim());
  }
  const joined = [...values].map(([name, all]): [string, string | string[]] => {
    if (name === 'set-cookie') return [name, all];
    return [name, SINGLE.has(name) ? (all[0] ?? '') : all.join(', ')];
  });
  return { statusText: /^\S+ +\d{3} ?(.*)$/.exec(first)?.[1]?.trim() ?? '', headers: Object.fromEntries(joined) };
}
