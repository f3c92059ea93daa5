import { expect, it } from 'vitest';
import { isHarmlessHeader } from './secretShapes.ts';

it('takes a header for a secret unless its name is known to be harmless', () => {
  expect(['Accept', 'user-agent ', 'Content-Type'].every(isHarmlessHeader)).toBe(true);
  expect(['Authorization', 'X-Api-Key', 'Cookie', 'X-Anything'].some(isHarmlessHeader)).toBe(false);
});
