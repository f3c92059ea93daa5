import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { EventReader } from './eventReader.ts';

/** Where an answer sends a listener. */
export interface StreamRedirect {
  readonly url: URL;
  /** With the cookies that the answer has set. */
  request(): BuiltRequest;
}

/** How a stream is held. */
export interface StreamRules {
  /** How long its user stays with it; Infinity to the end of the load, 0 where the journey goes on beside it. */
  readonly holdUs: number;
  readonly reader: EventReader;
  /** How a WebSocket is opened, and what is said over it; null for an event stream. */
  readonly socket: SocketRules | null;
  /** Where a listener of events goes, as browsers do; null for an address that nobody may follow. */
  redirect(from: URL, location: string): StreamRedirect | null;
}

interface SocketRules {
  readonly protocols: readonly string[];
  /** How often the messages are sent again; null: once. */
  readonly everyUs: number | null;
  /** What the user says now; nothing when they have lost a value that it takes. */
  messages(): readonly string[];
}

/** What takes the bytes of a stream apart. */
export interface StreamReading {
  /** Of the last event that had one: where a listener who comes back goes on. */
  readonly lastId: string;
  /** How long the server wants listeners to wait before they come back; null where it does not say. */
  readonly retryMs: number | null;
  /** The stream begins, or begins anew. */
  begin(): void;
  /** Reads bytes of the stream; false where they cannot be those of one, or hold too much. */
  feed(buffer: Buffer, start: number, end: number): boolean;
}
