import { createRequire } from 'node:module';
import { z } from 'zod';
import { benchScript, readBenchScript } from './ourScript.ts';
import type { ClosedLoad, Located, Output, Reading, Subject } from './subject.ts';
import { printedVersion } from './version.ts';

const resultSchema = z.object({
  '2xx': z.int(),
  non2xx: z.int(),
  errors: z.int(),
  duration: z.number().positive(),
  latency: z.object({ p50: z.number(), p99: z.number() }),
});

const commandLine: Located = { program: process.execPath, before: [createRequire(import.meta.url).resolve('autocannon')] };
const version = (located: Located): Promise<string | null> => printedVersion(located, ['--version'], /^autocannon v?(\S+)/m);

const timedParameters = ({ connections, seconds }: ClosedLoad): string[] =>
  `--json --no-progress --connections ${connections} --duration ${seconds} --timeout 120`.split(' ');

/** The command line of autocannon, which runs on the main thread. */
export const autocannon: Subject = {
  id: 'autocannon',
  origin: { kind: 'ours', located: commandLine },
  version,
  closed: (load) => ({ parameters: [...timedParameters(load), load.url] }),
  rate: (load) => ({ parameters: [...timedParameters(load), '--overallRate', String(load.perSecond), load.url] }),
  read: readAutocannon,
};

/** autocannon in a worker thread without Holdfast's code, as Holdfast's driver uses it. It reports no percentiles there. */
export const autocannonWorker: Subject = {
  id: 'autocannon-worker',
  origin: benchScript('plainAutocannon.ts'),
  version: () => version(commandLine),
  closed: ({ url, connections, seconds }) => ({ parameters: [url, String(connections), String(seconds)] }),
  read: readBenchScript,
};

function readAutocannon({ stdout }: Output): Reading {
  const result = resultSchema.parse(JSON.parse(stdout));
  return {
    responses: result['2xx'],
    seconds: result.duration,
    // autocannon reports 0 if there are no times.
    p50Ms: result['2xx'] === 0 ? null : result.latency.p50,
    p99Ms: result['2xx'] === 0 ? null : result.latency.p99,
    note: result.errors + result.non2xx === 0 ? '' : `${result.errors} errors, ${result.non2xx} not 2xx`,
  };
}
