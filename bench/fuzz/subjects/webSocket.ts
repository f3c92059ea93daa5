import { type Fault, FrameReader, type MessageInflater, type MessageListener } from '#workers/streams/websocket/frames.ts';
import { judgeUpgrade, upgradeRequest } from '#workers/streams/websocket/handshake.ts';
import { Inflater } from '#workers/streams/websocket/permessageDeflate.ts';
import { CLOSES, type MessageExample, MESSAGES, packed, serverFrame } from '#workers/streams/websocket/testing/serverFrames.ts';
import { bytesOf, assertPromise, type Subject } from '../subject.ts';

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');
const LIMITS = { maxMessageBytes: 4_096, maxFragments: 100 };

/** Records all events as one text. */
class Reported implements MessageListener {
  text = '';
  private isOver = false;

  onMessage(isText: boolean, buffer: Buffer, start: number, end: number): void {
    assertPromise(end - start <= LIMITS.maxMessageBytes, 'a message is larger than its limit');
    const message = buffer.subarray(start, end);
    assertPromise(!isText || Buffer.from(message.toString()).equals(message), 'a text is not UTF-8');
    this.notify(`${isText} ${latin1(message)}`);
  }

  onPing(buffer: Buffer, start: number, end: number): void {
    assertPromise(end - start <= 125, 'a ping is longer than a pong may be');
    this.notify(`ping ${latin1(buffer.subarray(start, end))}`);
  }

  onPong(buffer: Buffer, start: number, end: number): void {
    this.notify(`pong ${latin1(buffer.subarray(start, end))}`);
  }

  onClose(code: number, reason: string): void {
    this.end(`${code} ${reason}`);
  }

  onBroken(fault: Fault, closeCode: number): void {
    assertPromise(closeCode >= 1002 && closeCode <= 1009, 'a fault without a code');
    this.end(fault);
  }

  private end(what: string): void {
    this.notify(what);
    this.isOver = true;
  }

  private notify(what: string): void {
    assertPromise(!this.isOver, 'an event follows the end of the stream');
    this.text += `;${what}`;
  }
}

function listEvents(bytes: Buffer, cuts: readonly number[], inflater: MessageInflater | null): string {
  const listener = new Reported();
  const reader = new FrameReader(listener, inflater, LIMITS);
  let exampleAt = 0;
  for (const cut of [...cuts, bytes.length]) {
    reader.feed(bytes, exampleAt, cut);
    exampleAt = cut;
  }
  return listener.text;
}

/** Returns the events in some bytes, after checking that they are the same however the bytes are split into chunks. */
function readFrames(
  input: string,
  inflater: () => MessageInflater | null,
  listCuts: (length: number) => readonly (readonly number[])[],
): string {
  const bytes = bytesOf(input);
  const whole = listEvents(bytes, [], inflater());
  for (const cuts of listCuts(bytes.length)) {
    assertPromise(listEvents(bytes, cuts, inflater()) === whole, `cut at ${cuts.slice(0, 9).join()} the result differs`);
  }
  return whole;
}

const everyCut = (length: number): number[] => Array.from({ length }, (_, at) => at);
/** Splits at every byte. Long inputs are split only in the middle, because their time is measured. */
const singleCuts = (length: number): readonly (readonly number[])[] => [length < 500 ? everyCut(length) : [length >> 1]];
const manyCuts = (length: number): readonly (readonly number[])[] => [
  ...singleCuts(length),
  ...(length < 24 ? everyCut(length) : [1, 11, length - 3]).map((cut) => [cut]),
];

const shortMessages = Object.values(MESSAGES).filter(({ bytes }) => bytes.length < 500);
const uncompressedMessages = shortMessages.filter(({ bytes }) => ((bytes[0] ?? 0) & 0x40) === 0);

