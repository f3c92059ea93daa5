import { expect, it } from 'vitest';
import { SuspensionWatch, type TwoClocks } from './selfWatch.ts';

/** What is noticed when the clocks have gone on by these amounts, in milliseconds, from one look to the next. */
function noticed(...steps: readonly TwoClocks[]): number[] {
  let now: TwoClocks = { sinceBootMs: 1e9, monotonicMs: 5_000 };
  const watch = new SuspensionWatch(() => now);
  return steps.map(({ sinceBootMs, monotonicMs }) => {
    now = { sinceBootMs: now.sinceBootMs + sinceBootMs, monotonicMs: now.monotonicMs + monotonicMs };
    watch.look();
    return watch.takeMs();
  });
}

const tick = { sinceBootMs: 250, monotonicMs: 250 };

it('notices a suspension that the monotonic clock does not know of, once', () => {
  expect(noticed(tick, { sinceBootMs: 60_250, monotonicMs: 250 }, tick)).toEqual([0, 60_000, 0]);
});

it('notices nothing while both clocks go on, however late somebody looks or coarse a clock is', () => {
  expect(
    noticed(
      tick,
      { sinceBootMs: 9_000, monotonicMs: 9_000 },
      { sinceBootMs: 1_000, monotonicMs: 250 },
      { sinceBootMs: 0, monotonicMs: 250 },
    ),
  ).toEqual([0, 0, 0, 0]);
});

it('reads the clocks of this machine', () => {
  const watch = new SuspensionWatch();
  watch.look();
  expect(watch.takeMs()).toBe(0);
});
