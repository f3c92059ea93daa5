import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CORPUS } from './testing/corpus.ts';
import type { ReadConnection, Reading } from './testing/messages.ts';
import { readWithFramer } from './testing/readWithFramer.ts';
import { readWithLlhttp } from './testing/readWithLlhttp.ts';
import { sameRefusal } from './testing/sameRefusal.ts';

const WHOLE: Reading = { cuts: [], head: false, closes: true };

function expectSame(bytes: Buffer, reading: Reading, truth: ReadConnection): void {
  const ours = readWithFramer(bytes, reading);
  expect({ ...ours, refusal: null }).toEqual({ ...truth, refusal: null });
  expect([truth.refusal, ours.refusal], `refusals: ${truth.refusal}, ${ours.refusal}`).toSatisfy(() =>
    sameRefusal(truth.refusal, ours.refusal),
  );
}

describe('the framer reads what llhttp reads', () => {
  it.each(Object.entries(CORPUS))('%s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const head of [false, true]) {
      for (const closes of [false, true]) {
        const truth = readWithLlhttp(bytes, { cuts: [], head, closes });
        const whole = readWithFramer(bytes, { cuts: [], head, closes });
        expectSame(bytes, { cuts: [], head, closes }, truth);
        for (let cut = 1; cut < bytes.length; cut += 1) {
          const reading = { cuts: [cut], head, closes };
          const cutTruth = readWithLlhttp(bytes, reading);
          // To expect it at every byte takes longer than to read it.
          if (isDeepStrictEqual(cutTruth, truth) && isDeepStrictEqual(readWithFramer(bytes, reading), whole)) continue;
          expect(cutTruth).toEqual(truth);
          expectSame(bytes, reading, truth);
        }
        const everyByte = { cuts: Array.from(bytes.keys()), head, closes };
        expectSame(bytes, everyByte, truth);
      }
    }
  });

  // llhttp looks at one more byte behind some line ends; sizes beyond 2^53 - 1 are refused some digits before those beyond 2^64.
  it.each(Object.entries(CORPUS))('refuses at the byte where llhttp does, or a few earlier: %s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const refusedAt = (read: (prefix: Buffer) => ReadConnection): number => {
      for (let length = 0; length <= bytes.length; length += 1) {
        if (read(bytes.subarray(0, length)).refusal !== null) return length;
      }
      return Number.POSITIVE_INFINITY;
    };
    const open = { ...WHOLE, closes: false };
    const truth = refusedAt((prefix) => readWithLlhttp(prefix, open));
    const ours = refusedAt((prefix) => readWithFramer(prefix, open));
    expect(ours).toBeLessThanOrEqual(truth);
    if (Number.isFinite(truth)) expect(ours).toBeGreaterThanOrEqual(truth - 4);
    else expect(ours).toBe(truth);
  });
});

const refusalOf = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE).refusal;
const llhttpRefuses = (text: string): boolean => readWithLlhttp(Buffer.from(text, 'latin1'), WHOLE).refusal !== null;

describe('what the corpus cannot show', () => {
  it.each([' ', '\t'])('a line that begins with a blank is told from a bad name: %j', (blank) => {
    expect(refusalOf(`HTTP/1.1 200 OK\r\nA: b\r\n${blank}c\r\n\r\n`)).toBe('FOLDED_HEADER');
  });

  // llhttp says at the headers that the connection stays, and lets nothing pass behind the trailers.
  it('a trailer that claims another coding ends the connection', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bytes = Buffer.from(`${head}0\r\nTransfer-Encoding: gzip\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`);
    expect(readWithLlhttp(bytes, WHOLE).refusal).toBe('HPE_CLOSED_CONNECTION');
    expect(readWithFramer(bytes, WHOLE).refusal).toBe('AFTER_CLOSE');
  });
});

/** Where we are stricter than llhttp, and why. */
describe('deliberate differences from llhttp', () => {
  it.each([
    ['HTTP/0.9 and HTTP/2.0 have no such status line', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n', 'BAD_VERSION'],
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

  it('interim answers end some time', () => {
    expect(refusalOf('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))).toBe('TOO_MANY_INTERIM');
  });
});

describe('limits', () => {
  const limits = { limitHeadBytes: 100, limitBodyBytes: 10 };
  const limited = (text: string): string | null => readWithFramer(Buffer.from(text, 'latin1'), WHOLE, limits).refusal;

  it.each([
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['a reason without end', `HTTP/1.1 200 ${'a'.repeat(200)}`, 'HEAD_TOO_LARGE'],
    ['empty lines without end', '\r\n'.repeat(200), 'HEAD_TOO_LARGE'],
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
