import type { BodyListener } from './framer.ts';

/** A parsed response of any HTTP version. One instance serves the successive responses of a connection or stream. */
export interface FramedResponse {
  /** The status line and all headers have arrived. */
  readonly headComplete: boolean;
  /** Valid once the head is complete. */
  readonly status: number;
  /** Values of the plan's headers, in its order. Lines with the same name are joined by a line feed. */
  readonly wanted: readonly (string | undefined)[];
  /** Whether another request may be sent on the connection. */
  readonly keepAlive: boolean;
  /** Body bytes without framing. */
  readonly bodyBytes: number;
  /** Whether the Connection header contains `upgrade`. */
  readonly namesUpgrade: boolean;
  /** Called with body bytes; null if they are not needed. */
  onBody: BodyListener | null;
  /** Sets whether `wanted` is filled from the next response on. */
  keepWanted(keeps: boolean): void;
}
