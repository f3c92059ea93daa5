import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventParser } from './eventParser.ts';

interface SeenEvent {
  readonly id: string;
  readonly data: string;
}

function parse(pieces: readonly Buffer[], maxBytes?: number) {
  const events: SeenEvent[] = [];
  const parser = new EventParser({ event: (id, data) => events.push({ id, data }) }, true, maxBytes);
  const isTaken = pieces.every((piece) => parser.feed(piece, 0, piece.length));
  return { events, isTaken, lastId: parser.lastId, retryMs: parser.retryMs };
}

const all = (text: string) => parse([Buffer.from(text)]);

describe('EventParser', () => {
  // The first four are examples of the HTML Standard, section 9.2.6.
  it.each<[string, string, SeenEvent[]]>([
    ['reads one event of three lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ id: '', data: 'YHOO\n+2\n10' }]],
    [
      'skips comments and the unterminated last event, and resets an empty id',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n',
      [
        { id: '1', data: 'first event' },
        { id: '', data: 'second event' },
      ],
    ],
    [
      'reads empty data',
      'data\n\ndata\ndata\n\ndata:',
      [
        { id: '', data: '' },
        { id: '', data: '\n' },
      ],
    ],
    [
      'removes one space after the colon',
      'data:test\n\ndata: test\n\n',
      [
        { id: '', data: 'test' },
        { id: '', data: 'test' },
      ],
    ],
    ['reads lines that end with CR LF', 'id: 7\r\ndata: a\r\ndata: b\r\n\r\n', [{ id: '7', data: 'a\nb' }]],
    ['reads lines that end with CR', 'id: 7\rdata: a\r\r', [{ id: '7', data: 'a' }]],
    ['skips a byte order mark before the first line', '\u{feff}data: a\n\n', [{ id: '', data: 'a' }]],
    ['ignores unknown fields', 'dat: x\ndatas: x\nevent: e\nidea: 3\ndata: a\n\n', [{ id: '', data: 'a' }]],
    ['keeps the id of an event without data for the next event', 'id: 9\n\ndata: a\n\n', [{ id: '9', data: 'a' }]],
    ['ignores an id with a zero byte', 'id: a\0b\ndata: a\n\n', [{ id: '', data: 'a' }]],
  ])('%s', (_name, text, events) => {
    expect(all(text).events).toEqual(events);
  });

  it('reads a reconnection time that consists of digits, and limits it to one hour', () => {
    expect(all('retry: 250\n\n').retryMs).toBe(250);
    expect(all('retry: soon\n\nretry: -1\n\n').retryMs).toBeNull();
    expect(all('retry: 99999999999999\n\n').retryMs).toBe(3_600_000);
  });

  it('returns the same events however the text is split', () => {
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
        const whole = parse([bytes]);
        expect(parse(pieces)).toEqual(whole);
        expect(parse([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
      }),
    );
  });

  it('refuses an event that is too large, whether in one line, in many lines, or byte by byte', () => {
    expect(parse([Buffer.from(`data: ${'x'.repeat(94)}\n\n`)], 100).isTaken).toBe(true);
    expect(parse([Buffer.from(`data: ${'x'.repeat(95)}\n\n`)], 100).isTaken).toBe(false);
    expect(parse([Buffer.from('data: 45678901\n'.repeat(8))], 100).isTaken).toBe(false);
    expect(
      parse(
        [...Buffer.from(`:${'x'.repeat(101)}`)].map((byte) => Buffer.from([byte])),
        100,
      ).isTaken,
    ).toBe(false);
  });

  it('takes linear time for a line that arrives byte by byte', () => {
    const byte = Buffer.from('x');
    const parser = new EventParser({ event: () => {} }, true);
    let isTaken = true;
    for (let count = 0; count < 1_000_000 && isTaken; count += 1) isTaken = parser.feed(byte, 0, 1);
    expect(isTaken).toBe(true);
  });
});
