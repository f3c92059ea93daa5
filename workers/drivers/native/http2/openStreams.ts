import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Number of slots: a power of two. Browsers rarely have more concurrent streams, and every connection has this many slots. */
const SLOTS = 16;

/**
 * The open streams of a session by their numbers, which only increase. A `Map` does not reuse the slots of deleted keys and would rebuild
 * its table after every few requests.
 */
export class OpenStreams {
  size = 0;
  private readonly slots: (SessionStream | null)[] = Array.from({ length: SLOTS }, () => null);
  /** Streams whose slot is occupied by an older stream. */
  private readonly others = new Map<number, SessionStream>();

  /** All open streams, as a copy, because streams may end during iteration. */
  get all(): SessionStream[] {
    return [...this.slots.filter((stream) => stream !== null), ...this.others.values()];
  }

  get(id: number): SessionStream | undefined {
    const stream = this.slots[slotOf(id)];
    if (stream?.id === id) return stream;
    return this.others.size === 0 ? undefined : this.others.get(id);
  }

  has(stream: SessionStream): boolean {
    return this.get(stream.id) === stream;
  }

  add(stream: SessionStream): void {
    const at = slotOf(stream.id);
    if (this.slots[at] === null) this.slots[at] = stream;
    else this.others.set(stream.id, stream);
    this.size += 1;
  }

  delete(stream: SessionStream): void {
    const at = slotOf(stream.id);
    if (this.slots[at] === stream) this.slots[at] = null;
    else if (!this.others.delete(stream.id)) return;
    this.size -= 1;
  }

  clear(): void {
    this.slots.fill(null);
    this.others.clear();
    this.size = 0;
  }
}

/** Returns the slot of a stream. The numbers of client streams are odd. */
function slotOf(id: number): number {
  return (id >> 1) & (SLOTS - 1);
}

/**
 * Receives the events of one stream from its session, and holds the stream's request and state. `head` and `body` return why a head or a
 * body is invalid, or null.
 */
export interface SessionStream {
  request: BuiltRequest | null;
  id: number;
  /** Send window of the stream for the rest of the request body, in bytes. */
  sendWindow: number;
  sentBodyBytes: number;
  /** Number of body bytes received since the last window update. */
  receivedBytes: number;
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  written(bytes: number, nowUs: number): void;
  wroteMore(bytes: number): void;
  head(fields: readonly Field[], endsStream: boolean, nowUs: number): string | null;
  body(buffer: Buffer, start: number, end: number): string | null;
  /** Counts received bytes of the response. {@link report} reports them, unless the end of the response has done so. */
  take(bytes: number): void;
  report(atUs: number): void;
  ended(atUs: number): string | null;
  /** Called if the server has not processed the request and never will. `code` is the error if this happens every time. */
  unprocessed(code: string): void;
  /** Called when the connection has ended. `phase` is the phase in which the attempt to connect ended; null if the connection was open. */
  disconnected(code: string, phase: Phase | null): void;
  /**
   * Called if no complete response will come. `phase` is the phase in which the attempt to connect ended; null if the connection was open.
   */
  lost(code: string, phase: Phase | null): void;
}
