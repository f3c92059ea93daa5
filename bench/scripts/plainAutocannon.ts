// oxlint-disable-next-line triple-slash-reference -- the declarations are a script: there is no module to import
/// <reference path="../../workers/drivers/autocannon/autocannon.d.ts" />
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { Reading } from '../subjects/subject.ts';

// Runs plain autocannon in a worker thread, without Holdfast's code. Arguments: url, connections, seconds.

const load = z.strictObject({ url: z.string(), connections: z.number(), duration: z.number() });
/** In a worker thread, autocannon reports only sums. Its percentiles are encoded, so they are not compared. */
const outcome = z.looseObject({ totalCompletedRequests: z.number(), duration: z.number() });

if (isMainThread) {
  const [url = '', connections = '', seconds = ''] = process.argv.slice(2);
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, connections: Number(connections), duration: Number(seconds) } });
  worker.on('message', (message: unknown) => {
    const { totalCompletedRequests, duration } = outcome.parse(message);
    const result: Reading = { responses: totalCompletedRequests, seconds: duration, p50Ms: null, p99Ms: null, note: '' };
    console.log(JSON.stringify(result));
  });
} else {
  const { default: autocannon } = await import('autocannon');
  const options = {
    ...load.parse(workerData),
    pipelining: 1 as const,
    timeout: 10,
    sampleInt: 1_000,
    setupClient: () => {},
    skipAggregateResult: false,
  };
  autocannon(options, (...[, result]: unknown[]) => parentPort?.postMessage(JSON.parse(JSON.stringify(result))));
}
