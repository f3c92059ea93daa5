import { expect, it } from 'vitest';
import { KnownInstances, MOST_INSTANCES } from './knownInstances.ts';

it('has room for so many instances in a run, whatever their names', () => {
  const known = new KnownInstances();
  const second = (from: number, to: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`cpu.used:${from + index}`, 1]));
  expect(Object.keys(known.admitted({ 'cpu.all': 1, 'cpu.used:__proto__': 2, ['x'.repeat(300)]: 3 }))).toHaveLength(3);
  expect(known.admitted({ [`cpu.used:${'x'.repeat(300)}`]: 1 })).toEqual({});
  expect(Object.keys(known.admitted(second(0, MOST_INSTANCES)))).toHaveLength(MOST_INSTANCES - 1);
  expect(known.admitted(second(MOST_INSTANCES, 2 * MOST_INSTANCES))).toEqual({});
  expect(known.admitted({ 'cpu.used:__proto__': 5, 'cpu.system:0': 6 })).toEqual({ 'cpu.used:__proto__': 5, 'cpu.system:0': 6 });
});
