import { describe, expect, it } from 'vitest';
import { handshakesIn } from './log.ts';

/** Returns log lines of connections that are opened every 10 ms. */
const lines = (seconds: number, how: (at: number) => string): string[] =>
  Array.from({ length: seconds * 100 + 1 }, (_, index) => index / 100).map((at) => `${(1_700_000_000 + at).toFixed(3)} ${how(at)}`);

describe('handshakesIn', () => {
  it('counts handshakes after the warm-up and before the end', () => {
    const { perSecond, resumedShare } = handshakesIn(lines(4, (at) => (at < 1 ? '.' : 'r')));
    expect(perSecond).toBeCloseTo(100, 0);
    expect(resumedShare).toBe(1);
  });

  it('counts both kinds of handshakes', () => {
    expect(handshakesIn(lines(3, (at) => (Math.round(at * 100) % 4 === 0 ? '.' : 'r'))).resumedShare).toBeCloseTo(0.75, 1);
  });

  it('returns no rate if the time is too short or there are no handshakes', () => {
    expect(handshakesIn(lines(1, () => '.')).perSecond).toBeNull();
    expect(handshakesIn([])).toEqual({ perSecond: null, resumedShare: 0 });
  });
});
