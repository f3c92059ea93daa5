import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

export interface PipeLimits {
  readonly messageBytes: number;
  readonly minuteBytes: number;
}

/**
 * A picture of a page is far smaller: a host that says more in one piece is no browser. A visit is over after a minute, and what it says until then is
 * kept: a hundred times what one has to say.
 */
const HOST_LIMITS: PipeLimits = { messageBytes: 32_000_000, minuteBytes: 256_000_000 };
const MINUTE_MS = 60_000;

/** The pipe whose message is being handled, including all asynchronous work that the message starts. */
const working = new AsyncLocalStorage<DevtoolsPipe>();
let isGuarded = false;

/**
 * Ends the browser that sent a malformed message instead of the process. Playwright trusts its browser: a message without a required member rejects a promise
 * that nobody awaits, which would end the process.
 */
function guardProcess(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.on('unhandledRejection', (reason) => {
    const pipe = working.getStore();
    if (pipe === undefined) throw reason;
    pipe.close();
  });
}

/**
 * The commands of DevTools over a channel, as Chromium speaks them over a pipe: JSON, each piece with a zero behind it. Each message is a task of its own, as
 * in the pipes of Playwright: it listens to the events of a frame only once it has had the response about it, and both may come in one piece.
 */
export class DevtoolsPipe implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  private readonly channel: Duplex;
  private readonly limits: PipeLimits;
  private parts: Buffer[] = [];
  private bytes = 0;
  private minute = { fromMs: 0, bytes: 0 };
  private isClosed = false;

  /** `said`: what has come of it already. */
  constructor(channel: Duplex, said: Buffer, limits = HOST_LIMITS) {
    this.channel = channel;
    this.limits = limits;
    guardProcess();
    channel.on('data', (chunk: Buffer) => this.take(chunk));
    // Behind the messages that came before it.
    channel.on('close', () => setImmediate(() => this.closed()));
    this.take(said);
  }

  send(message: object): void {
    if (!this.isClosed) this.channel.write(`${JSON.stringify(message)}\0`);
  }

  /** The browser ends with its input. */
  close(): void {
    if (!this.isClosed) this.channel.end();
    this.closed();
  }

  private take(chunk: Buffer): void {
    if (this.isClosed) return;
    const nowMs = performance.now();
    if (nowMs - this.minute.fromMs > MINUTE_MS) this.minute = { fromMs: nowMs, bytes: 0 };
    this.minute.bytes += chunk.length;
    if (this.minute.bytes > this.limits.minuteBytes) return this.close();
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...this.parts.splice(0), chunk.subarray(from, end)]);
      setImmediate(() => this.deliver(text));
      this.bytes = 0;
      from = end + 1;
    }
    this.parts.push(chunk.subarray(from));
    this.bytes += chunk.length - from;
    if (this.bytes > this.limits.messageBytes) this.close();
  }

  private deliver(text: Buffer): void {
    if (this.isClosed) return;
    try {
      const message: unknown = JSON.parse(text.toString('utf8'));
      if (typeof message === 'object' && message !== null) return working.run(this, () => this.onmessage?.(message));
    } catch {
      // What is no JSON is no browser.
    }
    this.close();
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.parts = [];
    this.onclose?.();
  }
}
