import { agreeToEverything } from '#backend/testing/agreeing.ts';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackend } from '#backend/index.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { Reading } from '../subjects/subject.ts';

/*
 * A whole run of the app: engine, store, and a live view that is watched. The argument is the path of a plan in JSON. Prints a reading.
 * The run's data stays in the temporary folder, which the caller removes.
 */

const plan = planSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const fileAt = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
const backend = await startBackend({
  dataDirectory,
  workerEntry: fileAt('workers/loadWorker.ts'),
  resultEntry: fileAt('src/backend/results/thread.ts'),
  labEntry: fileAt('src/lab/main.ts'),
  selfTestEntry: fileAt('src/selftest/main.ts'),
  agentFile: fileAt('dist/agent/holdfast-agent.mjs'),
  presetsDirectory: fileAt('presets/').pathname,
  version: 'bench',
});
const client = agreeToEverything(backend.client());
const { runId } = await client.call('runs.start', { plan });
let views = 0;
await new Promise<void>((resolve) => {
  client.open('runs.watch', { runId }, { onItem: () => (views += 1), onEnd: () => resolve() });
});
const { run, outcomes, balances, latency, stages } = await client.call('runs.result', { runId });
if (run.endedBecause !== null) throw new Error(run.endedBecause.text);
const { p50, p99 } = latency.service;
const seconds = stages[0]?.endedAtSecond ?? 0;
const { ok, ...otherOutcomes } = outcomes.requests;
const failures = Object.entries(otherOutcomes).filter(([kind, count]) => kind !== 'sent' && count > 0);
const reading: Reading = {
  responses: ok,
  seconds,
  p50Ms: typeof p50 === 'number' ? p50 : null,
  p99Ms: typeof p99 === 'number' ? p99 : null,
  note: [
    balances ? '' : 'the outcomes do not balance',
    views >= Math.floor(seconds) ? '' : 'the live view was not fed',
    ...failures.map(([kind, count]) => `${count} ${kind}`),
  ]
    .filter((note) => note !== '')
    .join(', '),
};
client.close();
await backend.close();
console.log(JSON.stringify(reading));
process.exit(0);
