import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cert, key } from '#workers/testing/certificate.ts';
import { DEFAULT_TLS, driveNative } from '../testing/driveNative.ts';
import { HpackDecoder } from './hpack/hpackDecoder.ts';
import { frame } from './testing/frameBytes.ts';

const [DATA, HEADERS, SETTINGS, CONTINUATION] = [0, 1, 4, 9];
const [END_STREAM, END_HEADERS, PADDED, HAS_PRIORITY] = [1, 4, 8, 0x20];

/** Encodes an HPACK integer below 2^14 with a prefix of `bits` bits. */
function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.of(value);
  const rest = value - most;
  return rest < 128 ? Buffer.of(most, rest) : Buffer.of(most, (rest & 127) | 128, rest >> 7);
}

const text = (value: string): Buffer => Buffer.concat([integer(value.length, 7), Buffer.from(value, 'latin1')]);
type Lines = readonly (readonly [name: string, value: string])[];
const block = (fields: Lines): Buffer => Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
const OK = [':status', '200'] as const;
const LENGTH = ['content-length', '2'] as const;

type Frames = (id: number) => Buffer;
const head =
  (fields: Lines, flags = 0): Frames =>
  (id) =>
    frame(HEADERS, END_HEADERS | flags, id, block(fields));
/** Splits a header block into frames of 16 kB. */
const longHead =
  (fields: Lines): Frames =>
  (id) => {
    const bytes = block(fields);
    const starts = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) => index * 16_384);
    const pieces = starts.map((start) => bytes.subarray(start, start + 16_384));
    return Buffer.concat(
      pieces.map((piece, index) => frame(index === 0 ? HEADERS : CONTINUATION, index === pieces.length - 1 ? END_HEADERS : 0, id, piece)),
    );
  };
const body =
  (data = 'ok', flags = END_STREAM): Frames =>
  (id) =>
    frame(DATA, flags, id, Buffer.from(data));
const all =
  (...frames: readonly Frames[]): Frames =>
  (id) =>
    Buffer.concat(frames.map((one) => one(id)));
const responded = (...fields: Lines): Frames => all(head([OK, ...fields]), body());

/** How Holdfast, curl 7.88.1 and Go 1.26.8 read the frames of a server: status and number of body bytes, an error code, or `–`. */
type Form = readonly [name: string, frames: Frames, holdfast: string, others: string];

const FORMS: readonly Form[] = [
  ['a length', responded(LENGTH), '200 2', '200 2 | 200 2'],
  ['no length', responded(), '200 2', '200 2 | 200 2'],
  ['equal lengths twice', responded(LENGTH, LENGTH), '200 2', '– | 200 2'],
  ['different lengths', responded(LENGTH, ['content-length', '3']), 'H2_BAD_LENGTH', '– | 200 2'],
  ['a length of letters', responded(['content-length', 'x']), 'H2_BAD_LENGTH', '– | 200 2'],
  ['a length with a sign', responded(['content-length', '+2']), 'H2_BAD_LENGTH', '– | 200 2'],
  ['a length that is too large', responded(['content-length', '5']), 'H2_BAD_LENGTH', '– | –'],
  ['a length that is too small', responded(['content-length', '1']), 'H2_BAD_LENGTH', '– | –'],
  [
    '204 with a length',
    head(
      [
        [':status', '204'],
        ['content-length', '1234'],
      ],
      END_STREAM,
    ),
    '204 0',
    '– | –',
  ],
  [
    '304 with a length',
    head(
      [
        [':status', '304'],
        ['content-length', '1234'],
      ],
      END_STREAM,
    ),
    '304 0',
    '304 0 | –',
  ],
  ['an empty frame of data at the end', all(head([OK, LENGTH]), body('ok', 0), body('')), '200 2', '200 2 | 200 2'],
  [
    'padded data',
    all(head([OK, LENGTH]), (id) => frame(DATA, END_STREAM | PADDED, id, Buffer.from('\u0003ok\0\0\0'))),
    '200 2',
    '200 2 | 200 2',
  ],
  [
    '40 interim responses',
    all(...Array.from({ length: 40 }, () => head([[':status', '104']])), responded(LENGTH)),
    '200 2',
    '200 2 | 200 2',
  ],
  [
    '103 with a link',
    all(
      head([
        [':status', '103'],
        ['link', '</a>'],
      ]),
      responded(LENGTH),
    ),
    '200 2',
    '200 2 | 200 2',
  ],
  ['101', all(head([[':status', '101']]), responded(LENGTH)), 'H2_BAD_STATUS', '– | 200 2'],
  ['an interim response that ends the stream', head([[':status', '103']], END_STREAM), 'H2_BAD_STATUS', '– | –'],
  ['no status', all(head([LENGTH]), body()), 'H2_BAD_STATUS', '– | –'],
  ['a status of four digits', all(head([[':status', '2000']]), body()), 'H2_BAD_STATUS', '– | 2000 2'],
  ['trailers', all(head([OK, LENGTH]), body('ok', 0), head([['x-a', 'b']], END_STREAM)), '200 2', '200 2 | 200 2'],
  ['trailers that do not end the stream', all(head([OK, LENGTH]), body('ok', 0), head([['x-a', 'b']])), 'H2_BAD_TRAILERS', '– | –'],
  ['trailers with a status', all(head([OK, LENGTH]), body('ok', 0), head([OK], END_STREAM)), 'H2_BAD_TRAILERS', '– | –'],
  ['data before a head', body(), 'H2_DATA_BEFORE_HEAD', '– | –'],
  ['a header of 20 kB', responded(['x-policy', 'a'.repeat(8_000)], ['x-other', 'a'.repeat(8_000)], LENGTH), '200 2', '200 2 | 200 2'],
  [
    'a head of 64 kB',
    all(longHead([OK, ...Array.from({ length: 8 }, () => ['x-policy', 'a'.repeat(8_192)] as const), LENGTH]), body()),
    '200 2',
    '200 2 | 200 2',
  ],
];

