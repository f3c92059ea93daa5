import type { ClockOffset } from '../schema/hosts.ts';

/** One question for the time: when it was asked and answered by our clock, and what the other clock said in between. */
export interface ClockReading {
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly thereMs: number;
}

/**
 * How far the other clock is ahead. The answer was made at an unknown instant between question and answer, so half of the round
 * trip is the largest possible error (RFC 5905, section 8); the reading with the shortest round trip is the best one. null without any.
 */
export function clockOffset(readings: readonly ClockReading[]): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { askedMs, answeredMs, thereMs } of readings) {
    const roundTripMs = answeredMs - askedMs;
    if (roundTripMs < 0 || (best !== null && roundTripMs >= best.roundTripMs)) continue;
    best = { aheadMs: thereMs - (askedMs + answeredMs) / 2, errorMs: roundTripMs / 2, roundTripMs };
  }
  return best;
}
