import { z } from 'zod';
import type { ClosedLoad, Output, Reading, Subject } from './subject.ts';
import { printedVersion } from './version.ts';

const resultSchema = z.object({
  summary: z.object({ total: z.number().positive() }),
  latencyPercentiles: z.object({ p50: z.number().nullable(), p99: z.number().nullable() }),
  statusCodeDistribution: z.record(z.string(), z.int()),
  errorDistribution: z.record(z.string(), z.int()),
});

/**
 * The name of the error that oha counts for requests in flight at the end. Other tools do not count these requests, and neither does the
 * note.
 */
const DEADLINE_ERROR = 'aborted due to deadline';

const timedParameters = ({ connections, seconds }: ClosedLoad): string[] =>
  `--no-tui --output-format json --insecure -c ${connections} -z ${seconds}s -t 120s`.split(' ');

export const oha: Subject = {
  id: 'oha',
  origin: { kind: 'path', program: 'oha', install: 'cargo install oha --locked' },
  version: (located) => printedVersion(located, ['--version'], /^oha (\S+)/m),
  closed: (load) => ({ parameters: [...timedParameters(load), load.url] }),
  http2: (load) => ({ parameters: [...timedParameters(load), '--http2', '-p', String(load.streams), load.url] }),
  rate: (load) => ({ parameters: [...timedParameters(load), '-q', String(load.perSecond), load.url] }),
  read: readOha,
};

function readOha({ stdout }: Output): Reading {
  const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution } = resultSchema.parse(JSON.parse(stdout));
  const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
  const statuses = Object.entries(statusCodeDistribution);
  const notGood = statuses.filter(([status]) => !status.startsWith('2')).map(([status, count]) => `${count} of status ${status}`);
  const errors = Object.entries(errorDistribution)
    .filter(([error]) => error !== DEADLINE_ERROR)
    .map(([error, count]) => `${count} ${error}`);
  return {
    responses: statuses.reduce((total, [status, count]) => total + (status.startsWith('2') ? count : 0), 0),
    seconds: summary.total,
    p50Ms: milliseconds(latencyPercentiles.p50),
    p99Ms: milliseconds(latencyPercentiles.p99),
    note: [...notGood, ...errors].join(', '),
  };
}
