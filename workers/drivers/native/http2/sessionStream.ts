import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** Receives events of one stream from its session, and holds the stream's request and state. `head` and `body` return why they are invalid, or null. */
export interface SessionStream {
  request: BuiltRequest | null;
  id: number;
  /** Send window of the stream for the rest of the request body. */
  sendWindow: number;
  sentBodyBytes: number;
  /** Received body bytes without a window update so far. */
  receivedBytes: number;
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  written(bytes: number, nowUs: number): void;
  wroteMore(bytes: number): void;
  head(fields: readonly Field[], endsStream: boolean, nowUs: number): string | null;
  body(buffer: Buffer, start: number, end: number): string | null;
  /** Counts received bytes of the response. {@link tell} reports them, unless the end of the response has done this. */
  take(bytes: number): void;
  tell(atUs: number): void;
  ended(atUs: number): string | null;
  /** The server has not processed the request and never will. `code`: error if this happens every time. */
  unprocessed(code: string): void;
  /** The connection ended. `phase`: the phase in which opening it ended; null if it was open. */
  disconnected(code: string, phase: Phase | null): void;
  /** No complete response will come. `phase`: the phase in which opening the connection ended; null if it was open. */
  lost(code: string, phase: Phase | null): void;
}
