import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sweep } from './sweep.ts';

const SECOND_US = 1_000_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function swept(count: number, shortestLimitUs: number): { readonly looks: number[]; readonly rounds: number[]; readonly sweep: Sweep } {
  const looks = Array.from({ length: count }, () => 0);
  const rounds: number[] = [];
  const users = looks.map((_, index) => ({ expire: () => void (looks[index] = (looks[index] ?? 0) + 1) }));
  const sweep = new Sweep(
    shortestLimitUs,
    () => Date.now(),
    () => users,
    (nowUs) => void rounds.push(nowUs),
  );
  return { looks, rounds, sweep };
}

test('looks at every user once in a round, in 25 parts', () => {
  const { looks, rounds, sweep } = swept(1_000, 60 * SECOND_US);
  vi.advanceTimersByTime(10);
  expect(looks.filter((count) => count > 0)).toHaveLength(40);
  vi.advanceTimersByTime(240);
  expect(new Set(looks)).toEqual(new Set([1]));
  expect(rounds).toHaveLength(1);
  vi.advanceTimersByTime(250);
  expect(new Set(looks)).toEqual(new Set([2]));
  sweep.stop();
  vi.advanceTimersByTime(1_000);
  expect(rounds).toHaveLength(2);
});

test('looks at all of them at once where the limit allows no parts', () => {
  const { looks, rounds, sweep } = swept(30, SECOND_US / 10);
  vi.advanceTimersByTime(5);
  expect(new Set(looks)).toEqual(new Set([1]));
  expect(rounds).toHaveLength(1);
  sweep.stop();
});

test('ends rounds without users', () => {
  const { rounds, sweep } = swept(0, SECOND_US);
  vi.advanceTimersByTime(20);
  expect(rounds.length).toBeGreaterThan(0);
  sweep.stop();
});
