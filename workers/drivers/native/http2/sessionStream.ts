import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** What a session tells of one stream, whose request and state it holds. Heads and bodies return why they cannot be part of an answer, or null. */
export interface SessionStream {
  request: BuiltRequest | null;
  id: number;
  /** Of the server, for the rest of the request's body. */
  sendWindow: number;
  sentBodyBytes: number;
  /** Body bytes that no window update has told the server of. */
  receivedBytes: number;
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  written(bytes: number, nowUs: number): void;
  wroteMore(bytes: number): void;
  head(fields: readonly Field[], endsStream: boolean, nowUs: number): string | null;
  body(buffer: Buffer, start: number, end: number): string | null;
  /** So many bytes more have come of its answer; {@link tell} tells whoever counts them, unless the end of the answer has done so. */
  take(bytes: number): void;
  tell(atUs: number): void;
  ended(atUs: number): string | null;
  /** The server has not begun its request, and never will. `code`: how that is counted where it says so each time. */
  unprocessed(code: string): void;
  /** The connection ended. `phase`: the phase in which opening it ended; null if it was open. */
  disconnected(code: string, phase: Phase | null): void;
  /** No complete response will come. `phase`: the phase in which opening the connection ended; null if it was open. */
  lost(code: string, phase: Phase | null): void;
}
