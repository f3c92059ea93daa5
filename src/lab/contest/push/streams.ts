import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import type { Ending, LoggedListener, StreamLog } from '#lab/streamLog.ts';
import type { pushFaultOptions, pushOptions } from './options.ts';

export type StreamSettings = ValuesOf<typeof pushOptions & typeof pushFaultOptions>;

interface Listener {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly isChunked: boolean;
  readonly line: { -readonly [Key in keyof LoggedListener]: LoggedListener[Key] };
  /** Number of the event that was the latest when the listener connected. */
  readonly newestIdBefore: number;
  /** Number of the next event to write, and the number of events that have been handled for this listener. */
  next: number;
  turns: number;
  /** Time on the clock of `performance.now()`. */
  readonly openedMs: number;
  sentMs: number;
  hasEnded: boolean;
}

const MAX_LISTENERS = 20_000;
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 1_000;
const PING = frameText(':\n');

/** Maximum amount of unsent data for a listener in this process. Later events stay in the shared cache. */
export const MAX_UNSENT_BYTES = 16_384;

/**
 * Writes events to every listener in order. A slow listener catches up from the cache; if an event that the listener needs has left the
 * cache, the listener is cut. Listeners have no queues of their own.
 */
export class EventStreams {
  private readonly settings: StreamSettings;
  private readonly log: StreamLog;
  private readonly pingMs: number;
  /** Time after which a stream ends cleanly. */
  private readonly streamMs: number;
  private readonly cache: EventCache;
  private readonly listeners = new Set<Listener>();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly greeting: ReturnType<typeof frameText>;
  private came = 0;
  private written = 0;

  constructor(settings: StreamSettings, log: StreamLog) {
    const { 'hold-events-ms': holdMs, 'cut-idle-ms': idleMs } = settings;
    this.settings = settings;
    this.log = log;
    this.pingMs = settings['ping-seconds'] * 1_000;
    this.streamMs = settings['stream-seconds'] * 1_000;
    this.cache = new EventCache(settings['kept-events']);
    this.greeting = frameText(`:\nretry: ${settings['retry-ms']}\n\n`);
    const soonest = Math.min(this.pingMs, idleMs ?? Infinity, this.streamMs) / 10;
    this.timers.push(setInterval(() => this.checkListeners(), Math.min(Math.max(soonest, MIN_POLL_MS), MAX_POLL_MS)));
    if (holdMs !== null) this.timers.push(setInterval(() => this.writeAll(), holdMs));
  }

  /** The number of the latest event. */
  get newest(): number {
    return this.cache.newest;
  }

  get state(): { readonly listeners: number; readonly events: number; readonly written: number } {
    return { listeners: this.listeners.size, events: this.cache.newest, written: this.written };
  }

  /** Creates an event about something that happened at `atMs`, and writes the event to all listeners. */
  publish(name: string, atMs: number, data: Readonly<Record<string, unknown>>): void {
    const { id } = this.cache.add(name, { at: atMs, ...data });
    this.log.write({ kind: 'event', id, name, at: atMs });
    if (this.settings['hold-events-ms'] === null) this.writeAll();
  }

  /** Cuts the connections of all listeners, like a restarting proxy. Returns the number of listeners. */
  cutAll(ending: 'cut' | 'restart'): number {
    const count = this.listeners.size;
    if (ending === 'restart') this.cache.forget();
    for (const listener of this.listeners) this.end(listener, ending);
    return count;
  }

