import { expect, it } from 'vitest';
import { findUnsteady, type LevelTimes } from './unsteady.ts';

const at = (level: number, leastP95: number, mostP99: number, responses = 200): LevelTimes => ({
  name: `${level} users`,
  level,
  responses,
  leastP95,
  mostP99,
});

it('findUnsteady: finds the lighter load with the largest slowdown compared to a heavier one', () => {
  const levels = [at(100, 116, 130), at(200, 2_415, 2_900), at(300, 1_557, 1_800), at(400, 1_000, 1_200)];
  expect(findUnsteady(levels)).toEqual({ lighter: levels[1], heavier: levels[3] });
});

it('findUnsteady: finds nothing if times grow with the load, are equal, or have few responses', () => {
  expect(findUnsteady([at(100, 100, 120), at(200, 200, 240), at(400, 400, 480)])).toBeNull();
  expect(findUnsteady([at(100, 110, 120), at(200, 90, 100)])).toBeNull();
  expect(findUnsteady([at(100, 9, 9), at(200, 2, 2)])).toBeNull();
  expect(findUnsteady([at(100, 900, 990, 99), at(200, 90, 100)])).toBeNull();
  expect(findUnsteady([])).toBeNull();
});

it('findUnsteady: requires 25 %, 10 ms and 100 responses at each level', () => {
  const found = (p95: number, p99: number, lighter = 100, heavier = 100) =>
    findUnsteady([at(1, p95, p95, lighter), at(2, p99, p99, heavier)]) !== null;
  expect([found(126, 100), found(125, 100), found(30.1, 20), found(30, 20)]).toEqual([true, false, true, false]);
  expect([found(126, 100, 99), found(126, 100, 100, 99)]).toEqual([false, false]);
  expect(findUnsteady([at(1, 200, 200), at(1, 100, 100)])).toBeNull();
});
