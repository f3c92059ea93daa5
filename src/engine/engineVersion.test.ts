import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadWorkerEntry } from '#tools/testing/threads.ts';
import { buildJob } from './testing/runLoad.ts';
import { startEngine } from './startEngine.ts';

it('startEngine reports the version of the installed autocannon', async () => {
  const manifest = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('autocannon/package.json'));
  const nothing = (): void => {};
  const job = buildJob(['http://127.0.0.1/'], { load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } });
  const sink = { onDraining: nothing, onStage: nothing, onWindow: nothing, onEvent: nothing };
  const run = startEngine(job, { workerEntry: loadWorkerEntry }, sink);
  run.stop();
  await run.done;
  expect(run.engineVersion).toBe(manifest.version);
});
