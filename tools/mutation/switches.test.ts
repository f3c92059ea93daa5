import { expect, it } from 'vitest';
import { newSwitches } from './switches.ts';

it('counts steps and lists the reached changes once each, since the beginning', () => {
  const { begin, reach, isActive, counted } = newSwitches(10);
  reach(1, 2);
  begin(null, Infinity);
  reach(3, 4);
  reach(4);
  expect(isActive(5)).toBe(false);
  expect(counted()).toEqual({ steps: 2, reached: [3, 4] });
  begin(5, Infinity);
  expect(isActive(5)).toBe(true);
  expect(isActive(3)).toBe(false);
  reach(3);
  expect(counted()).toEqual({ steps: 2, reached: [3] });
});

it('fails endless code, also if it only queries the change', () => {
  const { begin, reach, isActive } = newSwitches(10);
  begin(5, 2);
  reach(1);
  isActive(5);
  expect(() => reach(1)).toThrow('does not come to an end');
  expect(() => isActive(5)).toThrow('does not come to an end');
  expect(isActive(4)).toBe(false);
  begin(null, 2);
  expect(() => reach(1)).not.toThrow();
});
