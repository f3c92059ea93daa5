import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const file = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Unpacks without a pause until it is terminated. */
const THREAD = `
import { gzipSync } from 'node:zlib';
import { parentPort, workerData } from 'node:worker_threads';
import { holdTerminationBy } from ${file('./terminationLock.ts')};
import { unpack } from ${file('./unpack.ts')};
holdTerminationBy(workerData);
const packed = gzipSync('a page');
parentPort.postMessage('busy');
for (;;) unpack(packed, 'gzip', 100);`;

/** A process of its own: what goes wrong here ends the whole process. */
const ENGINE = `
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newTerminationLock, takeForGood } from ${file('./terminationLock.ts')};
const thread = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(THREAD)}));
for (let round = 0; round < 40; round += 1) {
  const lock = newTerminationLock();
  const worker = new Worker(thread, { workerData: lock });
  await once(worker, 'message');
  await delay(Math.random() * 3);
  await takeForGood(lock);
  await worker.terminate();
}
console.log('every thread ended');`;

describe('a thread that is terminated while it unpacks', () => {
  it('takes nothing else with it', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', ENGINE]);
    expect(stdout).toBe('every thread ended\n');
  });
});
