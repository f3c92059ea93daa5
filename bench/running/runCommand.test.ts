import { describe, expect, it } from 'vitest';
import { lastWords, runCommand } from './runCommand.ts';

const limits = { core: null, timeoutSeconds: 15, signal: new AbortController().signal };
const node = (source: string): { program: string; parameters: string[] } => ({ program: process.execPath, parameters: ['-e', source] });
/** Returns a script that uses this much processor time, however busy the machine is. */
const burnScript = (ms: number): string =>
  `for (let used = 0; used < ${ms} * 1000; ) { const { user, system } = process.cpuUsage(); used = user + system; }`;

describe('runCommand', () => {
  it('counts the CPU time of the program and of its other threads', async () => {
    const idle = await runCommand(node('setTimeout(() => {}, 400)'), limits);
    const busy = await runCommand(node(burnScript(600)), limits);
    const worker = `new (require('node:worker_threads').Worker)(${JSON.stringify(burnScript(600))}, { eval: true })`;
    const threaded = await runCommand(node(worker), limits);
    expect(busy.cpuSeconds).toBeGreaterThanOrEqual(0.59);
    expect(threaded.cpuSeconds).toBeGreaterThanOrEqual(0.59);
    expect(idle.cpuSeconds).toBeLessThan(0.5);
  });

  it('reports the peak of memory, even if it was freed since', async () => {
    const holdScript = (bytes: number): string =>
      `let all = Buffer.alloc(${bytes}, 1); setTimeout(() => { all = null; gc(); setTimeout(() => {}, 300); }, 300)`;
    const measurePeak = async (bytes: number): Promise<number> => {
      const { program, parameters } = node(holdScript(bytes));
      return (await runCommand({ program, parameters: ['--expose-gc', ...parameters] }, limits)).peakBytes ?? 0;
    };
    const difference = (await measurePeak(200e6)) - (await measurePeak(0));
    expect(difference).toBeGreaterThan(150e6);
    expect(difference).toBeLessThan(250e6);
  });

  it('reports the error of a program that failed', async () => {
    await expect(runCommand(node('throw new TypeError("no such host")'), limits)).rejects.toThrow('TypeError: no such host');
    await expect(runCommand({ program: '/no/such/program', parameters: [] }, limits)).rejects.toThrow('ENOENT');
    await expect(runCommand(node('process.exit(3)'), limits)).rejects.toThrow('code 3');
  });

  it('ends a program at the time limit', async () => {
    await expect(runCommand(node('setInterval(() => {}, 1000)'), { ...limits, timeoutSeconds: 1 })).rejects.toThrow(
      'had not ended after 1 s',
    );
  });

  it('ends the program when the bench is stopped', async () => {
    const stopping = new AbortController();
    const running = runCommand(node('setInterval(() => {}, 1000)'), { ...limits, signal: stopping.signal });
    stopping.abort();
    await expect(running).rejects.toThrow('abort');
  });
});

it('lastWords returns the line with an error, or the last line if there is no error', () => {
  expect(lastWords('throw new Error(text)\n\nTypeError: no\n  at x', '')).toBe('TypeError: no');
  expect(lastWords('', 'first\nlast\n')).toBe('last');
  expect(lastWords('', '')).toBeNull();
});
