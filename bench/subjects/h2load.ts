import type { ClosedLoad, Output, Reading, Subject } from './subject.ts';
import { countMilliseconds, numberIn } from './units.ts';
import { printedVersion } from './version.ts';

const timedParameters = ({ connections, seconds }: ClosedLoad): string[] => `-t 1 -c ${connections} -D ${seconds}`.split(' ');

/** h2load from nghttp2, for HTTP/2 and, on request, for HTTP/1.1. It can limit only the rate of connections, and reports no percentiles. */
export const h2load: Subject = {
  id: 'h2load',
  origin: { kind: 'path', program: 'h2load', install: 'apt-get install nghttp2-client' },
  version: (located) => printedVersion(located, ['--version'], /nghttp2\/(\S+)/m),
  closed: (load) => ({ parameters: ['--h1', ...timedParameters(load), load.url] }),
  http2: (load) => ({ parameters: [...timedParameters(load), '-m', String(load.streams), load.url] }),
  read: readH2load,
};

function readH2load({ stdout }: Output): Reading {
  const [, elapsed = ''] = /^finished in ([\d.]+\p{L}+),/mu.exec(stdout) ?? [];
  const failed = numberIn(stdout, /^requests: .* (\d+) failed,/m);
  const notGood = numberIn(stdout, /^status codes: \d+ 2xx, (?:\d+ 3xx, )(\d+) 4xx/m) + numberIn(stdout, /(\d+) 5xx$/m);
  const notes = [failed === 0 ? '' : `${failed} failed`, notGood === 0 ? '' : `${notGood} of status 4xx or 5xx`];
  return {
    responses: numberIn(stdout, /^status codes: (\d+) 2xx,/m),
    seconds: countMilliseconds(elapsed) / 1_000,
    p50Ms: null,
    p99Ms: null,
    note: notes.filter((note) => note !== '').join(', '),
  };
}
