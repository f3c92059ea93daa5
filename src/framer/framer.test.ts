import { describe, expect, it } from 'vitest';
import { ResponseFramer } from './framer.ts';
import { planHeaders } from './refusals.ts';
import { CORPUS } from './testing/corpus.ts';
import { expectAsLlhttp } from './testing/expectAsLlhttp.ts';
import type { Reading } from './testing/messages.ts';
import { readWithFramer } from './testing/readWithFramer.ts';
import { readWithLlhttp } from './testing/readWithLlhttp.ts';

const WHOLE: Reading = { cuts: [], head: false, closes: true };

// drivers/framing.test.ts covers responses that llhttp refuses but other clients accept.
describe('ResponseFramer accepts what llhttp accepts, for any split', () => {
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

const findRefusal = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE).refusal;
const llhttpRefuses = (text: string): boolean => readWithLlhttp(Buffer.from(text, 'latin1'), WHOLE).refusal !== null;

it('ResponseFramer refuses another protocol at its first byte', () => {
  expect(readWithFramer(Buffer.from('2'), { ...WHOLE, closes: false }).refusal).toBe('NOT_HTTP');
});

it('ResponseFramer reads the values of folded headers as one line', () => {
  const framer = new ResponseFramer(planHeaders(['x-a', 'x-b']));
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nX-A: one\r\n  two\n\tthree \r\nX-B:\r\n four\r\nConnection: x,\r\n close\r\n\r\n');
  framer.begin(true);
  framer.feed(bytes, 0, bytes.length);
  expect([framer.complete, framer.wanted, framer.keepAlive]).toEqual([true, ['one two three', 'four'], false]);
});

describe('ResponseFramer with a body of more than 4 GiB', () => {
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
    ['with a length', `Content-Length: ${size}\r\n\r\n`, ''],
    ['in one chunk', `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
    ['until the close', '\r\n', ''],
  ])('counts the body %s', (_name, head, end) => {
    expect(bytesOf(head, end)).toEqual([true, size]);
  });
});

/** Cases in which the framer is stricter than llhttp, with the reasons. */
describe('deliberate differences between ResponseFramer and llhttp', () => {
  it.each([
    ['refuses HTTP/0.9, which has no such status line', 'HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n', 'BAD_VERSION'],
    ['refuses an unknown coding, whose end is undefined', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: cow\r\n\r\nx', 'BAD_TRANSFER_ENCODING'],
    ['refuses RTSP', 'RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', 'NOT_HTTP'],
    ['refuses a status below 100', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', 'BAD_STATUS'],
  ])('%s', (_reason, text, refusal) => {
    expect(llhttpRefuses(text)).toBe(false);
    expect(findRefusal(text)).toBe(refusal);
  });

  it('refuses lengths beyond 2^53 − 1, which would lose precision', () => {
    const length = 'HTTP/1.1 200 OK\r\nContent-Length: 9007199254740993\r\n\r\n';
    const chunk = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20000000000001\r\n';
    for (const text of [length, chunk]) {
      expect(readWithLlhttp(Buffer.from(text), { ...WHOLE, closes: false }).refusal).toBeNull();
    }
    expect(findRefusal(length)).toBe('BAD_CONTENT_LENGTH');
    expect(findRefusal(chunk)).toBe('BAD_CHUNK_SIZE');
  });

  it('refuses a protocol switch that was not requested', () => {
    expect(findRefusal('HTTP/1.1 101 Switching Protocols\r\n\r\n')).toBe('UPGRADED');
  });

  // RFC 9112, section 6.1: framing with Transfer-Encoding in an HTTP/1.0 response counts as faulty.
  it('closes the connection after a chunked HTTP/1.0 response', () => {
    const head = 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(readWithFramer(Buffer.from(head), WHOLE).messages).toMatchObject([{ status: 200, keepAlive: false }]);
  });

  it('limits the number of interim responses', () => {
    expect(findRefusal('HTTP/1.1 100 Continue\r\n\r\n'.repeat(10_001))).toBe('TOO_MANY_INTERIM');
  });
});

describe('ResponseFramer limits', () => {
  const limits = { limitHeadBytes: 100, limitBodyBytes: 10 };
  const limited = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE, limits).refusal;

  it.each([
    ['refuses an endless header', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['refuses an endless reason phrase', `HTTP/1.1 200 ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['refuses endless empty lines', '\r\n'.repeat(200), 'HEAD_TOO_LARGE'],
    [
      'refuses endless blanks after a chunk size',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1${' '.repeat(200)}`,
      'HEAD_TOO_LARGE',
    ],
    ['refuses endless trailers', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(50)}`, 'HEAD_TOO_LARGE'],
    ['refuses an endless chunk extension', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['refuses endless zeros in a chunk size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['refuses a body without a length beyond the limit', `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(11)}`, 'BODY_TOO_LARGE'],
    ['refuses a length beyond the limit before its first byte', 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n', 'BODY_TOO_LARGE'],
    ['refuses many small chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(11)}`, 'BODY_TOO_LARGE'],
  ])('%s', (_name, text, refusal) => {
    expect(limited(text)).toBe(refusal);
  });

  it('accepts a head and a body that have exactly the maximum size', () => {
    const start = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\nX: ';
    const text = `${start}${'a'.repeat(100 - start.length - 4)}\r\n\r\n0123456789`;
    expect(limited(text)).toBeNull();
  });
});