let url = '';
const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, serve);

function serve(socket: TLSSocket): void {
  const decoder = new HpackDecoder({ maxTableBytes: 4_096, maxListBytes: 65_536 });
  let bytes = Buffer.alloc(0);
  let skipped = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
  socket.on('error', () => {});
  socket.write(frame(SETTINGS, 0, 0));
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length < skipped) return;
    bytes = bytes.subarray(skipped);
    skipped = 0;
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const [length, type, flags, id] = [bytes.readUIntBE(0, 3), bytes[3], bytes[4] ?? 0, bytes.readUInt32BE(5)];
      const payload = bytes.subarray(9, 9 + length);
      bytes = bytes.subarray(9 + length);
      if (type === SETTINGS && (flags & 1) === 0) socket.write(frame(SETTINGS, 1, 0));
      if (type !== HEADERS) continue;
      decoder.decode(payload, (flags & HAS_PRIORITY) === 0 ? 0 : 5, payload.length);
      const path = decoder.fields.find(({ name }) => name === ':path')?.value ?? '/';
      socket.write((FORMS[Number(path.slice(1))]?.[1] ?? head([[':status', '404']], END_STREAM))(id));
    }
  });
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

describe('the forms of responses over HTTP/2', () => {
  it.each(FORMS.map(([name, , reading], index) => [name, index, reading] as const))('%s', async (_name, index, reading) => {
    const [status, bodyBytes] = reading.split(' ').map(Number);
    const figures = await driveNative({
      url: `${url}${index}`,
      connections: 1,
      journeys: 1,
      endpoint: { protocol: 'h2', tls: { ...DEFAULT_TLS, verifies: false } },
    });
    if (bodyBytes === undefined) expect(Object.keys(figures.errors).map((error) => error.split('@')[0])).toEqual([reading]);
    else expect([figures.statuses, figures.bodyBytes]).toEqual([{ [String(status)]: 1 }, bodyBytes]);
  });

  it('match the table in docs/framing.md', async () => {
    const page = await readFile(new URL('../../../../docs/framing.md', import.meta.url), 'utf8');
    const written = (page.split('## HTTP/2\n')[1] ?? '').split('\n').map((line) => line.replaceAll(/ +\|/g, ' |').replaceAll('`', ''));
    const rows = FORMS.map(([name, , holdfast, others]) => `| ${name} | ${holdfast} | ${others} |`);
    expect(written.filter((line) => line.startsWith('| ')).slice(2)).toEqual(rows);
  });
});
