import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyAt } from './bodies.ts';
import type { Draw } from './draw.ts';

/**
 * What happens to the connection after the bytes were written. `drips` means that it continues with single bytes; `never ends` means that
 * it continues as fast as the client reads.
 */
export type SocketEnding = 'stays' | 'closes' | 'resets' | 'drips' | 'never ends';

export interface MadeResponse {
  readonly bytes: Buffer;
  readonly afterwards: SocketEnding;
  /** Status of a complete and valid response; null for any other response. */
  readonly status: number | null;
}

/** Maximum size before compression, because compression is the slowest part of making a response. */
const MAX_PACKED_BYTES = 65_536;
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576));
const STATUSES = [
  200, 200, 200, 200, 200, 200, 200, 201, 206, 299, 300, 400, 401, 403, 404, 418, 429, 451, 499, 500, 502, 503, 599,
] as const;
const INVALID_SHARE = 0.04;
const SLOW_SHARE = 0.0003;

/** Matches paths below which most responses are valid, so that links and captured values lead to further requests. */
const CALM_PATH = /^\/calm(?=\/)/;
const CALM_SHARE = 0.95;

/** Returns a new response for `path`. */
export function responseTo(path: string, draw: Draw): MadeResponse {
  if (CALM_PATH.test(path)) return calmResponse(path, draw);
  if (draw.chance(SLOW_SHARE)) return slowResponse(draw);
  if (draw.chance(INVALID_SHARE)) return invalidResponse(path, draw);
  return draw.pick([
    plainResponse,
    plainResponse,
    plainResponse,
    plainResponse,
    plainResponse,
    plainResponse,
    chunkedResponse,
    interimResponse,
    redirectResponse,
    compressedResponse,
    emptyResponse,
    closeDelimitedResponse,
  ])(path, draw);
}

function calmResponse(path: string, draw: Draw): MadeResponse {
  const rest = path.replace(CALM_PATH, '');
  if (!draw.chance(CALM_SHARE)) return responseTo(rest, draw);
  const { type, wire } = bodyAt(rest, draw);
  const always = [
    'Set-Cookie: session=1',
    `X-Cache: ${draw.pick(['HIT', 'MISS'])}`,
    `X-Token: ${draw.field(1_000)}`,
    `X-Shard: ${draw.field(300)}`,
  ];
  return completeResponse(200, [...always, ...fields(draw), `Content-Type: ${type}`, `Content-Length: ${wire.length}`], wire, draw);
}

function plainResponse(path: string, draw: Draw): MadeResponse {
  const { type, wire } = bodyAt(path, draw);
  const status = draw.pick(STATUSES);
  return completeResponse(status, [...fields(draw), `Content-Type: ${type}`, `Content-Length: ${wire.length}`], wire, draw);
}

function chunkedResponse(path: string, draw: Draw): MadeResponse {
  const { type, wire } = bodyAt(path, draw);
  const middle = draw.integer(0, wire.length);
  const chunk = (text: string): string =>
    text === '' ? '' : `${text.length.toString(16)};${draw.pick(['__proto__', 'x="y"', draw.uniqueText()])}=1\r\n${text}\r\n`;
  const trailers = [`${draw.fieldName()}: ${draw.field()}`, 'Set-Cookie: trailed=1'].join('\r\n');
  const body = `${chunk(wire.slice(0, middle))}${chunk(wire.slice(middle))}0\r\n${trailers}\r\n\r\n`;
  return completeResponse(200, [...fields(draw), `Content-Type: ${type}`, 'Transfer-Encoding: chunked', 'Trailer: __proto__'], body, draw);
}

function interimResponse(path: string, draw: Draw): MadeResponse {
  const before = Array.from({ length: draw.integer(1, 4) }, () =>
    buildHead(draw.pick([100, 102, 103, 199]), [`Link: <${draw.field(200)}>; rel=preload`, `${draw.fieldName()}: ${draw.field()}`], draw),
  );
  const response = plainResponse(path, draw);
  return { ...response, bytes: Buffer.concat([Buffer.from(before.join(''), 'latin1'), response.bytes]) };
}

