/** For nginx: when a response was sent, and whether its connection took up a session (`r`) or made a full handshake (`.`). */
export const LOG_FORMAT = '$msec $ssl_session_reused';

/** Until a program that compiles itself while it runs has come to its speed, and what its last connections may not share with the others. */
const WARM_UP_SECONDS = 1;
const LAST_SECONDS = 0.2;

/** Handshakes by the log of the server. */
export interface Handshakes {
  /** Over the time between warm-up and end; null where that is too short. */
  readonly perSecond: number | null;
  /** Share of the handshakes that took up a session. */
  readonly resumedShare: number;
}

/** Reads lines of {@link LOG_FORMAT}, one for each connection, in any order. */
export function handshakesIn(lines: readonly string[]): Handshakes {
  const all = lines.map((line) => line.split(' ')).map(([seconds, how]) => ({ at: Number(seconds), isResumed: how === 'r' }));
  const instants = all.map(({ at }) => at);
  const from = instants.reduce((a, b) => Math.min(a, b), Infinity) + WARM_UP_SECONDS;
  const to = instants.reduce((a, b) => Math.max(a, b), -Infinity) - LAST_SECONDS;
  const measured = all.filter(({ at }) => at >= from && at < to);
  const resumed = measured.filter(({ isResumed }) => isResumed).length;
  return {
    perSecond: to - from < WARM_UP_SECONDS / 2 ? null : measured.length / (to - from),
    resumedShare: measured.length === 0 ? 0 : resumed / measured.length,
  };
}
