import { expect, it } from 'vitest';
import { clockTime } from './moment.ts';

it('clockTime: adds the second to the start, and returns an empty string without a start', () => {
  expect(clockTime(null, 5)).toBe('');
  expect(clockTime('2026-03-12T14:05:07.000Z', 60, 'en-GB')).toMatch(/^\d\d:06:07$/);
});