function redirectResponse(_path: string, draw: Draw): MadeResponse {
  const location = draw.pick([
    `/login?s=${draw.uniqueText()}`,
    `/${draw.uniqueText()}`,
    '/page',
    `http://${draw.uniqueText()}.test/`,
    `http://__proto__/`,
    `//${draw.uniqueText()}`,
    draw.field(),
    `/${'x'.repeat(8_000)}`,
  ]);
  return completeResponse(draw.pick([301, 302, 303, 307, 308]), [...fields(draw), `Location: ${location}`, 'Content-Length: 0'], '', draw);
}

function compressedResponse(path: string, draw: Draw): MadeResponse {
  const { type, wire } = bodyAt(path, draw);
  const rawBytes = Buffer.from(wire.slice(0, MAX_PACKED_BYTES), 'latin1');
  const [encoding, body] = draw.chance(0.01)
    ? (['gzip', BOMB] as const)
    : draw.pick<readonly [string, Buffer]>([
        ['gzip', gzipSync(rawBytes)],
        ['deflate', deflateSync(rawBytes)],
        ['br', brotliCompressSync(rawBytes, { params: { 1: 1 } })],
        ['gzip', rawBytes],
        ['gzip, gzip', gzipSync(gzipSync(rawBytes))],
        ['__proto__', rawBytes],
        ['gzip', gzipSync(rawBytes).subarray(0, 12)],
      ]);
  const lines = [...fields(draw), `Content-Type: ${type}`, `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`];
  return { bytes: Buffer.concat([Buffer.from(buildHead(200, lines, draw), 'latin1'), body]), afterwards: 'stays', status: 200 };
}

function emptyResponse(_path: string, draw: Draw): MadeResponse {
  return completeResponse(draw.pick([204, 304]), [...fields(draw)], '', draw);
}

function closeDelimitedResponse(path: string, draw: Draw): MadeResponse {
  const { type, wire } = bodyAt(path, draw);
  const response = completeResponse(200, [...fields(draw), `Content-Type: ${type}`, 'Connection: close'], wire, draw);
  return { ...response, afterwards: 'closes' };
}

