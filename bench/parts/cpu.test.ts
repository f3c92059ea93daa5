import { expect, it } from 'vitest';
import type { Measurement } from '../running/measureSubject.ts';
import { midRunMicroseconds, wholeRunMicroseconds } from './cpu.ts';

const measurement: Measurement = {
  reading: { responses: 100_000, seconds: 5, p50Ms: 1, p99Ms: 2, note: '' },
  problem: null,
  cpuSeconds: 6,
  peakBytes: 1,
  midRunCores: 0.8,
};

it("CPU per response is the process's CPU time divided by the number of its responses, for the whole run and for the middle of the run", () => {
  expect(wholeRunMicroseconds({ measurement })).toBeCloseTo(60, 9);
  expect(midRunMicroseconds({ measurement })).toBeCloseTo(40, 9);
});

it('CPU per response is null if there is no response or no reading', () => {
  const none = { ...measurement, reading: null };
  const empty = { ...measurement, reading: { responses: 0, seconds: 5, p50Ms: null, p99Ms: null, note: '' } };
  for (const each of [none, empty])
    expect([wholeRunMicroseconds({ measurement: each }), midRunMicroseconds({ measurement: each })]).toEqual([null, null]);
  expect(midRunMicroseconds({ measurement: { ...measurement, midRunCores: null } })).toBeNull();
});
