import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';

const main = new URL('main.ts', import.meta.url).pathname;

const resultSchema = z.object({
  parts: z.array(z.object({ part: z.string(), data: z.array(z.object({ tracks: z.array(z.unknown()) })) })),
});

it('the bench measures real generators, and writes a table and its data', { timeout: 60_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'holdfast-bench-test-'));
  try {
    const parameters = [main, 'times', '--subjects', 'holdfast-native,autocannon', '--rounds', '1', '--seconds', '1', '--connections', '5'];
    // On a busy machine, a requirement may not be met. The exit code is then 1.
    const { stdout } = await promisify(execFile)(process.execPath, [...parameters, '--delays', 'fixed:20', '--results', results]).catch(
      (error: { code?: unknown; stdout?: string }) => {
        if (error.code !== 1) throw error;
        return { stdout: error.stdout ?? '' };
      },
    );
    expect(stdout).toMatch(/^\| holdfast-native \| \d+\.\d\d \| \d+\.\d\d \|/m);
    expect(stdout).toMatch(/^\| autocannon \| \d+\.\d\d \| \d+\.\d\d \|/m);
    expect(stdout).toContain("p50 of holdfast-native off the server's log");
    const files = await readdir(results);
    expect(files.map((name) => name.replace(/.*\./, '')).sort()).toEqual(['json', 'md']);
    const [json = '', markdown = ''] = await Promise.all(files.sort().map((name) => readFile(join(results, name), 'utf8')));
    expect(markdown.trim()).toBe(stdout.trim());
    expect(resultSchema.parse(JSON.parse(json)).parts).toMatchObject([{ part: 'times', data: [{ tracks: [{}, {}] }] }]);
  } finally {
    await rm(results, { recursive: true });
  }
});
