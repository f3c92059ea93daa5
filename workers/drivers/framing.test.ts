import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedBrowser } from '#tools/check/browser.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { drive } from '#workers/testing/drive.ts';
import { type RawRequest, rawServer, type TestServer } from '#workers/testing/servers.ts';

const END = '\r\n';
const OK = `HTTP/1.1 200 OK${END}`;
const LENGTH = `Content-Length: 2${END}`;
const BODY = `${END}ok`;
const LAST = `0${END}${END}`;
const head = (...lines: readonly string[]): string => `${OK}${lines.map((line) => line + END).join('')}${END}`;
const chunked = (body: string, ...lines: readonly string[]): string => head('Transfer-Encoding: chunked', ...lines) + body;
const coded = (coding: string, body = `2${END}ok${END}${LAST}`): string => head(`Transfer-Encoding: ${coding}`) + body;
const length = (value: string | number): string => `${head(`Content-Length: ${value}`)}ok`;
const started = (line: string): string => `${line}${END}${LENGTH}${BODY}`;
const lined = (line: string): string => `${OK}${line}${END}${LENGTH}${BODY}`;
const interim = (count: number): string =>
  `HTTP/1.1 104 Upload Resumption Supported${END}Upload-Offset: 7${END}${END}`.repeat(count) + length(2);
const large = (lines: number): string => `${OK}${`X-A: ${'b'.repeat(993)}${END}`.repeat(lines)}${LENGTH}${BODY}`;
const GZIP = Buffer.from('H4sIAAAAAAAAA8vPBgBH3dx5AgAAAA==', 'base64').toString('latin1');
const empty = (status: number, ...lines: readonly string[]): string =>
  `HTTP/1.1 ${status} X${END}${lines.map((line) => line + END).join('')}${END}`;

/** Status and number of body bytes of an accepted response, or the code of a refusal. */
type Reading = string;
/**
 * The bytes of a server, and how clients read them; `–` is a refusal. `holdfast` is the reading of Holdfast, with a connection that stays
 * open unless `closed`. `others` are the readings of curl 7.88.1, Go 1.26.8 and Chromium 156, with a server that closes 100 ms later.
 */
type Form = readonly [name: string, bytes: string, holdfast: Reading, others: string, end?: 'closed'];

