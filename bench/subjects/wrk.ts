import type { Output, Reading, Subject } from './subject.ts';
import { countMilliseconds, numberIn, scaledIn } from './units.ts';
import { printedVersion } from './version.ts';

/** wrk with one thread. wrk has no option for a rate. */
export const wrk: Subject = {
  id: 'wrk',
  origin: { kind: 'path', program: 'wrk', install: 'apt-get install wrk' },
  version: (located) => printedVersion(located, ['-v'], /^wrk (\S+)/m),
  closed: ({ url, connections, seconds }) => ({
    parameters: ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '120s', '--latency', url],
  }),
  read: readWrk,
};

function readWrk({ stdout }: Output): Reading {
  const [, elapsed = ''] = /^\s*\d+ requests in ([\d.]+\p{L}+),/mu.exec(stdout) ?? [];
  const percentile = (share: string): number | null => {
    const [, time] = new RegExp(`^\\s*${share}%\\s+([\\d.]+\\p{L}+)`, 'mu').exec(stdout) ?? [];
    return time === undefined ? null : countMilliseconds(time);
  };
  const problems = [/^\s*(Socket errors: .*)$/m, /^\s*(Non-2xx .*)$/m].flatMap((pattern) => pattern.exec(stdout)?.[1]?.trim() ?? []);
  return {
    responses: numberIn(stdout, /^\s*(\d+) requests in /m) - (scaledIn(stdout, /^\s*Non-2xx .*: (\d+)$/m, 1) ?? 0),
    seconds: countMilliseconds(elapsed) / 1_000,
    p50Ms: percentile('50'),
    p99Ms: percentile('99'),
    note: problems.join(', '),
  };
}
