import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sweep } from './sweep.ts';

const SECOND_US = 1_000_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startSweep(count: number, minLimitUs: number): { readonly checks: number[]; readonly rounds: number[]; readonly sweep: Sweep } {
  const checks = Array.from({ length: count }, () => 0);
  const rounds: number[] = [];
  const users = checks.map((_, index) => ({ expire: () => void (checks[index] = (checks[index] ?? 0) + 1) }));
  const sweep = new Sweep(
    minLimitUs,
    () => Date.now(),
    () => users,
    (nowUs) => void rounds.push(nowUs),
  );
  return { checks, rounds, sweep };
}

test('Sweep checks every user once per round, in 25 parts', () => {
  const { checks, rounds, sweep } = startSweep(1_000, 60 * SECOND_US);
  vi.advanceTimersByTime(10);
  expect(checks.filter((count) => count > 0)).toHaveLength(40);
  vi.advanceTimersByTime(240);
  expect(new Set(checks)).toEqual(new Set([1]));
  expect(rounds).toHaveLength(1);
  vi.advanceTimersByTime(250);
  expect(new Set(checks)).toEqual(new Set([2]));
  sweep.stop();
  vi.advanceTimersByTime(1_000);
  expect(rounds).toHaveLength(2);
});

test('Sweep checks all users at once if the time-out is short', () => {
  const { checks, rounds, sweep } = startSweep(30, SECOND_US / 10);
  vi.advanceTimersByTime(5);
  expect(new Set(checks)).toEqual(new Set([1]));
  expect(rounds).toHaveLength(1);
  sweep.stop();
});

test('Sweep ends rounds without users', () => {
  const { rounds, sweep } = startSweep(0, SECOND_US);
  vi.advanceTimersByTime(20);
  expect(rounds.length).toBeGreaterThan(0);
  sweep.stop();
});
