import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildJob, runLoad } from './testing/runLoad.ts';

/** A thread that receives all messages and sends none. */
const SILENT = new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});`);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] }));
afterEach(() => void vi.useRealTimers());

it.each([
  ['of the whole load', {}],
  ['of one of several load generators', { part: { generator: 0, generators: 2, threads: 1 } }],
])('startEngine ends the run if a thread does not become ready, and reports the thread as the reason: %s', async (_, more) => {
  const job = {
    ...buildJob(['http://127.0.0.1:9/'], { threads: 1, load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }),
    ...more,
  };
  const running = runLoad(job, () => {}, SILENT);
  vi.advanceTimersByTime(130_000);
  const { end } = await running;
  expect(end).toMatchObject({ reason: 'failed', problem: { code: 'WORKER_SILENT', message: expect.stringContaining('120 s') } });
});