const FORMS: readonly Form[] = [
  ['a length', length('2'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a length between blanks', length('\t 2 \t'), '200 2', '200 2 | 200 2 | 200 2'],
  ['no length, and a close', `${head()}ok`, '200 2', '200 2 | 200 2 | 200 2', 'closed'],
  ['HTTP/1.0', started('HTTP/1.0 200 OK'), '200 2', '200 2 | 200 2 | 200 2'],
  ['HTTP/2.0', started('HTTP/2.0 200 OK'), '200 2', '200 2 | 200 2 | 200 2'],
  ['HTTP/2 without a minor version', started('HTTP/2 200 OK'), '200 2', '200 2 | – | 200 2'],
  ['HTTP/0.9', started('HTTP/0.9 200 OK'), 'BAD_VERSION', '– | 200 2 | 200 2'],
  ['HTTP/1.2', started('HTTP/1.2 200 OK'), 'BAD_VERSION', '– | 200 2 | 200 2'],
  ['HTTP/3.0', started('HTTP/3.0 200 OK'), 'BAD_VERSION', '– | 200 2 | 200 2'],
  ['HTTP/1 without a minor version', started('HTTP/1 200 OK'), 'BAD_VERSION', '– | – | 200 2'],
  ['HTTP/1.10', started('HTTP/1.10 200 OK'), 'BAD_VERSION', '– | – | 200 2'],
  ['HTTP without a version', started('HTTP 200 OK'), 'NOT_HTTP', '– | – | 200 2'],
  ['a protocol in lower case', started('http/1.1 200 OK'), '200 2', '200 2 | – | 200 2'],
  ['ICY', started('ICY 200 OK'), 'NOT_HTTP', '– | – | 200 35'],
  ['RTSP/1.0', started('RTSP/1.0 200 OK'), 'NOT_HTTP', '– | – | –'],
  ['a page without a head', '<html>ok</html>', 'NOT_HTTP', '– | – | –'],
  ['two blanks before the status', started('HTTP/1.1  200 OK'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a tab before the status', started('HTTP/1.1\t200 OK'), 'BAD_VERSION', '– | – | 200 2'],
  ['no reason', started('HTTP/1.1 200 '), '200 2', '200 2 | 200 2 | 200 2'],
  ['no reason and no blank', started('HTTP/1.1 200'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a reason joined to the status', started('HTTP/1.1 200OK'), '200 2', '200 2 | – | 200 2'],
  ['a control byte in the reason', started('HTTP/1.1 200 a\u0001'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a NUL in the reason', started('HTTP/1.1 200 a\u0000'), 'BAD_STATUS', '– | 200 2 | –'],
  ['a status of two digits', started('HTTP/1.1 20 OK'), 'BAD_STATUS', '– | – | 20 2'],
  ['a status of four digits', started('HTTP/1.1 2000 OK'), 'BAD_STATUS', '– | – | 2000 2'],
  ['a status of letters', started('HTTP/1.1 abc OK'), 'BAD_STATUS', '– | – | 200 2'],
  ['status 099', started('HTTP/1.1 099 OK'), 'BAD_STATUS', '– | 99 2 | 99 2'],
  ['status 600', started('HTTP/1.1 600 OK'), '600 2', '600 2 | 600 2 | 600 2'],
  ['an empty line before the status line', `${END}${length(2)}`, '200 2', '– | – | 200 2'],
  ['a blank before the status line', ` ${length(2)}`, 'NOT_HTTP', '– | – | 200 2'],
  ['LF line ends', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', '200 2', '200 2 | 200 2 | 200 2'],
  ['LF behind the status line', `HTTP/1.1 200 OK\n${LENGTH}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['LF behind one header', `${OK}X-A: b\n${LENGTH}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['LF behind the length', `${OK}Content-Length: 2\n${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['LF as the empty line', `${OK}${LENGTH}\nok`, '200 2', '200 2 | 200 2 | 200 2'],
  ['CR CR LF behind a header', `${OK}X-A: b\r${END}${LENGTH}${BODY}`, '200 2', '200 2 | – | 200 2'],
  ['CR CR LF behind the length', `${OK}Content-Length: 2\r${END}${BODY}`, '200 2', '200 2 | – | 200 2'],
  ['CR CR LF behind the status line', `HTTP/1.1 200 OK\r${END}${LENGTH}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['CR CR LF as the empty line', `${OK}${LENGTH}\r${END}ok`, 'BARE_CR', '200 2 | – | 200 0'],
  ['CR alone behind the status line', `HTTP/1.1 200 OK\r${LENGTH}${BODY}`, 'BARE_CR', '200 2 | 200 2 | 200 2'],
  ['CR alone in a value', lined('X-A: b\rc'), 'BARE_CR', '200 2 | – | 200 2'],
  ['CR alone, then another length', lined('X-A: b\rContent-Length: 9'), 'BARE_CR', '200 2 | – | –'],
  ['a folded header', lined(`X-A: one${END}  two`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a header folded with a tab', lined(`X-A: one${END}\ttwo`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a header folded behind LF', 'HTTP/1.1 200 OK\nX-A: one\n two\nContent-Length: 2\n\nok', '200 2', '200 2 | 200 2 | 200 2'],
  ['a header folded behind an empty value', lined(`X-A:${END} two`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a folded line of blanks', lined(`X-A: one${END} `), '200 2', '200 2 | 200 2 | 200 2'],
  ['a folded line that looks like a length', lined(`X-A: one${END} Content-Length: 9`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a length continued by blanks', `${OK}Content-Length: 2${END} ${END}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['a length continued by a digit', `${OK}Content-Length: 1${END} 2${END}${BODY}kokokokoko`, 'BAD_CONTENT_LENGTH', '200 1 | – | 200 12'],
  ['a length on a folded line', `${OK}Content-Length:${END} 2${END}${BODY}`, 'FOLDED_HEADER', '– | 200 2 | 200 2'],
  ['a coding on a folded line', coded(`${END} chunked`), 'FOLDED_HEADER', '200 12 | 200 2 | 200 2'],
  ['a coding continued by another', coded(`x${END} chunked`), 'BAD_TRANSFER_ENCODING', '– | – | 200 12'],
  ['a folded line behind the status line', lined(' X-A: b'), 'FOLDED_HEADER', '– | – | 200 2'],
  ['a folded length behind the status line', lined(' Content-Length: 9'), 'FOLDED_HEADER', '– | – | 200 2'],
  ['a blank in a name', lined('X Y: z'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a blank before the colon', lined('X-A : z'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a tab before the colon', lined('X-A\t: z'), '200 2', '200 2 | – | 200 2'],
  ['a blank before the colon of the length', `${OK}Content-Length : 2${END}${BODY}!`, 'BAD_HEADER_NAME', '200 3 | 200 3 | 200 2'],
  [
    'a blank before the colon of the coding',
    `${OK}Transfer-Encoding : chunked${END}${END}2${END}ok${END}${LAST}`,
    'BAD_HEADER_NAME',
    '200 12 | 200 12 | 200 2',
  ],
  ['a name in parentheses', lined('X(A): z'), '200 2', '200 2 | – | 200 2'],
  ['a name beyond ASCII', lined('X-\u00e9: z'), '200 2', '200 2 | – | 200 2'],
  ['a NUL in a name', lined('X-\u0000A: z'), 'BAD_HEADER_NAME', '– | – | –'],
  ['a line without a name', lined(': z'), '200 2', '200 2 | – | 200 2'],
  ['a line without a colon', lined('hello'), 'BAD_HEADER_NAME', '– | – | 200 2'],
  ['an empty value', lined('X-A:'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a value beyond ASCII', lined('X-A: \u00e9\u00ff'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a control byte in a value', lined('X-A: a\u0001\u007fb'), '200 2', '200 2 | – | 200 2'],
  ['a NUL in a value', lined('X-A: a\u0000b'), 'BAD_HEADER_VALUE', '– | – | –'],
  ['a header of 20 kB', lined(`X-Policy: ${'a'.repeat(20_000)}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a header of 64 kB', lined(`X-Policy: ${'a'.repeat(65_536)}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a head of 250 kB', large(249), '200 2', '200 2 | 200 2 | 200 2'],
  ['a head of 2 MB', large(2_000), 'HEAD_TOO_LARGE', '– | 200 2 | –'],
  ['100 Continue', `${empty(100)}${length(2)}`, '200 2', '200 2 | 200 2 | 200 2'],
  [
    '103 with a link and a length',
    `${empty(103, 'Link: </a>; rel=preload', 'Content-Length: 5')}${length(2)}`,
    '200 2',
    '200 2 | 200 2 | 200 2',
  ],
  ['40 interim responses', interim(40), '200 2', '200 2 | 200 2 | 200 2'],
  ['1,500 interim responses', interim(1_500), '200 2', '200 2 | 200 2 | 200 2'],
  ['101 that nobody asked for', `${empty(101, 'Upgrade: x', 'Connection: upgrade')}${length(2)}`, 'UPGRADED', '101 40 | 101 | 200 2'],
  ['204 with a length', empty(204, 'Content-Length: 1234'), '204 0', '204 0 | 204 0 | 204 0'],
  ['304 with a length', empty(304, 'Content-Length: 1234'), '304 0', '304 0 | 304 0 | 304 0'],
  ['204 with chunks', empty(204, 'Transfer-Encoding: chunked'), '204 0', '204 0 | 204 0 | 204 0'],
  ['304 with chunks and a length', empty(304, 'Transfer-Encoding: chunked', 'Content-Length: 5'), '304 0', '304 0 | 304 0 | 304 0'],
  ['204 with different lengths', empty(204, 'Content-Length: 1', 'Content-Length: 2'), 'DIFFERENT_LENGTHS', '204 0 | – | –'],
  ['204 with a body', `${empty(204, 'Content-Length: 2')}ok`, '204 0', '204 0 | 204 0 | 204 0'],
  ['equal lengths twice', `${OK}${LENGTH}${LENGTH}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['equal lengths three times', `${OK}${LENGTH}${LENGTH}${LENGTH}${BODY}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['equal lengths in a list', length('2, 2'), '200 2', '200 2 | – | 200 2'],
  ['different lengths', `${OK}${LENGTH}Content-Length: 3${END}${BODY}!`, 'DIFFERENT_LENGTHS', '200 3 | – | –'],
  ['different lengths, the larger first', `${OK}Content-Length: 3${END}${LENGTH}${BODY}!`, 'DIFFERENT_LENGTHS', '200 2 | – | –'],
  ['different lengths in a list', `${length('2, 3')}!`, 'DIFFERENT_LENGTHS', '200 2 | – | –'],
  ['a length, then another of letters', `${OK}${LENGTH}Content-Length: x${END}${BODY}`, 'BAD_CONTENT_LENGTH', '– | – | –'],
  ['a length with zeros before', length('002'), '200 2', '200 2 | 200 2 | 200 2'],
  ['a length with a sign', length('+2'), 'BAD_CONTENT_LENGTH', '200 2 | – | 200 2'],
  ['a negative length', length('-2'), 'BAD_CONTENT_LENGTH', '– | – | 200 2'],
  ['a length with a point', length('2.0'), 'BAD_CONTENT_LENGTH', '200 2 | – | 200 2'],
  ['a hexadecimal length', length('0x2'), 'BAD_CONTENT_LENGTH', '200 0 | – | 200 2'],
  ['a length of two numbers', length('2 2'), 'BAD_CONTENT_LENGTH', '200 2 | – | 200 2'],
  ['a length and a comma', length('2,'), 'BAD_CONTENT_LENGTH', '200 2 | – | –'],
  ['an empty length', length(''), 'BAD_CONTENT_LENGTH', '– | – | 200 2'],
  ['a length beyond 2^64', length('18446744073709551618'), 'BAD_CONTENT_LENGTH', '200 2 | – | 200 2'],
  ['a length that is too small', `${length(2)}!!!`, '200 2', '200 2 | 200 2 | 200 2'],
  ['a length that is too large', length(5), 'EOF', '– | – | –', 'closed'],
  ['a length and chunks', `${OK}${LENGTH}${coded('chunked').slice(OK.length)}`, 'LENGTH_AND_ENCODING', '200 2 | 200 2 | 200 2'],
  ['chunks and a length', chunked(`2${END}ok${END}${LAST}`, 'Content-Length: 2'), 'LENGTH_AND_ENCODING', '200 2 | 200 2 | 200 2'],
  ['a length and identity', `${head('Content-Length: 2', 'Transfer-Encoding: identity')}ok`, 'LENGTH_AND_ENCODING', '200 2 | – | 200 2'],
  ['a length and an empty coding', `${head('Content-Length: 2', 'Transfer-Encoding:')}ok`, 'LENGTH_AND_ENCODING', '200 2 | – | 200 2'],
  ['chunks', coded('chunked'), '200 2', '200 2 | 200 2 | 200 2'],
  ['chunks in capitals', coded('CHUNKED'), '200 2', '200 2 | 200 2 | 200 2'],
  ['chunked with a tab behind', coded('chunked\t'), '200 2', '200 2 | 200 2 | 200 2'],
  ['chunked, chunked', coded('chunked, chunked'), '200 2', '200 2 | – | 200 2'],
  ['chunked in two lines', chunked(`2${END}ok${END}${LAST}`, 'Transfer-Encoding: chunked'), '200 2', '200 2 | – | 200 2'],
  ['gzip, chunked', coded('gzip, chunked', `16${END}${GZIP}${END}${LAST}`), '200 22', '200 22 | – | 200 22'],
  ['identity, chunked', coded('identity, chunked'), '200 2', '200 2 | – | 200 2'],
  ['chunked and a comma', coded('chunked,'), '200 2', '200 2 | – | 200 2'],
  ['chunked, gzip', coded('chunked, gzip'), 'BAD_TRANSFER_ENCODING', '– | – | 200 2'],
  ['chunked, identity', coded('chunked, identity'), 'BAD_TRANSFER_ENCODING', '200 2 | – | 200 2'],
  ['identity', coded('identity', 'ok'), '200 2', '200 2 | – | 200 2', 'closed'],
  ['an empty coding', coded('', 'ok'), '200 2', '200 2 | – | 200 2', 'closed'],
  ['an unknown coding', coded('cow', 'ok'), 'BAD_TRANSFER_ENCODING', '– | – | 200 2'],
  ['an unknown coding, then chunked', coded('cow, chunked'), 'BAD_TRANSFER_ENCODING', '– | – | 200 2'],
  ['a coding that begins like chunked', coded('chunkedx', 'ok'), 'BAD_TRANSFER_ENCODING', '– | – | 200 2'],
  ['chunked with a parameter', coded('chunked;q=1'), 'BAD_TRANSFER_ENCODING', '– | – | 200 12'],
  ['chunked behind a vertical tab', coded('\u000bchunked'), 'BAD_TRANSFER_ENCODING', '– | – | 200 12'],
  ['chunks of HTTP/1.0', coded('chunked').replace('1.1', '1.0'), '200 2', '200 2 | 200 12 | 200 12'],
  ['a padded chunk size', chunked(`2   ${END}ok${END}${LAST}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a chunk size with a tab behind', chunked(`2\t${END}ok${END}${LAST}`), '200 2', '200 2 | 200 2 | –'],
  ['a chunk size with zeros before', chunked(`0002${END}ok${END}000${END}${END}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a chunk size in capitals', chunked(`A${END}okokokokok${END}${LAST}`), '200 10', '200 10 | 200 10 | 200 10'],
  ['a chunk size with a blank before', chunked(` 2${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '– | – | –'],
  ['a chunk size with 0x', chunked(`0x2${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '– | – | –'],
  ['a chunk size with a sign', chunked(`+2${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '– | – | –'],
  ['a chunk size of two numbers', chunked(`2 2${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '200 2 | – | –'],
  ['an empty chunk size', chunked(`${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '– | – | –'],
  ['a chunk size beyond 2^64', chunked(`10000000000000002${END}ok${END}${LAST}`), 'BAD_CHUNK_SIZE', '– | – | –'],
  ['a chunk extension', chunked(`2;a=b;c="d;e"${END}ok${END}0;f${END}${END}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['blanks in a chunk extension', chunked(`2 ; a = b${END}ok${END}${LAST}`), '200 2', '200 2 | – | 200 2'],
  ['an empty chunk extension', chunked(`2;${END}ok${END}${LAST}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a chunk extension with a control byte', chunked(`2;a=\u0001"${END}ok${END}${LAST}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a chunk extension that LF ends', chunked(`2;a\nok${END}${LAST}`), '200 2', '200 2 | – | 200 2'],
  ['a chunk extension with CR alone', chunked(`2;a\rb${END}ok${END}${LAST}`), 'BARE_CR', '200 2 | – | 200 2'],
  ['LF in all chunk lines', chunked('2\nok\n0\n\n'), '200 2', '200 2 | – | 200 2'],
  ['LF behind a chunk size', chunked(`2\nok${END}${LAST}`), '200 2', '200 2 | – | 200 2'],
  ['LF behind chunk data', chunked(`2${END}ok\n${LAST}`), '200 2', '200 2 | – | 200 2'],
  ['LF behind trailers', chunked(`2${END}ok${END}0${END}X: y\n\n`), '200 2', '200 2 | – | 200 2'],
  ['CR CR LF behind a chunk size', chunked(`2\r${END}ok${END}${LAST}`), 'BARE_CR', '200 2 | – | –'],
  ['CR alone behind a chunk size', chunked(`2\rok${END}${LAST}`), 'BARE_CR', '– | – | –'],
  ['chunk data without a line end', chunked(`2${END}ok0${END}${END}`), 'BAD_CHUNK_END', '– | – | –'],
  ['chunk data that are too long', chunked(`2${END}okay${END}${LAST}`), 'BAD_CHUNK_END', '– | – | –'],
  ['trailers', chunked(`2${END}ok${END}0${END}X-A: b${END} c${END}${END}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a length in the trailers', chunked(`2${END}ok${END}0${END}Content-Length: 9${END}${END}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a coding in the trailers', chunked(`2${END}ok${END}0${END}Transfer-Encoding: gzip${END}${END}`), '200 2', '200 2 | 200 2 | 200 2'],
  ['a trailer without a colon', chunked(`2${END}ok${END}0${END}hello${END}${END}`), 'BAD_HEADER_NAME', '– | – | 200 2'],
  ['a response cut in a chunk', chunked(`5${END}ok`), 'EOF', '– | – | –', 'closed'],
  ['a response cut before the last chunk', chunked(`2${END}ok${END}`), 'EOF', '– | – | –', 'closed'],
  ['a response cut before the last empty line', chunked(`2${END}ok${END}0${END}`), 'EOF', '– | – | –', 'closed'],
  ['a response cut in a header', `${OK}Content-Le`, 'EOF', '200 0 | – | 200 0', 'closed'],
  ['a response cut before its empty line', `${OK}${LENGTH}`, 'EOF', '– | – | 200 0', 'closed'],
  ['two responses at once', `${length(2)}${length(2)}`, '200 2', '200 2 | 200 2 | 200 2'],
  ['bytes behind the last chunk', `${coded('chunked')}more`, '200 2', '200 2 | 200 2 | 200 2'],
  ['Content-Encoding: none', `${head('Content-Encoding: none', 'Content-Length: 2')}ok`, '200 2', '200 2 | 200 2 | 200 2'],
];

const COLUMNS = { curl: 0, chromium: 2 } as const;
const fromBrowser = Promise.withResolvers<readonly string[]>();
let server: TestServer;

const PAGE = `<script>(async () => {
  const readings = [];
  for (let form = 0; form < ${FORMS.length}; form += 1) {
    readings.push(await fetch('/' + form + '?closed', { cache: 'no-store' }).then(async (r) => r.status + ' ' + (await r.arrayBuffer()).byteLength).catch(() => '–'));
  }
  fetch('/readings?' + encodeURIComponent(readings.join(';')));
})()</script>`;

function respond({ text, socket }: RawRequest): void {
  const path = text.split(' ')[1] ?? '';
  if (path === '/page')
    socket.end(`${head('Content-Type: text/html; charset=utf-8', `Content-Length: ${Buffer.byteLength(PAGE)}`)}${PAGE}`);
  else if (path.startsWith('/readings?')) {
    socket.end(empty(204));
    fromBrowser.resolve(decodeURIComponent(path.slice('/readings?'.length)).split(';'));
  } else {
    const [, index, suffix] = /^\/(\d+)(.*)$/.exec(path) ?? [];
    const [, bytes = empty(404, 'Content-Length: 0'), , , end] = FORMS[Number(index)] ?? [];
    socket.write(Buffer.from(bytes, 'latin1'));
    if (end === 'closed') socket.end();
    else if (suffix !== '') setTimeout(() => socket.end(), 100);
  }
}

beforeAll(async () => {
  server = await rawServer(respond);
});
afterAll(() => server.close());

describe.each(['autocannon', 'native'] as const)('the forms of responses, read by %s', (engine) => {
  it.each(FORMS.map((form, index) => [form[0], index, form[2]] as const))('%s', async (_name, index, reading) => {
    const [status = Number.NaN, bodyBytes = Number.NaN] = reading.split(' ').map(Number);
    const isTaken = !Number.isNaN(status);
    const requests = isTaken ? 2 : 1;
    const journey = [{ name: 'page', path: `/${index}` }];
    const { cell } = await drive({
      targets: [server.url],
      plan: { engine, journey, timeoutSeconds: 10 },
      stage: { connections: 1, requests },
    });
    expect(cell.statuses).toEqual(new Map(isTaken ? [[status, requests]] : []));
    if (isTaken) expect(cell.bodyBytes).toBe(requests * bodyBytes);
    else expect(cell.errors).toEqual({ [`${reading}@body`]: 1 });
  });
});

/**
 * Expects the readings of all forms in order. If the version is not that of the table, only forms that all readers read the same way are
 * compared.
 */
function expectReadings(reader: keyof typeof COLUMNS, isVersionOfTable: boolean, readings: readonly string[]): void {
  const compared = FORMS.map(([name, , holdfast, others], index) => ({
    name,
    holdfast,
    others: others.split(' | '),
    reading: readings[index],
  }));
  const differing = compared.filter(({ holdfast, others, reading }) =>
    isVersionOfTable ? reading !== others[COLUMNS[reader]] : others.every((other) => other === holdfast) && reading !== holdfast,
  );
  expect(differing).toEqual([]);
}

const curlVersion = spawnSync('curl', ['--version'], { env: childEnvironment() }).stdout?.toString() ?? '';
const browser = installedBrowser();

describe('the forms of responses', () => {
  it.runIf(curlVersion !== '')('are read by curl as in the table', { timeout: 60_000 }, async () => {
    const readings: string[] = [];
    const readOne = async (index: number): Promise<void> => {
      const words = ['-s', '-o', '/dev/null', '--max-time', '5', '-w', '%{http_code} %{size_download}', `${server.url}${index}?closed`];
      const child = spawn('curl', words, { env: childEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] });
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
      readings[index] = code === 0 ? output : '–';
    };
    for (let index = 0; index < FORMS.length; index += 8) {
      await Promise.all(FORMS.slice(index, index + 8).map((_, at) => readOne(index + at)));
    }
    expectReadings('curl', curlVersion.startsWith('curl 7.88.1 '), readings);
  });

  it.runIf(browser !== undefined)('are read by Chromium as in the table', { timeout: 60_000 }, async () => {
    const profile = await mkdtemp(join(tmpdir(), 'holdfast-framing-'));
    const env = childEnvironment();
    const version = spawnSync(browser ?? '', ['--version'], { env }).stdout.toString();
    const words = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, `${server.url}page`];
    const child = spawn(browser ?? '', words, { env, stdio: 'ignore' });
    try {
      expectReadings('chromium', version.includes(' 156.'), await fromBrowser.promise);
    } finally {
      child.kill();
      await once(child, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('match the table in docs/framing.md', async () => {
    const rows = FORMS.map(([name, , holdfast, others]) => `| ${name} | ${holdfast} | ${others} |`);
    const page = await readFile(new URL('../../docs/framing.md', import.meta.url), 'utf8');
    const written = (page.split('## HTTP/2\n')[0] ?? '').split('\n').map((line) => line.replaceAll(/ +\|/g, ' |').replaceAll('`', ''));
    expect(written.filter((line) => line.startsWith('| ')).slice(2)).toEqual(rows);
  });
});
