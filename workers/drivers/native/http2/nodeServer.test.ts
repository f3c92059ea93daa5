import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FrameReader } from './frames/frameReader.ts';
import {
  CONNECTION_PREFACE,
  dataFrame,
  goAway,
  H2_ERRORS,
  headersFrames,
  pingAck,
  resetStream,
  settingsAck,
  settingsFrame,
  windowUpdate,
} from './frames/writeFrames.ts';
import type { Field } from './hpack/hpackDecoder.ts';
import { HpackEncoder } from './hpack/hpackEncoder.ts';
import { type Head, readHead, portOf } from './testing/nodeTraffic.ts';
import { FrameLog } from './testing/readFrames.ts';

/** Node's HTTP/2 server, which receives the frames of the writer under test. */
let server: Http2Server;
let socket: Socket;
let session: ServerHttp2Session;
let requests: Head[];
let bodies: string[];
let problems: unknown[];

beforeEach(async () => {
  [requests, bodies, problems] = [[], [], []];
  server = createServer({ settings: { headerTableSize: 1_000 } });
  server.on('sessionError', (error) => problems.push(error));
  server.on('session', (opened) => {
    session = opened;
  });
  server.on('stream', (stream, headers) => {
    requests.push(readHead(headers));
    let body = '';
    stream.setEncoding('latin1');
    stream.on('data', (text: string) => {
      body += text;
    });
    stream.on('error', () => {});
    stream.on('end', () => {
      if (stream.closed) return;
      bodies.push(body);
      stream.respond({ ':status': 200, 'x-bytes': String(body.length) });
      stream.end(`${body}.`);
    });
  });
  socket = connect(await portOf(server), '127.0.0.1');
  socket.on('error', (error) => problems.push(error));
});

afterEach(() => {
  socket.destroy();
  server.close();
});

/** Sends only the required acknowledgements of settings and pings. */
class Client extends FrameLog {
  readonly encoder = new HpackEncoder();
  ended = 0;
  private awaited = { count: 0, resolve: (): void => {} };

  override onSettings(entries: readonly (readonly [id: number, value: number])[]): null {
    for (const [id, value] of entries) if (id === 1) this.encoder.setMaxTableBytes(value);
    socket.write(settingsAck());
    return super.onSettings(entries);
  }

  override onPing(opaque: Buffer): null {
    socket.write(pingAck(opaque));
    return super.onPing(opaque);
  }

  override onDataEnd(stream: number): null {
    super.onDataEnd(stream);
    this.ended += 1;
    if (this.ended === this.awaited.count) this.awaited.resolve();
    return null;
  }

  async responded(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.awaited = { count, resolve };
    if (this.ended < count) await promise;
  }
}

function clientThatReads(): Client {
  const client = new Client();
  const reader = new FrameReader(client);
  socket.on('data', (bytes: Buffer) => {
    const error = reader.feed(bytes, 0, bytes.length);
    if (error !== null) problems.push(error);
  });
  socket.write(
    Buffer.concat([
      CONNECTION_PREFACE,
      settingsFrame([
        [2, 0],
        [4, 1_000_000],
      ]),
      windowUpdate(0, 1_000_000),
    ]),
  );
  return client;
}

const request = (method: string, others: readonly Field[] = []): Field[] => [
  { name: ':method', value: method },
  { name: ':scheme', value: 'http' },
  { name: ':authority', value: '127.0.0.1' },
  { name: ':path', value: '/path?query' },
  ...others,
];
const asHead = (fields: readonly Field[]): Head => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

it('Node reads requests with all kinds of header blocks as they were sent', async () => {
  const client = clientThatReads();
  const sent: Field[][] = [];
  const send = (stream: number, fields: Field[], body = ''): void => {
    sent.push(fields);
    socket.write(headersFrames(stream, client.encoder.encode(fields), body === '', 16_384));
    if (body !== '') socket.write(dataFrame(stream, Buffer.from(body.slice(0, 5), 'latin1'), false));
    if (body !== '') socket.write(dataFrame(stream, Buffer.from(body.slice(5), 'latin1'), true));
  };
  const trace = { name: 'x-trace', value: 'one' };
  send(1, request('GET', [trace]));
  await client.responded(1);
  send(3, request('GET', [trace]));
  send(5, request('GET', [{ name: 'authorization', value: 'Basic eDp5' }, { name: 'cookie', value: 'a=b' }, trace]));
  send(7, request('POST', [trace]), 'a body of some letters');
  send(9, request('GET', [{ name: 'x-long', value: 'l'.repeat(40_000) }]));
  for (let number = 0; number < 60; number += 1)
    send(11 + 2 * number, request('GET', [{ name: `x-${number}`, value: `${number} \u00e9` }, trace]));
  await client.responded(65);
  expect(problems).toEqual([]);
  expect(requests).toEqual(sent.map(asHead));
  expect(bodies.filter((body) => body !== '')).toEqual(['a body of some letters']);
  expect(client.heads).toHaveLength(65);
  expect(client.heads.map((head) => head['x-bytes']).filter((bytes) => bytes !== '0')).toEqual(['22']);
});

it("Node's pings are acknowledged, and Node understands RST_STREAM and GOAWAY", async () => {
  const client = clientThatReads();
  socket.write(headersFrames(1, client.encoder.encode(request('GET')), true, 16_384));
  await client.responded(1);
  const { promise: returned, resolve } = Promise.withResolvers<string>();
  session.ping(Buffer.from('12345678'), (_error, _ms, opaque) => resolve(opaque.toString()));
  expect(await returned).toBe('12345678');
  const opened = once(server, 'stream');
  socket.write(headersFrames(3, client.encoder.encode(request('POST')), false, 16_384));
  const [stream] = await opened;
  const reset = once(stream, 'close');
  const ended = once(session, 'goaway');
  socket.write(Buffer.concat([resetStream(3, H2_ERRORS.CANCEL), goAway(0, H2_ERRORS.NO_ERROR)]));
  expect((await ended).slice(0, 2)).toEqual([H2_ERRORS.NO_ERROR, 0]);
  expect(problems).toEqual([]);
  await reset;
  expect(stream.rstCode).toBe(H2_ERRORS.CANCEL);
});
