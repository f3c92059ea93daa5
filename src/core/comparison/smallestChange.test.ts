import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallestChange } from './smallestChange.ts';

const seconds = (times: readonly number[]) => times.map((p90) => ({ p90 }));
/** Waves of ±`share` that the two runs do not have in common. */
const wavy = (length: number, share: number, speed: number) =>
  seconds(Array.from({ length }, (_, second) => 100 * (1 + share * Math.sin(speed * second))));

it('is larger the more the seconds of a run vary, and smaller the longer it is', () => {
  const short = smallestChange(wavy(30, 0.3, 1.3), wavy(30, 0.3, 2.1));
  const calm = smallestChange(wavy(30, 0.05, 1.3), wavy(30, 0.05, 2.1));
  const long = smallestChange(wavy(600, 0.3, 1.3), wavy(600, 0.3, 2.1));
  expect(short).toBeGreaterThan(calm ?? 1);
  expect(short).toBeGreaterThan(long ?? 1);
});

it('leaves out what the load does to both at the same time, and how much slower one is', () => {
  const rising = Array.from({ length: 60 }, (_, second) => 10 + second);
  expect(smallestChange(seconds(rising), seconds(rising.map((time) => 3 * time)))).toBeCloseTo(0, 10);
});

it('is unknown for runs of a few seconds, and never below zero', () => {
  expect(smallestChange(wavy(9, 0.1, 1), wavy(600, 0.1, 1))).toBeNull();
  expect(smallestChange([{ p90: null }], [{ p90: null }])).toBeNull();
  const times = fc.array(fc.double({ min: 0.1, max: 1e5, noNaN: true }), { minLength: 10, maxLength: 60 });
  fc.assert(fc.property(times, times, (one, other) => (smallestChange(seconds(one), seconds(other)) ?? 0) >= 0));
});
