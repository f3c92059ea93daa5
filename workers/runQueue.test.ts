import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { parseRunDelayUs, RunQueue } from './threadHealth.ts';

describe('RunQueue', () => {
  it("parses the kernel's schedstat", () => {
    expect(parseRunDelayUs('1234567 9876000 42\n')).toBe(9_876);
    expect(parseRunDelayUs('')).toBeNull();
    expect(parseRunDelayUs('something else')).toBeNull();
  });

  it.runIf(process.platform === 'linux')('reports a growing time of the calling thread only', async () => {
    const queue = new RunQueue();
    const before = queue.waitedUs() ?? Number.NaN;
    const worker = new Worker(
      `const { RunQueue } = await import(${JSON.stringify(new URL('./threadHealth.ts', import.meta.url).href)});
       const { parentPort } = await import('node:worker_threads');
       parentPort.postMessage(new RunQueue().waitedUs());`,
      { eval: true, execArgv: ['--input-type=module'] },
    );
    const [fresh] = await once(worker, 'message');
    const after = queue.waitedUs() ?? Number.NaN;
    queue.close();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(fresh).not.toBe(after);
  });
});
