import { describe, expect, it } from 'vitest';
import { ResponseFramer } from './framer.ts';
import { planHeaders } from './refusals.ts';
import { CORPUS } from './testing/corpus.ts';
import { expectAsLlhttp } from './testing/expectAsLlhttp.ts';
import type { Reading } from './testing/messages.ts';
import { readWithFramer } from './testing/readWithFramer.ts';
import { readWithLlhttp } from './testing/readWithLlhttp.ts';

const WHOLE: Reading = { cuts: [], head: false, closes: true };

// drivers/framing.test.ts has the responses that llhttp refuses and other clients accept.
describe('the framer accepts what llhttp accepts, wherever the bytes are split', () => {
  it.each(Object.entries(CORPUS))('%s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const head of [false, true]) {
      for (const closes of [false, true]) {
        expectAsLlhttp(bytes, { cuts: [], head, closes });
        for (let cut = 1; cut < bytes.length; cut += 1) expectAsLlhttp(bytes, { cuts: [cut], head, closes });
        expectAsLlhttp(bytes, { cuts: Array.from(bytes.keys()), head, closes });
      }
    }
  });
});

const refusalOf = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE).refusal;
const llhttpRefuses = (text: string): boolean => readWithLlhttp(Buffer.from(text, 'latin1'), WHOLE).refusal !== null;

it('refuses another protocol at its first byte', () => {
  expect(readWithFramer(Buffer.from('2'), { ...WHOLE, closes: false }).refusal).toBe('NOT_HTTP');
});

it('reads the values of folded headers as one line', () => {
  const framer = new ResponseFramer(planHeaders(['x-a', 'x-b']));
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nX-A: one\r\n  two\n\tthree \r\nX-B:\r\n four\r\nConnection: x,\r\n close\r\n\r\n');
  framer.begin(true);
  framer.feed(bytes, 0, bytes.length);
  expect([framer.complete, framer.wanted, framer.keepAlive]).toEqual([true, ['one two three', 'four'], false]);
});

describe('a body of more than 4 GiB', () => {
  const BLOCK = Buffer.alloc(1_048_576);
  const BLOCKS = 4_097;
  const bytesOf = (head: string, end: string): [boolean, number] => {
    const framer = new ResponseFramer(planHeaders([]));
    const feed = (bytes: Buffer): number => framer.feed(bytes, 0, bytes.length);
    framer.begin(false);
    feed(Buffer.from(`HTTP/1.1 200 OK\r\n${head}`));
    for (let count = 0; count < BLOCKS; count += 1) feed(BLOCK);
    feed(Buffer.from(end));
    if (!framer.complete) framer.finish();
    return [framer.complete, framer.bodyBytes];
  };
  const size = BLOCKS * BLOCK.length;

  it.each([
    ['of a known length', `Content-Length: ${size}\r\n\r\n`, ''],
    ['in one chunk', `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
    ['until the close', '\r\n', ''],
  ])('%s is counted', (_name, head, end) => {
    expect(bytesOf(head, end)).toEqual([true, size]);
  });
});

/** Where we are stricter than llhttp, and why. */
describe('deliberate differences from llhttp', () => {
  it.each([
    ['HTTP/0.9 has no such status line', 'HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n', 'BAD_VERSION'],
    ['an unknown coding ends where each reader likes', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: cow\r\n\r\nx', 'BAD_TRANSFER_ENCODING'],
    ['RTSP is not what was asked for', 'RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', 'NOT_HTTP'],
    ['a status below 100 has no meaning', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', 'BAD_STATUS'],
  ])('%s', (_reason, text, refusal) => {
    expect(llhttpRefuses(text)).toBe(false);
    expect(refusalOf(text)).toBe(refusal);
  });

  it('a number cannot count exactly beyond 2^53 - 1: such lengths are refused instead of rounded', () => {
    const length = 'HTTP/1.1 200 OK\r\nContent-Length: 9007199254740993\r\n\r\n';
    const chunk = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20000000000001\r\n';
    for (const text of [length, chunk]) {
      expect(readWithLlhttp(Buffer.from(text), { ...WHOLE, closes: false }).refusal).toBeNull();
    }
    expect(refusalOf(length)).toBe('BAD_CONTENT_LENGTH');
    expect(refusalOf(chunk)).toBe('BAD_CHUNK_SIZE');
  });

  it('nobody asked to switch protocols', () => {
    expect(refusalOf('HTTP/1.1 101 Switching Protocols\r\n\r\n')).toBe('UPGRADED');
  });

  // RFC 9112, 6.1: Transfer-Encoding in an HTTP/1.0 response counts as faulty framing.
  it('chunked HTTP/1.0 responses end their connection', () => {
    const head = 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(readWithFramer(Buffer.from(head), WHOLE).messages).toMatchObject([{ status: 200, keepAlive: false }]);
  });

  it('interim answers end some time', () => {
    expect(refusalOf('HTTP/1.1 100 Continue\r\n\r\n'.repeat(10_001))).toBe('TOO_MANY_INTERIM');
  });
});

describe('limits', () => {
  const limits = { limitHeadBytes: 100, limitBodyBytes: 10 };
  const limited = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE, limits).refusal;

  it.each([
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['a reason without end', `HTTP/1.1 200 ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['empty lines without end', '\r\n'.repeat(200), 'HEAD_TOO_LARGE'],
    [
      'blanks without end behind a chunk size',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1${' '.repeat(200)}`,
      'HEAD_TOO_LARGE',
    ],
    ['trailers without end', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(50)}`, 'HEAD_TOO_LARGE'],
    ['a chunk extension without end', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['zeros without end in a chunk size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['a body until the close', `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(11)}`, 'BODY_TOO_LARGE'],
    ['a length beyond the limit, before its first byte', 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n', 'BODY_TOO_LARGE'],
    ['many small chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(11)}`, 'BODY_TOO_LARGE'],
  ])('%s', (_name, text, refusal) => {
    expect(limited(text)).toBe(refusal);
  });

  it('a head and a body of exactly the limit pass', () => {
    const start = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\nX: ';
    const text = `${start}${'a'.repeat(100 - start.length - 4)}\r\n\r\n0123456789`;
    expect(limited(text)).toBeNull();
  });
});