/** Returns inputs in which each example is surrounded by other frames, so that the damaged frame is seldom the first. */
function conversations(examples: readonly MessageExample[]): string[] {
  const ends = Object.values(CLOSES);
  const exampleAt = (index: number): Buffer => examples[index % examples.length]?.bytes ?? Buffer.alloc(0);
  return examples.map((_, index) =>
    latin1(
      Buffer.concat([
        exampleAt(index + 5),
        exampleAt(index + 11),
        exampleAt(index + 17),
        exampleAt(index),
        ends[index % ends.length]?.bytes ?? exampleAt(0),
      ]),
    ),
  );
}

const pages = ['{"type":"tick","price":10.25}', '{"type":"tick","price":10.50}', 'x'.repeat(300)];
const conversation = (first: number, getPayload: (text: string) => string | Buffer): string =>
  latin1(
    Buffer.concat([
      ...pages.map((text) => serverFrame(first, getPayload(text))),
      serverFrame(0x89, '?'),
      serverFrame(0x88, Buffer.from('03e8', 'hex')),
    ]),
  );
const tokens = [
  '\x81\0',
  '\x01\x01a',
  '\0\0',
  '\0\x01b',
  '\x80\0',
  '\x89\0',
  '\x8a\x01?',
  '\x88\x02\x03\xe8',
  '\x81\x7e\0\x7e',
  '\x82\x7f\0\0\0\0\0\x01\0\0',
  '\x7f\xff',
  '\xf0\x9f\x98\x80',
  '\xed\xa0\x80',
  '\xff',
  '\0',
];
const packedTokens = [
  '\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\0',
  '\x41\x02\xf2\x48',
  '\xf3\x48\xcd\xc9\xc9\x07\0',
  '\xf2\0\x11\0\0',
  '\x03\0',
  '\0\0\xff\xff',
];
const request = upgradeRequest({ origin: null, protocols: ['chat'] }, (bytes) => Buffer.alloc(bytes));

/** Parsers for data from a WebSocket server. */
export const WEB_SOCKET: readonly Subject[] = [
  {
    name: 'WebSocket frames',
    seeds: [conversation(0x81, (text) => text), ...conversations(uncompressedMessages)],
    tokens,
    inputs: 10_000_000,
    // Long inputs are read five times, and short ones up to 25 times.
    msPerMb: 4_000,
    read: (input) => readFrames(input, () => null, manyCuts),
  },
  {
    name: 'WebSocket compression',
    seeds: [conversation(0xc1, packed), ...conversations(shortMessages)],
    tokens: [...tokens, ...packedTokens],
    // The limit is high, because every message needs a new decompressor, and each input, even one of 9 bytes, is read four times.
    msPerMb: 10_000,
    // Only lengths are returned, because a small input may be decompressed to a large one.
    read: (input) => [
      readFrames(input, () => new Inflater(15, LIMITS.maxMessageBytes), singleCuts).length,
      readFrames(input, () => new Inflater(9, LIMITS.maxMessageBytes), singleCuts).length,
    ],
  },
  {
    name: 'WebSocket handshake',
    seeds: [
      'permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits=10',
      'permessage-deflate; server_max_window_bits="12"\nmux',
    ],
    tokens: [
      'permessage-deflate',
      '; ',
      ', ',
      '=',
      '"',
      '\n',
      'server_max_window_bits',
      'client_max_window_bits=8',
      'server_no_context_takeover',
      '15',
      '08',
    ],
    read: (input) => {
      const common = { status: 101, upgrade: 'websocket', connection: `${input}\nupgrade`, extensions: input };
      const judged = judgeUpgrade(request, { ...common, accept: request.accept, protocol: 'chat' });
      const { fault } = judged;
      assertPromise(fault === null || fault === 'WS_BAD_EXTENSION', 'another fault');
      if (judged.fault === null && judged.windowBits !== null)
        assertPromise(judged.windowBits >= 8 && judged.windowBits <= 15, 'a window of no size');
      return judged;
    },
  },
];
