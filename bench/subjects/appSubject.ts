import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackend } from '#backend/index.ts';
import { planSchema } from '#core/plan/schema.ts';
import type { SubjectResult } from '../subject.ts';

/** A whole run as the app makes it: engine, store, and a live view that is watched. Arguments: url, connections, seconds. */
const [url = '', connections = '', seconds = ''] = process.argv.slice(2);
const plan = planSchema.parse({
  holdfast: 1,
  name: 'bench',
  targets: [{ url }],
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: Number(connections), seconds: Number(seconds) }] },
});
const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const backend = await startBackend({
  dataDirectory,
  workerEntry: at('workers/loadWorker.ts'),
  labEntry: at('src/lab/main.ts'),
  selfTestEntry: at('src/selftest/main.ts'),
  presetsDirectory: at('presets/').pathname,
  version: 'bench',
});
const client = backend.client();
const { runId } = await client.call('runs.start', { plan });
let views = 0;
await new Promise<void>((resolve) => {
  client.open('runs.watch', { runId }, { onItem: () => (views += 1), onEnd: () => resolve() });
});
const { ledger, balances, latency, stages } = await client.call('runs.result', { runId });
const { p50, p99 } = latency.service;
const result: SubjectResult = {
  answers: ledger.requests.ok,
  seconds: stages[0]?.endedAtSecond ?? 0,
  p50Ms: typeof p50 === 'number' ? p50 : null,
  p99Ms: typeof p99 === 'number' ? p99 : null,
  note: [balances ? '' : 'the ledger does not balance', views >= Number(seconds) ? '' : 'the live view was not fed'].join(' ').trim(),
};
client.close();
await backend.close();
await rm(dataDirectory, { recursive: true });
console.log(JSON.stringify(result));
process.exit(0);
