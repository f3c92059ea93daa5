import type { Socket } from 'node:net';
import type { Clock } from '#workers/clock.ts';

const LINGER_US = 1_000_000;
const BATCH_INTERVAL_MS = 5;
/** Writing to and destroying a socket takes some 10 µs each, which delays reads. */
const MAX_BATCH_SIZE = 200;

/**
 * Closes connections gracefully: sends the last bytes, then discards received data until the server closes, for one second at most. Destroying a socket with
 * unread data would reset the connection, and the server could lose the last bytes. Thousands of connections are closed in batches.
 */
export class Farewells {
  private readonly now: Clock;
  private readonly unsent = new Map<Socket, Buffer>();
  /** End of the wait for the server by socket, earliest first. */
  private readonly said = new Map<Socket, number>();
  private timer: NodeJS.Timeout | null = null;
  private waiting: (() => void)[] = [];

  constructor(now: Clock) {
    this.now = now;
  }

  /** Sends the last bytes and closes a socket without other users. */
  say(socket: Socket, words: Buffer): void {
    if (socket.destroyed) return;
    this.unsent.set(socket, words);
    socket.once('close', () => this.forget(socket));
    this.timer ??= setInterval(() => this.closeBatch(), BATCH_INTERVAL_MS);
  }

  /** Resolves when all connections are closed, after little more than one second at most. */
  async over(): Promise<void> {
    if (this.timer !== null) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private closeBatch(): void {
    const nowUs = this.now();
    let left = MAX_BATCH_SIZE;
    for (const [socket, words] of this.unsent) {
      if (left === 0) return;
      left -= 1;
      this.unsent.delete(socket);
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
    this.unsent.delete(socket);
    this.said.delete(socket);
    if (this.unsent.size + this.said.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
