import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MACHINE_END_LINE } from '#core/machines/monitors/machine/script.ts';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { MonitorShell } from './openMachine.ts';

const END = `${MACHINE_END_LINE}\n`;

function shellOfStreams(maxMs?: number) {
  const pipes = { input: new PassThrough(), output: new PassThrough(), close() {} };
  return { pipes, shell: new MonitorShell('web1', pipes, maxMs) };
}

describe('AskedShell', () => {
  it('gives each of several questions its own response when all arrive in one chunk', async () => {
    const { pipes, shell } = shellOfStreams();
    const responses = Promise.all([shell.ask('p'), shell.ask('s'), shell.ask('r')]);
    pipes.output.write(`link lo\n${END}sockets\n${END}MemTotal: 1 kB\n${END}`);
    expect((await responses).map(({ text }) => text)).toEqual(['link lo\n', 'sockets\n', 'MemTotal: 1 kB\n']);
  });

  it('finds the responses wherever chunks begin and end', async () => {
    const line = fc.constantFrom('cpu 1 2 3', 'ä€', 'holdfast', 'holdfast end?', ` ${MACHINE_END_LINE}`, '');
    const texts = fc.array(fc.array(line, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(200), { maxLength: 12 }), async (responses, cuts) => {
        const { pipes, shell } = shellOfStreams();
        const writtenTexts = responses.map((lines) => lines.map((text) => `${text}\n`).join(''));
        const asked = Promise.all(writtenTexts.map(() => shell.ask('r')));
        const bytes = Buffer.from(writtenTexts.map((text) => text + END).join(''));
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].toSorted((one, other) => one - other);
        for (const [number, from] of edges.slice(0, -1).entries()) pipes.output.write(bytes.subarray(from, edges[number + 1]));
        expect((await asked).map(({ text }) => text)).toEqual(writtenTexts);
      }),
      { numRuns: 200 },
    );
  });

  it('reads a long list of sockets in linear time, however small its chunks', () => {
    const sendReply = (pieces: number): void => {
      const { pipes, shell } = shellOfStreams();
      void shell.ask('s').catch(() => {});
      for (let piece = 0; piece < pieces; piece += 1) pipes.output.emit('data', Buffer.from(`${'tcp '.repeat(100)}\n`));
      shell.close();
    };
    expect(measureGrowth(sendReply, 3_000)).toBeLessThan(MAX_GROWTH);
  });

  it('accepts a response that arrived in time while the event loop was blocked', async () => {
    const responded = join(temporaryDirectory(), 'responded');
    const child = spawn('sh', ['-c', `read ask; echo cpu; echo '${MACHINE_END_LINE}'; : >'${responded}'; sleep 60`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(child, 'spawn');
    const maxMs = 200;
    const shell = new MonitorShell('web1', { input: child.stdin, output: child.stdout, close: () => void child.kill('SIGKILL') }, maxMs);
    const response = shell.ask('r');
    // The question must be sent before the event loop is blocked.
    await new Promise((resolve) => setImmediate(resolve));
    const sinceMs = performance.now();
    while (!existsSync(responded) || performance.now() - sinceMs < 2 * maxMs);
    expect((await response).text).toBe('cpu\n');
    shell.close();
  });

  it('measures the time of each question from the start of its turn, and names a question without a response', async () => {
    const maxMs = 400;
    const { pipes, shell } = shellOfStreams(maxMs);
    const reading = shell.ask('r');
    const list = shell.ask('s');
    const problem = list.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const sinceMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, maxMs / 2));
    pipes.output.write(END);
    await reading;
    expect(await problem).toMatchObject({ code: 'MONITOR_SILENT', message: expect.stringContaining('list its sockets') });
    // The time limit begins when the previous question got its response.
    expect(performance.now() - sinceMs).toBeGreaterThan(1.4 * maxMs);
  });
});
