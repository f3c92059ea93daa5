import { describe, expect, it } from 'vitest';
import { cpuShares, parseCpuTimes, parseTimeWait } from './procFiles.ts';

const stat = (user: number, idle: number, steal: number): string =>
  `cpu  ${user} 0 10 ${idle} 5 0 1 ${steal} 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n`;

describe("Linux' own figures", () => {
  it('of the processor are shares between two readings', () => {
    const before = parseCpuTimes(stat(100, 200, 0));
    const after = parseCpuTimes(stat(160, 230, 10));
    if (before === null || after === null) throw new Error('not parsed');
    expect(cpuShares(before, after)).toEqual({ used: 0.7, stolen: 0.1 });
    expect(cpuShares(before, before)).toBeNull();
  });

  it('of sockets tell those in TIME_WAIT', () => {
    expect(parseTimeWait('sockets: used 212\nTCP: inuse 12 orphan 0 tw 345 alloc 20 mem 3\nUDP: inuse 1\n')).toBe(345);
  });

  it('are not known when they look different', () => {
    expect(parseCpuTimes('')).toBeNull();
    expect(parseTimeWait('sockets: used 212\n')).toBeNull();
  });
});
