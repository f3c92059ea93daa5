import { expect, it } from 'vitest';
import { parseChildrenCpuSeconds, parseOwnCpuSeconds, parsePeakBytes } from './procStatus.ts';

it("parsing /proc/PID/stat returns the processor time of a process and of its children, whatever the process's name", () => {
  const fields = 'S 1 2 3 4 -1 4194304 100 200 0 0 11 22 150 50 20 0 7 0 5000';
  expect(parseChildrenCpuSeconds(`4242 (node) ${fields}`)).toBe(2);
  expect(parseChildrenCpuSeconds(`4242 (a) b (c)) ${fields}`)).toBe(2);
  expect(parseOwnCpuSeconds(`4242 (node) ${fields}`)).toBe(0.33);
  expect([parseChildrenCpuSeconds(''), parseOwnCpuSeconds('')]).toEqual([null, null]);
});

it('parsing /proc/PID/status returns the peak of resident memory', () => {
  expect(parsePeakBytes('Name:\tnode\nVmPeak:\t 999 kB\nVmHWM:\t   51200 kB\nVmRSS:\t 100 kB\n')).toBe(52_428_800);
  expect(parsePeakBytes('Name:\tkthreadd\n')).toBeNull();
});