/** Makes a response that is invalid HTTP, incomplete, or too long. */
function invalidResponse(path: string, draw: Draw): MadeResponse {
  const { bytes } = plainResponse(path, draw);
  const rawBytes = (text: string): Buffer => Buffer.from(text, 'latin1');
  const lengths = ['-1', '99999999999999999999', '1e9', '0x10', ' ', '5, 5', '__proto__', '5\r\nContent-Length: 6'] as const;
  const starts = [
    'hello without a head',
    'HTTP/0.9 200 OK\r\n\r\n',
    'HTTP/2.0 200\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/1.1 200\r\n\r\n',
    'HTTP/1.1 99 No\r\n\r\n',
    'HTTP/1.1 1000 No\r\n\r\n',
    'HTTP/1.1 -200 No\r\n\r\n',
    '\x15\x03\x01\x00\x02\x02\x46',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxx',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(200),
    `HTTP/1.1 200 ${'r'.repeat(20_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nX: ${'v'.repeat(1_048_576)}\r\nContent-Length: 0\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
    `HTTP/1.1 200 OK\r\nSet-Cookie: a=b${'; c=d'.repeat(50_000)}\r\nContent-Length: 0\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\r\n folded\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\rX: a\r\r',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n1\r\na\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, __proto__\r\n\r\nx',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'e'.repeat(1_048_576)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na${'e'.repeat(1_048_576)}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'X-T: y\r\n'.repeat(100_000)}`,
  ] as const;
  switch (draw.integer(0, 6)) {
    case 0:
      return {
        bytes: rawBytes(`HTTP/1.1 200 OK\r\nContent-Length: ${draw.pick(lengths)}\r\n\r\nhello`),
        afterwards: 'closes',
        status: null,
      };
    case 1:
      return { bytes: bytes.subarray(0, draw.integer(0, bytes.length)), afterwards: draw.pick(['closes', 'resets']), status: null };
    case 2:
      return { bytes: Buffer.concat([bytes, bytes, bytes]), afterwards: 'stays', status: null };
    case 3:
      return {
        bytes: rawBytes(`HTTP/1.1 ${draw.text()} ${draw.text()}\r\n${draw.text()}: ${draw.text()}\r\n\r\n`),
        afterwards: 'closes',
        status: null,
      };
    case 4: {
      const controls = draw.text().replaceAll(/[\r\n]/g, '');
      return {
        bytes: rawBytes(`HTTP/1.1 200 ${controls}\r\nServer: ${controls}\r\nX-Shard: ${controls}\r\nContent-Length: 2\r\n\r\nok`),
        afterwards: 'stays',
        status: null,
      };
    }
    default:
      return { bytes: rawBytes(draw.pick(starts)), afterwards: draw.pick(['closes', 'resets', 'closes']), status: null };
  }
}

function slowResponse(draw: Draw): MadeResponse {
  const bytes = draw.pick([
    '',
    'HTTP/1.1 200 OK\r\nX: ',
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]);
  return { bytes: Buffer.from(bytes, 'latin1'), afterwards: draw.pick(['drips', 'drips', 'never ends']), status: null };
}

function completeResponse(status: number, lines: readonly string[], body: string, draw: Draw): MadeResponse {
  const isBodiless = status === 204 || status === 304;
  return { bytes: Buffer.from(buildHead(status, lines, draw) + (isBodiless ? '' : body), 'latin1'), afterwards: 'stays', status };
}

function buildHead(status: number, lines: readonly string[], draw: Draw): string {
  return `HTTP/1.1 ${status} ${draw.field(500)}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns headers that some part of a load generator reads, each with an unexpected value. */
function fields(draw: Draw): string[] {
  const { fieldName } = draw;
  const candidates: readonly (() => string)[] = [
    () => `Server: ${draw.field(200)}`,
    () => `X-Shard: ${draw.field(300)}`,
    () => `Set-Cookie: ${cookie(draw)}`,
    () => `ETag: ${draw.field(200)}`,
    () => `Last-Modified: ${draw.field(200)}`,
    () => `Cache-Control: max-age=${draw.pick(['9'.repeat(300), '-1', 'NaN', draw.field(50)])}`,
    () => `Age: ${draw.pick(['1e999', '-1', '9'.repeat(300)])}`,
    () => `X-Cache: ${draw.pick(['HIT', 'MISS', draw.field(50)])}`,
    () => `Retry-After: ${draw.pick(['1e99', '-1', '99999999', draw.field(50)])}`,
    () => `Keep-Alive: timeout=${draw.pick(['0', '-1', '1e99', '99999999999'])}, max=0`,
    () => `WWW-Authenticate: ${draw.field(200)}`,
    () => `Link: <${draw.field(200)}>; rel=${draw.field(50)}`,
    () => `Content-Disposition: attachment; filename="${draw.field(100)}"`,
    () => `X-Token: ${draw.field(1_000)}`,
    () => `${fieldName.call(draw)}: ${draw.field(1_000)}`,
  ];
  return Array.from({ length: draw.integer(0, 6) }, () => (candidates[draw.integer(0, candidates.length - 1)] ?? (() => 'X: y'))());
}

function cookie(draw: Draw): string {
  const name = draw.pick(['session', '__proto__', draw.uniqueText(), draw.field(50).replaceAll(/[=;,\s]/g, '')]);
  const attributes = [
    'Domain=other.test',
    'Domain=127.0.0.1',
    'Path=/',
    `Path=/${draw.field(50)}`,
    `Expires=${draw.field(60)}`,
    'Max-Age=99999999999999999999',
    'Max-Age=-1',
    'Secure',
    'Partitioned',
    `${draw.field(50)}=1`,
  ];
  const chosenNames = attributes.filter(() => draw.chance(0.15));
  return `${name}=${draw.field(draw.pick([20, 200, 3_000]))}${chosenNames.map((attribute) => `; ${attribute}`).join('')}`;
}
