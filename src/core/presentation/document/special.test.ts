import { expect, it } from 'vitest';
import { inOneUnit } from './special.ts';

it('names the unit of several times once where they share it', () => {
  expect(inOneUnit(['64 ms', '81.1 ms', '49.9 ms'])).toBe('64, 81.1, 49.9 ms');
  expect(inOneUnit(['980 ms', '1.2 s'])).toBe('980 ms, 1.2 s');
  expect(inOneUnit(['64 ms'])).toBe('64 ms');
  expect(inOneUnit([])).toBe('');
});
