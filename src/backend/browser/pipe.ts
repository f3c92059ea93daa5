import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

export interface PipeLimits {
  readonly messageBytes: number;
  readonly minuteBytes: number;
}

/**
 * Limits for browsers on hosts, about a hundred times what a real visit needs. A visit lasts at most a minute, and its messages are kept in
 * memory.
 */
const HOST_LIMITS: PipeLimits = { messageBytes: 32_000_000, minuteBytes: 256_000_000 };
const MINUTE_MS = 60_000;

/** The pipe whose message is being handled, including all asynchronous work that the message starts. */
const currentPipe = new AsyncLocalStorage<DevtoolsPipe>();
let isGuarded = false;

/**
 * Makes a malformed message end the browser that sent it instead of the process. Playwright trusts its browser: a message that lacks a
 * required member rejects a promise that nobody awaits, which would end the process.
 */
function guardProcess(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.on('unhandledRejection', (reason) => {
    const pipe = currentPipe.getStore();
    if (pipe === undefined) throw reason;
    pipe.close();
  });
}

/**
 * DevTools messages over a channel, in Chromium's pipe format: JSON with a zero byte after each message. Each message is a separate task,
 * as in Playwright's own pipes.
 * Playwright listens to a frame's events only after it has handled the response about the frame, and both may arrive in one chunk.
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

  /** `arrived`: bytes that were already read from the channel. */
  constructor(channel: Duplex, arrived: Buffer, limits = HOST_LIMITS) {
    this.channel = channel;
    this.limits = limits;
    guardProcess();
    channel.on('data', (chunk: Buffer) => this.take(chunk));
    // Waits until the messages that arrived before the close are handled.
    channel.on('close', () => setImmediate(() => this.onClosed()));
    this.take(arrived);
  }

  send(message: object): void {
    if (!this.isClosed) this.channel.write(`${JSON.stringify(message)}\0`);
  }

  /** Closes the browser's input, which makes the browser end. */
  close(): void {
    if (!this.isClosed) this.channel.end();
    this.onClosed();
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
      if (typeof message === 'object' && message !== null) return currentPipe.run(this, () => this.onmessage?.(message));
    } catch {
      // A peer that sends invalid JSON is not a browser.
    }
    this.close();
  }

  private onClosed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.parts = [];
    this.onclose?.();
  }
}
