import { expect, it } from 'vitest';
import { toProquints } from './proquint.ts';

// The examples come from the specification.
it.each([
  ['lusab-babad', [127, 0, 0, 1]],
  ['gutih-tugad', [63, 84, 220, 193]],
  ['mudof-sakat', [140, 98, 193, 141]],
])('toProquints: writes %s', (words, bytes) => {
  expect(toProquints(Uint8Array.from(bytes))).toBe(words);
});
