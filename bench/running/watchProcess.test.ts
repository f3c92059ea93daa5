import { expect, it } from 'vitest';
import { midRunCores, type CpuSample } from './watchProcess.ts';

/** Returns samples over ten seconds: a second of start-up that uses a full core, then `cores`, and a second of evaluation at the end. */
const cpuSamples = (cores: number): CpuSample[] =>
  Array.from({ length: 101 }, (_, tenth) => ({
    atMs: 5_000 + tenth * 100,
    cpuSeconds: Math.min(tenth, 10) / 10 + (Math.min(Math.max(tenth - 10, 0), 80) / 10) * cores + Math.max(tenth - 90, 0) / 5,
  }));

it("midRunCores measures the middle of a process's life, without its start and evaluation", () => {
  expect(midRunCores(cpuSamples(0.25))).toBeCloseTo(0.25, 9);
  expect(midRunCores(cpuSamples(2))).toBeCloseTo(2, 9);
});

it('midRunCores returns null for a process with too few samples', () => {
  expect([midRunCores([]), midRunCores(cpuSamples(1).slice(0, 1)), midRunCores(cpuSamples(1).slice(0, 2))]).toEqual([null, null, null]);
});
