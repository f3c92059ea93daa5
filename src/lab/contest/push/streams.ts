import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Ending, LoggedListener, StreamLog } from '#lab/streamLog.ts';
import { EventCache, eventText, framed, type StreamEvent } from './events.ts';

export const streamsSchema = z.object({
  /** Events that a listener may have missed when it comes back. */
  keptEvents: z.int(),
  pingMs: z.number(),
  /** After which a browser comes back. */
  retryMs: z.number(),
  /** How long a stream lasts, then it is ended in order. */
  streamMs: z.number(),
  /** Faults; null for none. */
  holdMs: z.number().nullable(),
  idleMs: z.number().nullable(),
  /** From the first listener on. */
  cutAllAfterMs: z.number().nullable(),
  cutForgets: z.boolean(),
  loseOneIn: z.int().nullable(),
  doubleOneIn: z.int().nullable(),
});
export type StreamSettings = z.infer<typeof streamsSchema>;

interface Listener {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly isChunked: boolean;
  readonly line: { -readonly [Key in keyof LoggedListener]: LoggedListener[Key] };
  /** The latest event when it came. */
  readonly newestThen: number;
  /** The next event whose turn it is, and how many had their turn. */
  next: number;
  turns: number;
  /** Of `performance.now()`. */
  readonly openedMs: number;
  sentMs: number;
  hasEnded: boolean;
}

const MAX_LISTENERS = 20_000;
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 1_000;
const PING = framed(':\n');

/** So much may wait in this process for a listener that does not read; what comes after it stays in the cache that all share. */
export const WAITING_BYTES = 16_384;

/**
 * Writes events to every listener, in order. A listener that reads slowly catches up out of the cache; one that is so far behind that
 * an event has left the cache is cut. No listener has a queue of its own.
 */
export class EventStreams {
  private readonly settings: StreamSettings;
  private readonly log: StreamLog;
  private readonly cache: EventCache;
  private readonly listeners = new Set<Listener>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly greeting: ReturnType<typeof framed>;
  private came = 0;
  private written = 0;

  constructor(settings: StreamSettings, log: StreamLog) {
    const { pingMs, idleMs, holdMs, streamMs, keptEvents, retryMs } = settings;
    this.settings = settings;
    this.log = log;
    this.cache = new EventCache(keptEvents);
    this.greeting = framed(`:\nretry: ${retryMs}\n\n`);
    const soonest = Math.min(pingMs, idleMs ?? Infinity, streamMs) / 10;
    this.timers.push(setInterval(() => this.look(), Math.min(Math.max(soonest, MIN_POLL_MS), MAX_POLL_MS)));
    if (holdMs !== null) this.timers.push(setInterval(() => this.writeAll(), holdMs));
  }

  /** The number of the latest event. */
  get newest(): number {
    return this.cache.newest;
  }

  get state(): { readonly listeners: number; readonly events: number; readonly written: number } {
    return { listeners: this.listeners.size, events: this.cache.newest, written: this.written };
  }

  /** Makes an event of something that happened at `atMs` and writes it to all. */
  publish(name: string, atMs: number, data: Readonly<Record<string, unknown>>): void {
    const { id } = this.cache.add(name, { at: atMs, ...data });
    this.log.write({ kind: 'event', id, name, at: atMs });
    if (this.settings.holdMs === null) this.writeAll();
  }

  /** Cuts every listener at once, as a proxy that is started again; returns how many they were. */
  cutAll(why: 'cut' | 'restart'): number {
    const count = this.listeners.size;
    if (why === 'restart') this.cache.forget();
    for (const listener of this.listeners) this.end(listener, why);
    return count;
  }

