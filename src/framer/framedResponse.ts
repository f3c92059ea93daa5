import type { BodyListener } from './framer.ts';

/** A parsed response of any HTTP version. One instance is used for the successive responses of a connection or stream. */
export interface FramedResponse {
  /** Whether the status line and all headers have arrived. */
  readonly headComplete: boolean;
  /** Status code; valid once the head is complete. */
  readonly status: number;
  /** Values of the headers that the plan wants, in its order. The values of lines with the same name are joined by a line feed. */
  readonly wanted: readonly (string | undefined)[];
  /** Whether another request may be sent on the connection. */
  readonly keepAlive: boolean;
  /** Number of body bytes without framing. */
  readonly bodyBytes: number;
  /** Whether the Connection header contains `upgrade`. */
  readonly namesUpgrade: boolean;
  /** Called with body bytes; null if nothing needs them. */
  onBody: BodyListener | null;
  /** Sets whether `wanted` is filled from the next response on. */
  keepWanted(keeps: boolean): void;
}
