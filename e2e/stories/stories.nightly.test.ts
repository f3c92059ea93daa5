import { expect, it } from 'vitest';
import { reconnectStorm } from './contest/reconnectStorm.ts';
import { isGreen } from './testing/isGreen.ts';

it.each([
  ['a setting of the servers is a fifth off behind its back', 'shift'],
  ['the recorder loses one answer in a hundred', 'drop'],
] as const)(`${reconnectStorm.id} turns red when %s`, async (_what, mutation) => {
  expect(await isGreen(reconnectStorm, mutation)).toBe(false);
});
