import type { Socket } from 'node:net';
import type { Clock } from '#workers/clock.ts';

const LINGER_US = 1_000_000;
const PART_MS = 5;
/** Writing to a socket and destroying it take some 10 µs each, and what arrives meanwhile is read late. */
const MOST_OF_A_PART = 200;

/**
 * Ends connections in order: says the last words, then drops what still comes until the server closes, for a second at most. A socket that is destroyed while data
 * lies unread resets its connection, and a server that is writing then loses what it was told last. Thousands are ended in parts.
 */
export class Farewells {
  private readonly now: Clock;
  private readonly unsaid = new Map<Socket, Buffer>();
  /** Until when the server is waited for, the earliest first. */
  private readonly said = new Map<Socket, number>();
  private timer: NodeJS.Timeout | null = null;
  private waiting: (() => void)[] = [];

  constructor(now: Clock) {
    this.now = now;
  }

  /** Ends a socket that nobody listens to any more, by these words. */
  say(socket: Socket, words: Buffer): void {
    if (socket.destroyed) return;
    this.unsaid.set(socket, words);
    socket.once('close', () => this.forget(socket));
    this.timer ??= setInterval(() => this.part(), PART_MS);
  }

  /** Resolves when all of them have ended: after a little more than a second at the latest. */
  async over(): Promise<void> {
    if (this.timer !== null) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private part(): void {
    const nowUs = this.now();
    let left = MOST_OF_A_PART;
    for (const [socket, words] of this.unsaid) {
      if (left === 0) return;
      left -= 1;
      this.unsaid.delete(socket);
      this.said.set(socket, nowUs + LINGER_US);
      socket.write(words);
    }
    for (const [socket, untilUs] of this.said) {
      if (left === 0 || untilUs > nowUs) return;
      left -= 1;
      socket.destroy();
      this.forget(socket);
    }
  }

  private forget(socket: Socket): void {
    this.unsaid.delete(socket);
    this.said.delete(socket);
    if (this.unsaid.size + this.said.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
