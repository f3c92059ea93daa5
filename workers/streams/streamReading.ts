import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { EventReader } from './eventReader.ts';

/** Redirect of a stream's opening request. */
export interface StreamRedirect {
  readonly url: URL;
  /** Returns the request with the cookies set so far. */
  request(): BuiltRequest;
}

/** Settings of a stream. */
export interface StreamRules {
  /** Time for which the stream is held; Infinity until the load ends, 0 if the journey continues beside it. */
  readonly holdUs: number;
  readonly reader: EventReader;
  /** Settings and messages of a WebSocket; null for an event stream. */
  readonly socket: SocketRules | null;
  /** Returns the redirect as browsers follow it; null if it must not be followed. */
  redirect(from: URL, location: string): StreamRedirect | null;
}

interface SocketRules {
  readonly protocols: readonly string[];
  /** Interval at which the messages are repeated; null: sent once. */
  readonly everyUs: number | null;
  /** Returns the messages to send now; empty if the user has lost a required value. */
  messages(): readonly string[];
}

/** Parses the bytes of a stream. */
export interface StreamReading {
  /** Id of the last event that had one, sent when reconnecting. */
  readonly lastId: string;
  /** Reconnection delay set by the server; null if it sets none. */
  readonly retryMs: number | null;
  /** Starts a new stream. */
  begin(): void;
  /** Reads bytes of the stream. Returns false if they are invalid or exceed a limit. */
  feed(buffer: Buffer, start: number, end: number): boolean;
}
