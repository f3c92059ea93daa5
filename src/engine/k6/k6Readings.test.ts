import { describe, expect, it } from 'vitest';
import { parseTicks } from './k6Readings.ts';

describe('parseTicks', () => {
  it("adds user and system time, whatever characters the program's name contains", () => {
    expect(parseTicks('4711 (k6) S 1 4711 4711 0 -1 4194560 3000 0 0 0 250 31 0 0 20 0 12 0 100 0 0')).toBe(281);
    expect(parseTicks('4711 (a (b) c d) R 1 4711 4711 0 -1 4194560 3000 0 0 0 7 8 0 0 20 0 12 0 100 0 0')).toBe(15);
  });

  it('returns null for an empty text', () => {
    expect(parseTicks('')).toBeNull();
  });
});
