import { describe, expect, it } from 'vitest';
import { ticksOf } from './k6Readings.ts';

describe('the time that a process has used', () => {
  it('is the sum of two fields, whatever the program is called', () => {
    expect(ticksOf('4711 (k6) S 1 4711 4711 0 -1 4194560 3000 0 0 0 250 31 0 0 20 0 12 0 100 0 0')).toBe(281);
    expect(ticksOf('4711 (a (b) c d) R 1 4711 4711 0 -1 4194560 3000 0 0 0 7 8 0 0 20 0 12 0 100 0 0')).toBe(15);
  });

  it('is not known of a text that says nothing', () => {
    expect(ticksOf('')).toBeNull();
  });
});
