import { medianRatio } from '../figures/statistics.ts';
import type { BenchContext, PartResult } from './part.ts';
import { readSpeed } from './speed.ts';

/** Ids of the subjects that accept a self-signed certificate. */
const SELF_SIGNED_SUBJECTS = new Set(['holdfast-native', 'holdfast-app-native', 'wrk', 'ab', 'oha', 'k6', 'node-sockets']);

/** Measures requests per second over HTTP/1.1 and TLS on connections that are kept alive, which shows what encryption costs. */
export function https(context: BenchContext): Promise<PartResult> {
  return readSpeed(context, {
    part: 'https',
    title: 'Speed over TLS (HTTP/1.1)',
    tls: true,
    found: context.found.filter(({ subject }) => SELF_SIGNED_SUBJECTS.has(subject.id)),
    requirements: (rates) => [
      {
        what: 'requests/s over TLS, holdfast-native ÷ wrk',
        value: medianRatio(rates('holdfast-native'), rates('wrk')),
        unit: '',
        limit: { kind: 'atLeast', value: 0.85 },
        aim: 0.95,
      },
    ],
  });
}
