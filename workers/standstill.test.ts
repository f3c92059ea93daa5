import { expect, it } from 'vitest';
import { Standstill } from './threadHealth.ts';

const SECOND = 1_000_000;
const bySecond = (watch: Standstill, seconds: number): number[] =>
  Array.from({ length: seconds }, (_, second) => watch.overlapUs(second * SECOND, (second + 1) * SECOND));

it('Standstill distributes a standstill over the seconds that it covers', () => {
  const watch = new Standstill();
  watch.begin(0);
  for (let turn = 1; turn <= 15; turn += 1) watch.hadTurn(turn * 100_000);
  watch.hadTurn(4_200_000);
  expect(bySecond(watch, 6)).toEqual([0, 500_000, SECOND, SECOND, 200_000, 0]);
  watch.hadTurn(4_300_000);
  expect(bySecond(watch, 6)).toEqual([0, 500_000, SECOND, SECOND, 200_000, 0]);
});

it('Standstill ignores short delays, and delays before begin()', () => {
  const watch = new Standstill();
  watch.hadTurn(9 * SECOND);
  watch.begin(10 * SECOND);
  watch.hadTurn(10.9 * SECOND);
  watch.hadTurn(11.8 * SECOND);
  expect(bySecond(watch, 12)).toEqual(Array.from({ length: 12 }, () => 0));
});