  /** Resolves when the end of every listener has been logged. */
  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    const closed = [...this.listeners].map(({ response }) => once(response, 'close'));
    for (const listener of this.listeners) this.end(listener, 'stop');
    await Promise.all(closed);
  }

  readonly handler: RequestHandler = (request, response) => {
    const { socket } = response;
    // A pipelined request would wait behind an endless stream, so its connection is closed.
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
    const lastEventId = findLastEventId(request);
    const isKnown = lastEventId !== null && this.cache.hasAllAfter(lastEventId);
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
      newestIdBefore: this.cache.newest,
      next: (isKnown ? lastEventId : this.cache.newest) + 1,
      turns: 0,
      openedMs: nowMs,
      sentMs: nowMs,
      hasEnded: false,
    };
    this.listeners.add(listener);
    const writeRest = (): void => this.writeTo(listener);
    socket.on('drain', writeRest);
    response.once('close', () => {
      socket.off('drain', writeRest);
      this.listeners.delete(listener);
      this.log.write({ ...listener.line, endedAt: Date.now() });
    });
    this.write(listener, this.greeting);
    if (lastEventId !== null && !isKnown) {
      listener.line.reloads += 1;
      this.write(listener, frameText(eventText(null, 'reload', { at: Date.now(), newest: this.cache.newest })));
    }
    if (this.settings['hold-events-ms'] === null) this.writeTo(listener);
    const { 'cut-all-after-ms': cutAllAfterMs, 'cut-forgets': isRestart } = this.settings;
    if (this.came === 1 && cutAllAfterMs !== null)
      this.timers.push(setTimeout(() => this.cutAll(isRestart ? 'restart' : 'cut'), cutAllAfterMs));
  }

  private writeAll(): void {
    for (const listener of this.listeners) this.writeTo(listener);
  }

  /** Writes missing events to a listener until its connection is full. */
  private writeTo(listener: Listener): void {
    const { socket } = listener;
    const { newest } = this.cache;
    if (listener.hasEnded || listener.next > newest) return;
    if (socket.writableNeedDrain) {
      if (!this.cache.eventAt(listener.next)) this.end(listener, 'slow');
      return;
    }
    // Several missing events are sent together in one packet.
    const isBurst = listener.next < newest;
    if (isBurst) socket.cork();
    while (listener.next <= newest && !socket.writableNeedDrain) {
      const event = this.cache.eventAt(listener.next);
      if (!event) {
        this.end(listener, 'slow');
        break;
      }
      listener.next += 1;
      this.deliver(listener, event);
    }
    if (isBurst) socket.uncork();
  }

  /** Writes an event once, twice or never, depending on the faults. */
  private deliver(listener: Listener, event: StreamEvent): void {
    const { line } = listener;
    const { 'lose-event-one-in': loseOneIn, 'double-event-one-in': doubleOneIn } = this.settings;
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
      if (event.id <= listener.newestIdBefore) line.caughtUp += 1;
    }
    if (isDoubled) line.doubled += 1;
    line.first ??= event.id;
    line.last = event.id;
  }

  private write(listener: Listener, bytes: { readonly plain: Buffer; readonly chunk: Buffer }): void {
    listener.sentMs = performance.now();
    // The bytes bypass the response object, which would add the chunk framing again for every listener.
    listener.socket.write(listener.isChunked ? bytes.chunk : bytes.plain);
  }

  /** Closes streams that have reached their duration, and cuts or pings idle listeners. */
  private checkListeners(): void {
    const { 'cut-idle-ms': idleMs, 'hold-events-ms': holdMs } = this.settings;
    const nowMs = performance.now();
    for (const listener of this.listeners) {
      const silentMs = nowMs - listener.sentMs;
      // A listener that has not read the end of its stream by now is not reading at all.
      if (listener.hasEnded) listener.socket.destroy();
      else if (nowMs - listener.openedMs >= this.streamMs) this.end(listener, 'time');
      else if (idleMs !== null && silentMs >= idleMs) this.end(listener, 'idle');
      // The fault that delays events also delays pings.
      else if (holdMs === null && silentMs >= this.pingMs && !listener.socket.writableNeedDrain) this.write(listener, PING);
    }
  }

  private end(listener: Listener, ending: Ending): void {
    if (listener.hasEnded) return;
    listener.hasEnded = true;
    Object.assign(listener.line, { by: 'server', why: ending });
    // A listener that does not read would block a clean end, so its connection is destroyed.
    if (ending === 'time' && !listener.socket.writableNeedDrain) listener.response.end();
    else listener.socket.destroy();
  }
}

/**
 * Returns the id of the last event that the client received. Browsers send the id in a header when they reconnect; a page that opens a new
 * stream can put it only into the address.
 */
function findLastEventId(request: Request): number | null {
  const text = request.get('last-event-id') ?? request.query['last_event_id'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** An event in its wire format, encoded once for all listeners. */
interface StreamEvent {
  readonly id: number;
  readonly plain: Buffer;
  /** The event as a chunk of HTTP/1.1. */
  readonly chunk: Buffer;
}

/** Frames text of an event stream, both plain and as an HTTP chunk. */
function frameText(text: string): { readonly plain: Buffer; readonly chunk: Buffer } {
  const plain = Buffer.from(text);
  return { plain, chunk: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, Buffer.from('\r\n')]) };
}

/** Formats an event. `data` becomes one line of JSON, because JSON contains no line breaks. */
function eventText(id: number | null, name: string, data: Readonly<Record<string, unknown>>): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Number of events that are stored for slow listeners, even if fewer are stored for reconnecting ones. */
const MAX_EVENTS_BEHIND = 1_000;

/** The latest events by number, counted from 1. They are for listeners that reconnect or are slow. */
export class EventCache {
  private readonly kept: number;
  private readonly events: StreamEvent[] = [];
  private made = 0;
  private forgotten = 0;

  /** `kept` is the maximum number of events that a reconnecting listener may have missed. */
  constructor(kept: number) {
    this.kept = kept;
  }

  /** The number of the latest event, or 0 before the first one. */
  get newest(): number {
    return this.made;
  }

  add(name: string, data: Readonly<Record<string, unknown>>): StreamEvent {
    this.made += 1;
    const event = { id: this.made, ...frameText(eventText(this.made, name, data)) };
    this.events[this.made % this.size] = event;
    return event;
  }

  /** Returns an event, or undefined if the event was dropped. */
  eventAt(id: number): StreamEvent | undefined {
    const event = this.events[id % this.size];
    return event?.id === id ? event : undefined;
  }

  /**
   * Returns whether all events after number `id` are available. Returns false for an id above the newest one, which dates from before a
   * restart.
   */
  hasAllAfter(id: number): boolean {
    return id <= this.made && id >= Math.max(this.made - this.kept, this.forgotten);
  }

  /** Drops all events, as a restarted process would. The numbering continues. */
  forget(): void {
    this.forgotten = this.made;
  }

  private get size(): number {
    return Math.max(this.kept, MAX_EVENTS_BEHIND);
  }
}
