import { describe, expect, it } from 'vitest';
import { cpuShares, parseCpuTimes, parseSocketsInUse, parseSocketStates, parseTimeWait } from './procFiles.ts';

const stat = (user: number, idle: number, steal: number): string =>
  `cpu  ${user} 0 10 ${idle} 5 0 1 ${steal} 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n`;

describe('figures of Linux', () => {
  it('cpuShares returns the shares between two readings', () => {
    const before = parseCpuTimes(stat(100, 200, 0));
    const after = parseCpuTimes(stat(160, 230, 10));
    if (before === null || after === null) throw new Error('not parsed');
    expect(cpuShares(before, after)).toEqual({ used: 0.7, stolen: 0.1 });
    expect(cpuShares(before, before)).toBeNull();
  });

  it('parseTimeWait returns the number of sockets in TIME_WAIT', () => {
    expect(parseTimeWait('sockets: used 212\nTCP: inuse 12 orphan 0 tw 345 alloc 20 mem 3\nUDP: inuse 1\n')).toBe(345);
  });

  it('parseSocketStates counts sockets by state', () => {
    const line = (number: number, state: string): string =>
      `   ${number}: 0100007F:1F90 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n`;
    const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
    expect(parseSocketStates([head + line(0, '0A') + line(1, '01'), head + line(10, '01') + line(11, '06')])).toEqual({
      listen: 1,
      established: 2,
      timeWait: 1,
    });
    expect(parseSocketsInUse('sockets: used 212\nTCP: inuse 12 orphan 0 tw 345 alloc 20 mem 3\n')).toBe(357);
  });

  it('are null if the format is unknown', () => {
    expect(parseCpuTimes('')).toBeNull();
    expect(parseTimeWait('sockets: used 212\n')).toBeNull();
    expect(parseSocketsInUse('sockets: used 212\n')).toBeNull();
  });
});
