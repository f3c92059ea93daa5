import { describe, expect, it } from 'vitest';
import { readWithFramer } from './testing/readWithFramer.ts';
import { ResponseFramer } from './framer.ts';
import { planHeaders } from './refusals.ts';
import { SeenHead } from './seenHead.ts';

/** An earlier head, because the first head of a connection is not kept. */
const EARLIER = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Compares a read of the whole text with a read byte by byte, in which no head arrives in one piece and none is recognized. */
function readWhole(text: string) {
  const bytes = Buffer.from(text, 'latin1');
  const read = readWithFramer(bytes, { cuts: [], head: false, closes: true });
  expect(read).toEqual(readWithFramer(bytes, { cuts: Array.from(bytes.keys()), head: false, closes: true }));
  return read;
}

/** Returns a SeenHead that has seen the first head of a connection. */
function seenHeadAfterFirst(): SeenHead {
  const seen = new SeenHead();
  seen.remember(Buffer.from('first'), 0, 5);
  return seen;
}

it('SeenHead does not keep the first head of a connection', () => {
  const seen = seenHeadAfterFirst();
  expect(seen.isAt(Buffer.from('first'), 0, 5)).toBe(false);
});

it('SeenHead ignores trailers when the same head follows them', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { messages } = readWhole(`${EARLIER}${head}0\r\nConnection: close\r\nContent-Length: 7\r\n\r\n${head}0\r\n\r\n`);
  expect(messages.map(({ keepAlive, body }) => [keepAlive, body])).toEqual(messages.map(() => [true, '']));
  expect(messages.length).toBeGreaterThan(2);
});

it('SeenHead does not recognize the second piece of a split head as a head', () => {
  const rest = 'Content-Length: 0\r\n\r\n';
  const first = `${EARLIER}HTTP/1.1 200 OK\r\n`;
  const bytes = Buffer.from(`${first}${rest}${rest}`, 'latin1');
  const { messages, refusal } = readWithFramer(bytes, { cuts: [first.length], head: false, closes: true });
  expect(messages).toHaveLength(2);
  expect(refusal).not.toBeNull();
});

it('ResponseFramer reads a known head again if the values of its fields were skipped before', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nX-Wanted: yes\r\nContent-Length: 0\r\n\r\n', 'latin1');
  const framer = new ResponseFramer(planHeaders(['x-wanted']), { limitHeadBytes: 1_000, limitBodyBytes: 1_000 });
  const wanted = (keeps: boolean): readonly (string | undefined)[] => {
    framer.keepWanted(keeps);
    framer.begin(false);
    expect(framer.feed(bytes, 0, bytes.length)).toBe(bytes.length);
    return framer.wanted;
  };
  expect(wanted(false)).toEqual([undefined]);
  expect(wanted(false)).toEqual([undefined]);
  expect(wanted(true)).toEqual(['yes']);
  expect(wanted(false)).toEqual([undefined]);
});

describe.each([
  ['at the beginning of a buffer', 0, 0],
  ['after other bytes', 3, 0],
  ['at an unaligned address', 0, 1],
])('SeenHead recognizes only identical bytes: %s', (_name, position, offset) => {
  /** Returns a buffer with `head` at `position`, whose memory starts `offset` bytes earlier. */
  function bufferWith(head: Buffer): Buffer {
    const buffer = Buffer.from(new ArrayBuffer(64), offset);
    head.copy(buffer, position);
    return buffer;
  }

  it.each([1, 4, 7, 16, 21])('%i bytes', (length) => {
    const head = Buffer.from(Array.from({ length }, (_value, index) => 200 - index));
    const seen = seenHeadAfterFirst();
    seen.remember(bufferWith(head), position, position + length);
    const isAt = (bytes: Buffer, end = position + length): boolean => seen.isAt(bufferWith(bytes), position, end);
    expect(isAt(head)).toBe(true);
    expect(isAt(head, position + length - 1)).toBe(false);
    for (let index = 0; index < length; index += 1) {
      const other = Buffer.from(head);
      other[index] = 0;
      expect(isAt(other)).toBe(false);
    }
    seen.forget();
    expect(isAt(head)).toBe(false);
  });

  it('a shorter head after a longer one', () => {
    const seen = seenHeadAfterFirst();
    for (const text of ['0123456789', '01234', '98765']) {
      const buffer = bufferWith(Buffer.from(text));
      const end = position + text.length;
      expect(seen.isAt(buffer, position, end)).toBe(false);
      seen.forget();
      seen.remember(buffer, position, end);
      expect(seen.isAt(buffer, position, end)).toBe(true);
    }
  });
});
