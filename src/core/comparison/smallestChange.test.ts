import fc from 'fast-check';
import { expect, it } from 'vitest';
import { detectableChange } from './smallestChange.ts';

const seconds = (times: readonly number[]) => times.map((p90) => ({ p90 }));
/** Returns waves of ±`share` that differ between the two runs. */
const wavy = (length: number, share: number, speed: number) =>
  seconds(Array.from({ length }, (_, second) => 100 * (1 + share * Math.sin(speed * second))));

it('detectableChange: grows with the variation of seconds and shrinks with the duration', () => {
  const short = detectableChange(wavy(30, 0.3, 1.3), wavy(30, 0.3, 2.1));
  const calm = detectableChange(wavy(30, 0.05, 1.3), wavy(30, 0.05, 2.1));
  const long = detectableChange(wavy(600, 0.3, 1.3), wavy(600, 0.3, 2.1));
  expect(short).toBeGreaterThan(calm ?? 1);
  expect(short).toBeGreaterThan(long ?? 1);
});

it('detectableChange: ignores changes that the load causes in both runs, and a constant slowdown', () => {
  const rising = Array.from({ length: 60 }, (_, second) => 10 + second);
  expect(detectableChange(seconds(rising), seconds(rising.map((time) => 3 * time)))).toBeCloseTo(0, 10);
});

it('detectableChange: is null for runs of a few seconds, and never negative', () => {
  expect(detectableChange(wavy(9, 0.1, 1), wavy(600, 0.1, 1))).toBeNull();
  expect(detectableChange([{ p90: null }], [{ p90: null }])).toBeNull();
  const times = fc.array(fc.double({ min: 0.1, max: 1e5, noNaN: true }), { minLength: 10, maxLength: 60 });
  fc.assert(fc.property(times, times, (one, other) => (detectableChange(seconds(one), seconds(other)) ?? 0) >= 0));
});
