import { type ClockOffset, HERE, isHere, THIS_COMPUTER } from '../schema/hosts.ts';

/** One clock exchange: our send and receive times, and the other clock's time in between. */
export interface ClockReading {
  readonly askedMs: number;
  readonly repliedMs: number;
  readonly thereMs: number;
}

/**
 * Returns how far the other clock is ahead. The response was made at an unknown instant of the round trip, so half of the
 * round trip bounds the error (RFC 5905, section 8). The shortest round trip is the best reading. null without readings.
 */
export function clockOffset(readings: readonly ClockReading[]): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { askedMs, repliedMs, thereMs } of readings) {
    const roundTripMs = repliedMs - askedMs;
    if (roundTripMs < 0 || (best !== null && roundTripMs >= best.roundTripMs)) continue;
    best = { aheadMs: thereMs - (askedMs + repliedMs) / 2, errorMs: roundTripMs / 2, roundTripMs };
  }
  return best;
}

/** Returns the name of a load generator in a sentence: `here` is this computer. */
function placeName(name: string): string {
  return isHere(name) ? THIS_COMPUTER : name;
}

/** Lists load generators: "web1, web2 and this computer". */
export function placesWords(names: readonly string[]): string {
  return inARow(names.map(placeName));
}

/** Whether this computer is a load generator of these places; it is the only one without places. */
export function loadsHere(on: readonly string[] | null | undefined): boolean {
  return on == null || on.some(isHere);
}

/** Joins names: "a", "a and b", "a, b and c". */
export function inARow(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Converts the name of a load generator in a result to its name in a plan. */
export function placeOf(name: string): string {
  return name === THIS_COMPUTER ? HERE : name;
}

/** Capitalizes words such as {@link placesWords} at the start of a sentence. Names of hosts stay unchanged. */
export function atStart(words: string): string {
  return words.startsWith(THIS_COMPUTER) ? `T${words.slice(1)}` : words;
}
