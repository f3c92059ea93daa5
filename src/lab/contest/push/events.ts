/** An event in its wire format, encoded once for all listeners. */
export interface StreamEvent {
  readonly id: number;
  readonly plain: Buffer;
  /** The event as a chunk of HTTP/1.1. */
  readonly chunk: Buffer;
}

/** Frames text of an event stream, both plain and as an HTTP chunk. */
export function frameText(text: string): { readonly plain: Buffer; readonly chunk: Buffer } {
  const plain = Buffer.from(text);
  return { plain, chunk: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, Buffer.from('\r\n')]) };
}

/** Formats an event. `data` becomes one line of JSON, because JSON contains no line breaks. */
export function eventText(id: number | null, name: string, data: Readonly<Record<string, unknown>>): string {
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
