import { expect, it } from 'vitest';
import { ClockWatch, type Clocks } from './selfWatch.ts';

interface ClockStep extends Omit<Clocks, 'wallMs'> {
  /** Reading of the wall clock. By default, it advances with `sinceBootMs`. */
  readonly wallMs?: number;
}

/** Returns what the watch reports after each step of the clocks, in milliseconds. null means that the clocks could not be read. */
function watched(steps: readonly (ClockStep | null)[], take: (watch: ClockWatch) => number): number[] {
  let now: Clocks = { sinceBootMs: 1e9, monotonicMs: 5_000, wallMs: 1.7e12 };
  let isRead = true;
  const watch = new ClockWatch(() => (isRead ? now : null));
  return steps.map((step) => {
    isRead = step !== null;
    const { sinceBootMs, monotonicMs, wallMs = sinceBootMs } = step ?? tick;
    now = { sinceBootMs: now.sinceBootMs + sinceBootMs, monotonicMs: now.monotonicMs + monotonicMs, wallMs: now.wallMs + wallMs };
    watch.look();
    return take(watch);
  });
}

const noticed = (...steps: readonly ClockStep[]): number[] => watched(steps, (watch) => watch.takeMs());
const stepsIn = (...steps: readonly (ClockStep | null)[]): number[] => watched(steps, (watch) => watch.takeStepMs());

const tick: ClockStep = { sinceBootMs: 250, monotonicMs: 250 };

it('ClockWatch reports a suspension that the monotonic clock missed, and only once', () => {
  expect(noticed(tick, { sinceBootMs: 60_250, monotonicMs: 250 }, tick)).toEqual([0, 60_000, 0]);
});

it('ClockWatch reports nothing while both clocks run, however rarely the clocks are read and however coarse they are', () => {
  expect(
    noticed(
      tick,
      { sinceBootMs: 9_000, monotonicMs: 9_000 },
      { sinceBootMs: 1_000, monotonicMs: 250 },
      { sinceBootMs: 0, monotonicMs: 250 },
    ),
  ).toEqual([0, 0, 0, 0]);
});

it('ClockWatch reads the clocks of this machine', () => {
  const watch = new ClockWatch();
  watch.look();
  expect([watch.takeMs(), watch.takeStepMs()]).toEqual([0, 0]);
});

it('ClockWatch reports once that the clock was set forward or back, and ignores corrections and suspensions', () => {
  expect(stepsIn({ ...tick, wallMs: 5_250 }, tick, { ...tick, wallMs: -3_599_750 }, tick)).toEqual([5_000, 0, -3_600_000, 0]);
  expect(stepsIn({ ...tick, wallMs: 349 }, { sinceBootMs: 60_250, monotonicMs: 250 })).toEqual([0, 0]);
  expect(stepsIn(null, { ...tick, wallMs: 1_250 })).toEqual([0, 1_000]);
});
