/** The log format of nginx: the time of the response, and whether its connection resumed a session (`r`) or made a full handshake (`.`). */
export const LOG_FORMAT = '$msec $ssl_session_reused';

/** Seconds at the start that are excluded because of JIT compilation, and at the end because not all connections are busy then. */
const WARM_UP_SECONDS = 1;
const COOL_DOWN_SECONDS = 0.2;

/** The handshakes in the server's log. */
export interface Handshakes {
  /** Rate between the warm-up and the end; null if that time is too short. */
  readonly perSecond: number | null;
  /** Share of resumed handshakes among all. */
  readonly resumedShare: number;
}

/** Parses lines of {@link LOG_FORMAT}, one per connection, in any order. */
export function handshakesIn(lines: readonly string[]): Handshakes {
  const all = lines.map((line) => line.split(' ')).map(([seconds, how]) => ({ at: Number(seconds), isResumed: how === 'r' }));
  const instants = all.map(({ at }) => at);
  const from = instants.reduce((a, b) => Math.min(a, b), Infinity) + WARM_UP_SECONDS;
  const to = instants.reduce((a, b) => Math.max(a, b), -Infinity) - COOL_DOWN_SECONDS;
  const measured = all.filter(({ at }) => at >= from && at < to);
  const resumed = measured.filter(({ isResumed }) => isResumed).length;
  return {
    perSecond: to - from < WARM_UP_SECONDS / 2 ? null : measured.length / (to - from),
    resumedShare: measured.length === 0 ? 0 : resumed / measured.length,
  };
}
