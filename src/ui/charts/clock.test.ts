import { describe, expect, it } from 'vitest';
import { clockTime } from './clock.ts';

describe('clockTime', () => {
  it('adds the second to the start, and is silent when there is none', () => {
    expect(clockTime(null, 5)).toBe('');
    expect(clockTime('2026-03-12T14:05:07.000Z', 60, 'en-GB')).toMatch(/^\d\d:06:07$/);
  });
});
