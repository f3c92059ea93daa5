import type { BodyListener } from './framer.ts';

/** An answer as the transport took it apart, whichever version of HTTP it came in. One serves one connection or stream, answer after answer. */
export interface FramedAnswer {
  /** The status and all headers are there. */
  readonly headComplete: boolean;
  /** Known when the head is complete. */
  readonly status: number;
  /** Values of the headers that the plan wants, in its order; lines of one name are joined by a line feed. */
  readonly wanted: readonly (string | undefined)[];
  /** Whether another request may be sent on the connection. */
  readonly keepAlive: boolean;
  /** Of the body, framing not included. */
  readonly bodyBytes: number;
  /** The server names an upgrade among the options of the connection. */
  readonly namesUpgrade: boolean;
  /** Called with body bytes; null when nobody needs them. */
  onBody: BodyListener | null;
  /** Whether `wanted` is filled in from the next answer on. */
  keepWanted(keeps: boolean): void;
}
