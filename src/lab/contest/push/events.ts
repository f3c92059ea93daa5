/** An event as it is written to every listener: made once, for all of them. */
export interface StreamEvent {
  readonly id: number;
  readonly plain: Buffer;
  /** As a chunk of HTTP/1.1. */
  readonly chunk: Buffer;
}

/** Frames text of an event stream, also for a response in chunks. */
export function framed(text: string): { readonly plain: Buffer; readonly chunk: Buffer } {
  const plain = Buffer.from(text);
  return { plain, chunk: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, Buffer.from('\r\n')]) };
}

/** `data` becomes one line of JSON, which has no line breaks of its own. */
export function eventText(id: number | null, name: string, data: Readonly<Record<string, unknown>>): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** For listeners that are behind, however few events are kept for those who come back. */
const MAX_EVENTS_BEHIND = 1_000;

/** The latest events by their numbers, which count from 1: so many that a listener may miss, and those that slow ones have to get. */
export class EventCache {
  private readonly kept: number;
  private readonly events: StreamEvent[] = [];
  private made = 0;
  private forgotten = 0;

  /** `kept`: how many a listener may have missed when it comes back. */
  constructor(kept: number) {
    this.kept = kept;
  }

  /** The number of the latest event; 0 before the first. */
  get newest(): number {
    return this.made;
  }

  add(name: string, data: Readonly<Record<string, unknown>>): StreamEvent {
    this.made += 1;
    const event = { id: this.made, ...framed(eventText(this.made, name, data)) };
    this.events[this.made % this.size] = event;
    return event;
  }

  /** undefined for one that is no longer there. */
  at(id: number): StreamEvent | undefined {
    const event = this.events[id % this.size];
    return event?.id === id ? event : undefined;
  }

  /** Whether all events after this one can be written. One that was never made is of another start: nothing is known of it. */
  reaches(id: number): boolean {
    return id <= this.made && id >= Math.max(this.made - this.kept, this.forgotten);
  }

  /** As a process that is started again: numbers go on, and nothing before is known. */
  forget(): void {
    this.forgotten = this.made;
  }

  private get size(): number {
    return Math.max(this.kept, MAX_EVENTS_BEHIND);
  }
}
