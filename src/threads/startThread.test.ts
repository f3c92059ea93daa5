import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** How often chance is tried; HOLDFAST_REPETITIONS=20 for a thorough proof. */
const REPETITIONS = Number(process.env['HOLDFAST_REPETITIONS'] ?? 4);
const run = promisify(execFile);
const file = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Unpacks without a pause until it is ended. */
const THREAD = `
import { gzipSync } from 'node:zlib';
import { parentPort } from 'node:worker_threads';
import { threadData } from ${file('./startThread.ts')};
import { gunzipSync } from ${file('./zlib.ts')};
const packed = gzipSync(threadData());
parentPort.postMessage('busy');
for (;;) gunzipSync(packed);`;

/** A process of its own: what goes wrong here ends the whole process. */
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

/** Ends before its threads are gone; says for how long that was held up. */
const LEAVES = `${PROCESS}
const threads = await Promise.all(Array.from({ length: 4 }, busyThread));
process.once('exit', () => process.stdout.write(String(performance.now() - leftMs)));
let leftMs = 0;
for (const thread of threads) void thread.terminate();
await delay(2);
leftMs = performance.now();
process.exit(0);`;

describe('a thread that is ended while it unpacks', { timeout: 180_000 }, () => {
  it('takes nothing else with it when it is terminated', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', TERMINATES]);
    expect(stdout).toBe('every thread ended\n');
  });

  it('lets the process end as it wanted to', async () => {
    for (let round = 0; round < REPETITIONS; round += 1)
      await expect(run(process.execPath, ['--input-type=module', '-e', EXITS])).rejects.toMatchObject({ code: 7, signal: null });
  });

  it('does not hold up the end of the process where it is being terminated already', async () => {
    for (let round = 0; round < REPETITIONS / 2; round += 1) {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', LEAVES]);
      expect(Number(stdout), 'a lock that is never given back is waited for 5 s').toBeLessThan(4_000);
    }
  });
});
