import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Number of attempts to provoke the race. HOLDFAST_REPETITIONS=20 makes the test thorough. */
const REPETITIONS = Number(process.env['HOLDFAST_REPETITIONS'] ?? 4);
const run = promisify(execFile);
const file = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Decompresses without a pause until it is ended. */
const THREAD = `
import { gzipSync } from 'node:zlib';
import { parentPort } from 'node:worker_threads';
import { threadData } from ${file('./startThread.ts')};
import { gunzipSync } from ${file('./zlib.ts')};
const packed = gzipSync(threadData());
parentPort.postMessage('busy');
for (;;) gunzipSync(packed);`;

/** Starts such a thread. It runs in a separate process, because a failure aborts the whole process. */
const PROCESS = `
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { startThread } from ${file('./startThread.ts')};
const entry = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(THREAD)}));
async function busyThread() {
  const thread = startThread(entry, 'busy', 'a page');
  await once(thread.worker, 'message');
  await delay(Math.random() * 3);
  return thread;
}`;

const TERMINATES = `${PROCESS}
for (let round = 0; round < ${3 * REPETITIONS}; round += 1) await (await busyThread()).terminate();
console.log('every thread ended');`;

const EXITS = `${PROCESS}
await Promise.all(Array.from({ length: 4 }, busyThread));
process.exit(7);`;

/** Exits before its threads have ended, and prints for how long this was delayed. */
const LEAVES = `${PROCESS}
const threads = await Promise.all(Array.from({ length: 4 }, busyThread));
process.once('exit', () => process.stdout.write(String(performance.now() - leftMs)));
let leftMs = 0;
for (const thread of threads) void thread.terminate();
await delay(2);
leftMs = performance.now();
process.exit(0);`;

describe('a thread that is ended while it decompresses', { timeout: 180_000 }, () => {
  it('does not abort the process when it is terminated', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', TERMINATES]);
    expect(stdout).toBe('every thread ended\n');
  });

  it('keeps the exit code of the process', async () => {
    for (let round = 0; round < REPETITIONS; round += 1)
      await expect(run(process.execPath, ['--input-type=module', '-e', EXITS])).rejects.toMatchObject({ code: 7, signal: null });
  });

  it('does not delay the exit of the process while it is being terminated', async () => {
    for (let round = 0; round < REPETITIONS / 2; round += 1) {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', LEAVES]);
      expect(Number(stdout), 'a lock that is never given back is waited for 5 s').toBeLessThan(4_000);
    }
  });
});
