import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SilenceTimer } from './silenceTimer.ts';

let fired = 0;
const timer = new SilenceTimer(() => (fired += 1));

beforeEach(() => {
  fired = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  timer.stop();
  vi.useRealTimers();
});

it('SilenceTimer: calls back once, after the time without anything received', () => {
  timer.start(20_000);
  vi.advanceTimersByTime(15_000);
  timer.countReceived();
  vi.advanceTimersByTime(19_500);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(fired).toBe(1);
});

it('SilenceTimer: also waits for times shorter than its interval, and never calls back after a stop', () => {
  timer.start(100);
  vi.advanceTimersByTime(100);
  expect(fired).toBe(1);
  timer.start(100);
  timer.stop();
  vi.advanceTimersByTime(1_000);
  expect(fired).toBe(1);
});

it('SilenceTimer: does not count time in which this process was blocked, because data may have arrived then', async () => {
  vi.useRealTimers();
  timer.start(1_000);
  const untilMs = performance.now() + 1_500;
  while (performance.now() < untilMs);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(fired).toBe(0);
  await vi.waitFor(() => expect(fired).toBe(1), 5_000);
});
