import { z } from 'zod';
import type { ClosedLoad, Invocation, Output, Reading, Subject } from './subject.ts';
import { printedVersion } from './version.ts';

/** The result that the script below prints when it ends. */
const resultSchema = z.object({
  requests: z.int(),
  seconds: z.number().positive(),
  failedShare: z.number(),
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  dropped: z.int(),
});

const SCRIPT = 'script.js';

/**
 * Returns a script with as little work for k6 as possible: bodies are discarded, and there are no checks and no pauses. If there are
 * streams, each user sends this many requests at once and waits for all responses.
 */
function script(url: string, scenario: object, streams: number): string {
  const options = {
    scenarios: { bench: { gracefulStop: '0s', ...scenario } },
    discardResponseBodies: true,
    insecureSkipTLSVerify: true,
    batchPerHost: streams,
    summaryTrendStats: ['p(50)', 'p(99)'],
    systemTags: ['status'],
  };
  const address = JSON.stringify(url);
  const send = streams === 1 ? `http.get(${address})` : `http.batch(Array(${streams}).fill(${address}))`;
  return `import http from 'k6/http';
export const options = ${JSON.stringify(options)};
export default function () { ${send}; }
export function handleSummary({ metrics, state }) {
  const value = (metric, key, otherwise) => (metrics[metric] === undefined ? otherwise : metrics[metric].values[key]);
  const result = {
    requests: value('http_reqs', 'count', 0),
    seconds: state.testRunDurationMs / 1000,
    failedShare: value('http_req_failed', 'rate', 0),
    p50Ms: value('http_req_duration', 'p(50)', null),
    p99Ms: value('http_req_duration', 'p(99)', null),
    dropped: value('dropped_iterations', 'count', 0),
  };
  return { stdout: JSON.stringify(result) };
}
`;
}

/** Runs k6 without its usage report over the internet, and without the server that k6 starts. */
function run({ url }: ClosedLoad, folder: string, scenario: object, streams = 1): Invocation {
  return {
    parameters: ['run', '--quiet', '--no-usage-report', '--address', '', `${folder}/${SCRIPT}`],
    files: { [SCRIPT]: script(url, scenario, streams) },
  };
}

const constant = ({ connections, seconds }: ClosedLoad): object => ({
  executor: 'constant-vus',
  vus: connections,
  duration: `${seconds}s`,
});

export const k6: Subject = {
  id: 'k6',
  origin: { kind: 'path', program: 'k6', install: 'go install go.k6.io/k6@latest' },
  version: (located) => printedVersion(located, ['version'], /^k6 v?(\S+)/m),
  closed: (load, folder) => run(load, folder, constant(load)),
  http2: (load, folder) => run(load, folder, constant(load), load.streams),
  http2NeedsTls: true,
  rate: (load, folder) =>
    run(load, folder, {
      executor: 'constant-arrival-rate',
      rate: load.perSecond,
      timeUnit: '1s',
      duration: `${load.seconds}s`,
      preAllocatedVUs: load.connections,
      maxVUs: load.connections,
    }),
  read: readK6,
};

function readK6({ stdout }: Output): Reading {
  const { requests, seconds, failedShare, p50Ms, p99Ms, dropped } = resultSchema.parse(JSON.parse(stdout));
  const failed = Math.round(requests * failedShare);
  const notes = [failed === 0 ? '' : `${failed} failed`, dropped === 0 ? '' : `${dropped} never started`];
  return { responses: requests - failed, seconds, p50Ms, p99Ms, note: notes.filter((note) => note !== '').join(', ') };
}
