import { FrameReader, type FrameError, type FrameListener } from '#workers/drivers/native/http2/frames/frameReader.ts';
import { settingsFrame, windowUpdate } from '#workers/drivers/native/http2/frames/writeFrames.ts';
import { type Field, HpackDecoder } from '#workers/drivers/native/http2/hpack/hpackDecoder.ts';
import { HpackEncoder } from '#workers/drivers/native/http2/hpack/hpackEncoder.ts';
import { frame, FRAMES } from '#workers/drivers/native/http2/testing/frameBytes.ts';
import { bytesOf, assertPromise, type Subject } from '../subject.ts';

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');
const LIMITS = { maxFrameBytes: 16_384, maxBlockBytes: 16_384, maxEmptyFrames: 100 };
const MAX_LIST_BYTES = 4_096;

/** Records all events as one text. Each header block is decoded twice: in sequence, and with a fresh state. */
class Reported implements FrameListener {
  text = '';
  private readonly decoder = new HpackDecoder({ maxTableBytes: 1_024, maxListBytes: MAX_LIST_BYTES });
  private readonly afresh = new HpackDecoder({ maxTableBytes: 1_024, maxListBytes: MAX_LIST_BYTES });
  private flowBytes = 0;

  onData(stream: number, _buffer: Buffer, start: number, end: number, flowBytes: number): null {
    assertPromise(end >= start && flowBytes >= end - start, 'a body is longer than its frame');
    if (this.flowBytes === 0) this.text += `;${stream}`;
    this.flowBytes += flowBytes;
    return null;
  }

  onHeaders(stream: number, buffer: Buffer, start: number, end: number, endStream: boolean): FrameError | null {
    const refusal = this.decoder.decode(buffer, start, end);
    // Another block is decoded in between, so that no cached result is used.
    this.afresh.decode(Buffer.of(0x82), 0, 1);
    const truth = this.afresh.decode(buffer, start, end);
    assertPromise(
      refusal === truth && sameFields(this.decoder.fields, this.afresh.fields),
      'a block says something else when it comes again',
    );
    const listBytes = this.decoder.fields.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 0);
    assertPromise(listBytes <= MAX_LIST_BYTES, 'a header list is too large');
    this.notify(`${stream} ${endStream} ${refusal} ${this.decoder.fields.length} ${listBytes}`);
    return refusal === 'COMPRESSION_ERROR' ? { code: 9, reason: refusal } : null;
  }

  onDataEnd = (stream: number): null => this.notify(`${stream} ends`);
  onReset = (stream: number, code: number): null => this.notify(`${stream} ${code}`);
  onSettings = (entries: readonly (readonly [number, number])[]): null => this.notify(entries.join());
  onSettingsAck = (): null => this.notify('ack');
  onPing = (opaque: Buffer): null => this.notify(latin1(opaque));
  onGoAway = (last: number, code: number, debug: Buffer): null => this.notify(`${last} ${code} ${latin1(debug)}`);
  onWindowUpdate = (stream: number, increment: number): null => this.notify(`${stream} ${increment}`);

  notify(what: string): null {
    this.text += this.flowBytes > 0 ? ` ${this.flowBytes};${what}` : `;${what}`;
    this.flowBytes = 0;
    return null;
  }
}

function sameFields(some: readonly Field[], others: readonly Field[]): boolean {
  return some.length === others.length && some.every(({ name, value }, at) => name === others[at]?.name && value === others[at].value);
}

/** Returns the events as one text for bytes that arrive in two chunks. */
function listEvents(bytes: Buffer, cut: number): string {
  const listener = new Reported();
  const reader = new FrameReader(listener, LIMITS);
  const error = reader.feed(bytes, 0, cut) ?? reader.feed(bytes, cut, bytes.length);
  listener.notify(error?.reason ?? '');
  return listener.text;
}

const encoder = new HpackEncoder(1_024);
const RESPONSE = [
  { name: ':status', value: '200' },
  { name: 'server', value: 'nginx/1.25.3' },
  { name: 'date', value: 'Tue, 01 Apr 2025 12:00:00 GMT' },
  { name: 'x-trace', value: 'one' },
];
const headerBlock = encoder.encode(RESPONSE);
const secondBlock = encoder.encode(RESPONSE);
const response = (fields: Buffer): Buffer => Buffer.concat([frame(1, 4, 1, fields), frame(0, 9, 1, '0268656c6c6f0000')]);

/** Parsers for HTTP/2. */
export const HTTP2: readonly Subject[] = [
  {
    name: 'HTTP/2 frames',
    seeds: [
      latin1(
        Buffer.concat([
          settingsFrame([[3, 100]]),
          windowUpdate(0, 65_536),
          response(headerBlock),
          response(secondBlock),
          response(secondBlock),
        ]),
      ),
      latin1(
        Buffer.concat([
          response(headerBlock),
          response(headerBlock),
          frame(1, 0, 3, headerBlock.subarray(0, 9)),
          frame(9, 4, 3, headerBlock.subarray(9)),
        ]),
      ),
      ...Object.values(FRAMES).map(({ bytes }) => latin1(bytes)),
    ],
    tokens: [
      '\0\0\0',
      '\0\0\x01\x01\x04\0\0\0\x01\x88',
      '\0\0\x02\x01\x05\0\0\0\x03\xbe\xbf',
      '\0\0\x01\x01\0\0\0\0\x01\x82',
      '\0\0\x01\x09\0\0\0\0\x01\x84',
      '\0\0\x01\x09\x04\0\0\0\x01\x84',
      '\0\0\x05\0\x08\0\0\0\x01',
      '\xbe',
      '\x40\x01a\x01b',
      '\x20',
      '\x3f\xe1\x07',
      '\xff\xff\xff\x7f',
      '\0',
      '\xff',
      latin1(secondBlock),
    ],
    inputs: 10_000_000,
    // Long inputs are read four times, and each of their header blocks is decoded twice.
    msPerMb: 4_000,
    read(input) {
      const bytes = bytesOf(input);
      const whole = listEvents(bytes, 0);
      const cuts = bytes.length < 24 ? Array.from(bytes.keys()) : [1, bytes.length >> 1, bytes.length - ((bytes[9] ?? 0) % 24)];
      for (const cut of cuts) assertPromise(listEvents(bytes, cut) === whole, `cut at ${cut} the result differs`);
      return whole;
    },
  },
];
