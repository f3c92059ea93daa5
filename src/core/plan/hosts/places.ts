import { type ClockOffset, HERE, isHere, THIS_COMPUTER } from '../schema/hosts.ts';

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

/** How a place is called in a sentence: `here` is this computer. */
function placeName(name: string): string {
  return isHere(name) ? THIS_COMPUTER : name;
}

/** "web1, web2 and this computer". */
export function placesWords(names: readonly string[]): string {
  return inARow(names.map(placeName));
}

/** Whether this computer makes a part of a load that these places make; of a load without places it makes all. */
export function loadsHere(on: readonly string[] | null | undefined): boolean {
  return on == null || on.some(isHere);
}

/** "a", "a and b", "a, b and c". */
export function inARow(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** The name by which a place is chosen, from the name that a result gives it. */
export function placeOf(name: string): string {
  return name === THIS_COMPUTER ? HERE : name;
}

/** {@link placesWords}, or any other words about places, at the beginning of a sentence. Names of hosts stay as they are written. */
export function atStart(words: string): string {
  return words.startsWith(THIS_COMPUTER) ? `T${words.slice(1)}` : words;
}
