import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResumableStream, type NumberedMessage } from './resumableStream.ts';

type Line = { readonly sent: NumberedMessage<string> } | { readonly received: number };

/** One end of a stream, with its received messages and the lines in transit to the other end. */
class End {
  readonly got: string[] = [];
  readonly stream = new ResumableStream<string, string>((message) => void this.got.push(message));
  onTheWay: Line[] = [];

  say(message: string, isConnected: boolean): void {
    const sent = this.stream.enqueue(message);
    if (isConnected) this.onTheWay.push({ sent });
  }

  /** Receives one line and acknowledges it. */
  take(line: Line): void {
    if ('received' in line) return this.stream.acknowledge(line.received);
    this.stream.take(line.sent);
    this.onTheWay.push({ received: this.stream.received });
  }
}

class Pair {
  readonly ends = [new End(), new End()] as const;
  isConnected = true;
  private readonly sent = [0, 0];

  say(from: 0 | 1): void {
    const count = (this.sent[from] = (this.sent[from] ?? 0) + 1);
    this.ends[from].say(`${from}:${count}`, this.isConnected);
  }

  /** Delivers the next line of one end to the other. */
  carry(from: 0 | 1): void {
    const line = this.ends[from].onTheWay.shift();
    if (line !== undefined) this.ends[from === 0 ? 1 : 0].take(line);
  }

  /** Drops all lines in transit in both directions. */
  drop(): void {
    this.isConnected = false;
    for (const end of this.ends) end.onTheWay = [];
  }

  resume(): void {
    if (this.isConnected) return;
    this.isConnected = true;
    const [one, other] = this.ends;
    one.onTheWay = one.stream.resumeAfter(other.stream.received).map((sent) => ({ sent }));
    other.onTheWay = other.stream.resumeAfter(one.stream.received).map((sent) => ({ sent }));
  }

  finish(): void {
    this.resume();
    while (this.ends.some(({ onTheWay }) => onTheWay.length > 0)) for (const from of [0, 1] as const) this.carry(from);
  }

  expectWhole(): void {
    const all = (from: 0 | 1): string[] => Array.from({ length: this.sent[from] ?? 0 }, (_, index) => `${from}:${index + 1}`);
    expect(this.ends[1].got).toEqual(all(0));
    expect(this.ends[0].got).toEqual(all(1));
    for (const { stream } of this.ends) expect(stream.isSettled).toBe(true);
  }
}

describe('ResumableStream', () => {
  it('loses and repeats nothing wherever the connection breaks in either direction', () => {
    const messages = 4;
    // Every message is acknowledged by a line in the other direction, so up to two lines per message can pass before the break.
    for (let there = 0; there <= 2 * messages; there += 1)
      for (let back = 0; back <= 2 * messages; back += 1) {
        const pair = new Pair();
        for (let count = 0; count < messages; count += 1) for (const from of [0, 1] as const) pair.say(from);
        for (let count = 0; count < there; count += 1) pair.carry(0);
        for (let count = 0; count < back; count += 1) pair.carry(1);
        pair.drop();
        pair.say(0);
        pair.finish();
        pair.expectWhole();
      }
  });

  it('loses and repeats nothing over any sequence of messages, breaks and reconnections', () => {
    const step = fc.constantFrom('say 0', 'say 1', 'carry 0', 'carry 1', 'drop', 'resume');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const pair = new Pair();
        for (const [what = '', from] of steps.map((text) => text.split(' '))) {
          const end = from === '1' ? 1 : 0;
          if (what === 'say') pair.say(end);
          else if (what === 'carry') pair.carry(end);
          else if (what === 'drop') pair.drop();
          else pair.resume();
        }
        pair.finish();
        pair.expectWhole();
      }),
    );
  });

  it('keeps only unacknowledged messages', () => {
    const stream = new ResumableStream<string, string>(() => {});
    for (const message of ['a', 'b', 'c']) stream.enqueue(message);
    stream.acknowledge(2);
    expect(stream.resumeAfter(2)).toEqual([{ number: 3, message: 'c' }]);
    expect(stream.isSettled).toBe(false);
    stream.acknowledge(3);
    expect(stream.isSettled).toBe(true);
  });

  it.each([
    ['a message after a gap', (stream: ResumableStream<string, string>) => stream.take({ number: 3, message: 'c' })],
    ['an acknowledgement of a message that was never sent', (stream: ResumableStream<string, string>) => stream.acknowledge(3)],
    ['to resume before an acknowledged message', (stream: ResumableStream<string, string>) => stream.resumeAfter(0)],
    ['to resume after a message that was never sent', (stream: ResumableStream<string, string>) => stream.resumeAfter(3)],
  ])('refuses %s', (_, act) => {
    const stream = new ResumableStream<string, string>(() => {});
    stream.take({ number: 1, message: 'a' });
    stream.enqueue('one');
    stream.enqueue('two');
    stream.acknowledge(1);
    expect(() => act(stream)).toThrow(RangeError);
  });
});