  /** Resolves when every listener has its line in the log. */
  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    const closed = [...this.listeners].map(({ response }) => once(response, 'close'));
    for (const listener of this.listeners) this.end(listener, 'stop');
    await Promise.all(closed);
  }

  readonly handler: RequestHandler = (request, response) => {
    const { socket } = response;
    // A request behind another one on its connection would wait for a stream without an end.
    if (socket === null) return void request.socket.destroy();
    if (!request.accepts('text/event-stream')) return void response.status(406).type('text/plain').send('There are only event streams.');
    if (this.listeners.size >= MAX_LISTENERS) return void response.status(503).set('Retry-After', '10').end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' });
    if (request.method === 'HEAD') return void response.end();
    response.flushHeaders();
    this.add(request, response, socket);
  };

  private add(request: Request, response: ServerResponse, socket: Socket): void {
    this.came += 1;
    const nowMs = performance.now();
    const lastEventId = lastEventIdOf(request);
    const isKnown = lastEventId !== null && this.cache.reaches(lastEventId);
    const listener: Listener = {
      response,
      socket,
      isChunked: request.httpVersion !== '1.0',
      line: {
        kind: 'listener',
        number: this.came,
        openedAt: Date.now(),
        endedAt: 0,
        by: 'listener',
        why: 'left',
        lastEventId,
        events: 0,
        caughtUp: 0,
        lost: 0,
        doubled: 0,
        reloads: 0,
        first: null,
        last: null,
      },
      newestThen: this.cache.newest,
      next: (isKnown ? lastEventId : this.cache.newest) + 1,
      turns: 0,
      openedMs: nowMs,
      sentMs: nowMs,
      hasEnded: false,
    };
    this.listeners.add(listener);
    const goOn = (): void => this.writeTo(listener);
    socket.on('drain', goOn);
    response.once('close', () => {
      socket.off('drain', goOn);
      this.listeners.delete(listener);
      this.log.write({ ...listener.line, endedAt: Date.now() });
    });
    this.write(listener, this.greeting);
    if (lastEventId !== null && !isKnown) {
      listener.line.reloads += 1;
      this.write(listener, framed(eventText(null, 'reload', { at: Date.now(), newest: this.cache.newest })));
    }
    if (this.settings.holdMs === null) this.writeTo(listener);
    if (this.came === 1 && this.settings.cutAllAfterMs !== null) this.cutLater(this.settings.cutAllAfterMs);
  }

  private cutLater(afterMs: number): void {
    this.timers.push(setTimeout(() => this.cutAll(this.settings.cutForgets ? 'restart' : 'cut'), afterMs));
  }

  private writeAll(): void {
    for (const listener of this.listeners) this.writeTo(listener);
  }

  /** Writes what a listener has not got, as far as its connection takes it. */
  private writeTo(listener: Listener): void {
    const { socket } = listener;
    const { newest } = this.cache;
    if (listener.hasEnded || listener.next > newest) return;
    if (socket.writableNeedDrain) {
      if (!this.cache.at(listener.next)) this.end(listener, 'slow');
      return;
    }
    // What is behind goes out together.
    const isBurst = listener.next < newest;
    if (isBurst) socket.cork();
    while (listener.next <= newest && !socket.writableNeedDrain) {
      const event = this.cache.at(listener.next);
      if (!event) {
        this.end(listener, 'slow');
        break;
      }
      listener.next += 1;
      this.deliver(listener, event);
    }
    if (isBurst) socket.uncork();
  }

  /** An event whose turn it is: written, or not, or twice. */
  private deliver(listener: Listener, event: StreamEvent): void {
    const { line } = listener;
    const { loseOneIn, doubleOneIn } = this.settings;
    listener.turns += 1;
    if (loseOneIn !== null && listener.turns % loseOneIn === 0) {
      line.lost += 1;
      return;
    }
    const isDoubled = doubleOneIn !== null && listener.turns % doubleOneIn === 0;
    for (let copy = 0; copy < (isDoubled ? 2 : 1); copy += 1) {
      this.write(listener, event);
      line.events += 1;
      this.written += 1;
      if (event.id <= listener.newestThen) line.caughtUp += 1;
    }
    if (isDoubled) line.doubled += 1;
    line.first ??= event.id;
    line.last = event.id;
  }

  private write(listener: Listener, bytes: { readonly plain: Buffer; readonly chunk: Buffer }): void {
    listener.sentMs = performance.now();
    // Past the response, which would frame the same bytes again for everybody.
    listener.socket.write(listener.isChunked ? bytes.chunk : bytes.plain);
  }

  /** Looks at who heard nothing for long, and whose time is over. */
  private look(): void {
    const { pingMs, idleMs, holdMs, streamMs } = this.settings;
    const nowMs = performance.now();
    for (const listener of this.listeners) {
      const silentMs = nowMs - listener.sentMs;
      // Who was sent the end and has not taken it by now does not read.
      if (listener.hasEnded) listener.socket.destroy();
      else if (nowMs - listener.openedMs >= streamMs) this.end(listener, 'time');
      else if (idleMs !== null && silentMs >= idleMs) this.end(listener, 'idle');
      // What holds events back holds these back too.
      else if (holdMs === null && silentMs >= pingMs && !listener.socket.writableNeedDrain) this.write(listener, PING);
    }
  }

  private end(listener: Listener, why: Ending): void {
    if (listener.hasEnded) return;
    listener.hasEnded = true;
    Object.assign(listener.line, { by: 'server', why });
    // One that does not read would hold an end in order up.
    if (why === 'time' && !listener.socket.writableNeedDrain) listener.response.end();
    else listener.socket.destroy();
  }
}

/** What a browser sends when it comes back; a page that opens a stream anew can only say it in the address. */
function lastEventIdOf(request: Request): number | null {
  const said = request.get('last-event-id') ?? request.query['last_event_id'];
  return typeof said === 'string' && /^\d{1,15}$/.test(said) ? Number(said) : null;
}
