import { medianRatio } from '../figures/statistics.ts';
import type { BenchContext, PartResult } from './part.ts';
import { speedOf } from './speed.ts';

/** Those that take a certificate that nobody has signed. */
const TRUSTING = new Set(['holdfast-native', 'holdfast-app-native', 'wrk', 'ab', 'oha', 'k6', 'node-sockets']);

/** Requests per second over HTTP/1.1 and TLS on connections that stay open: what encryption itself costs. */
export function https(context: BenchContext): Promise<PartResult> {
  return speedOf(context, {
    part: 'https',
    title: 'Speed over TLS (HTTP/1.1)',
    tls: true,
    found: context.found.filter(({ subject }) => TRUSTING.has(subject.id)),
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
