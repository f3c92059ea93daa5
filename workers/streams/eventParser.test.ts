import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventParser } from './eventParser.ts';

interface Seen {
  readonly id: string;
  readonly data: string;
}

function parsed(pieces: readonly Buffer[], mostBytes?: number) {
  const events: Seen[] = [];
  const parser = new EventParser({ event: (id, data) => events.push({ id, data }) }, true, mostBytes);
  const isTaken = pieces.every((piece) => parser.feed(piece, 0, piece.length));
  return { events, isTaken, lastId: parser.lastId, retryMs: parser.retryMs };
}

const all = (text: string) => parsed([Buffer.from(text)]);

describe('an event stream', () => {
  // The first four are the examples of the HTML Standard, 9.2.6.
  it.each<[string, string, Seen[]]>([
    ['one event of three lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ id: '', data: 'YHOO\n+2\n10' }]],
    [
      'a comment, two events with an id and one that ends it; the last one is not ended and is none',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n',
      [
        { id: '1', data: 'first event' },
        { id: '', data: 'second event' },
      ],
    ],
    [
      'empty data',
      'data\n\ndata\ndata\n\ndata:',
      [
        { id: '', data: '' },
        { id: '', data: '\n' },
      ],
    ],
    [
      'one space is left out',
      'data:test\n\ndata: test\n\n',
      [
        { id: '', data: 'test' },
        { id: '', data: 'test' },
      ],
    ],
    ['lines that end with CR LF', 'id: 7\r\ndata: a\r\ndata: b\r\n\r\n', [{ id: '7', data: 'a\nb' }]],
    ['lines that end with CR', 'id: 7\rdata: a\r\r', [{ id: '7', data: 'a' }]],
    ['a byte order mark before the first line', '\u{feff}data: a\n\n', [{ id: '', data: 'a' }]],
    [
      'fields that nobody knows, and names that only begin alike',
      'dat: x\ndatas: x\nevent: e\nidea: 3\ndata: a\n\n',
      [{ id: '', data: 'a' }],
    ],
    ['an id without data is kept for what comes', 'id: 9\n\ndata: a\n\n', [{ id: '9', data: 'a' }]],
    ['an id with a zero byte is none', 'id: a\0b\ndata: a\n\n', [{ id: '', data: 'a' }]],
  ])('%s', (_name, text, events) => {
    expect(all(text).events).toEqual(events);
  });

  it('says when to come back, in digits only, an hour at most', () => {
    expect(all('retry: 250\n\n').retryMs).toBe(250);
    expect(all('retry: soon\n\nretry: -1\n\n').retryMs).toBeNull();
    expect(all('retry: 99999999999999\n\n').retryMs).toBe(3_600_000);
  });

  it('is the same wherever it is split', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'data', 'data: ä€😀', ': comment', 'id: 4', 'id', 'retry: 5', 'event: x', 'data:  two'),
      fc.string({ maxLength: 12 }),
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 })
      .map((lines) => lines.map(([content, end]) => content + end).join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (stream, cuts) => {
        const bytes = Buffer.from(stream);
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted((a, b) => a - b);
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const whole = parsed([bytes]);
        expect(parsed(pieces)).toEqual(whole);
        expect(parsed([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
      }),
    );
  });

  it('with an event that is too large is refused, in one line, in many, and byte by byte', () => {
    expect(parsed([Buffer.from(`data: ${'x'.repeat(94)}\n\n`)], 100).isTaken).toBe(true);
    expect(parsed([Buffer.from(`data: ${'x'.repeat(95)}\n\n`)], 100).isTaken).toBe(false);
    expect(parsed([Buffer.from('data: 45678901\n'.repeat(8))], 100).isTaken).toBe(false);
    expect(
      parsed(
        [...Buffer.from(`:${'x'.repeat(101)}`)].map((byte) => Buffer.from([byte])),
        100,
      ).isTaken,
    ).toBe(false);
  });

  it('that comes byte by byte costs time in proportion to its length', () => {
    const byte = Buffer.from('x');
    const parser = new EventParser({ event: () => {} }, true);
    let isTaken = true;
    for (let count = 0; count < 1_000_000 && isTaken; count += 1) isTaken = parser.feed(byte, 0, 1);
    expect(isTaken).toBe(true);
  });
});
