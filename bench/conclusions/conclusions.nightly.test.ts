import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';

const main = new URL('../main.ts', import.meta.url).pathname;

const reportSchema = z.object({
  seed: z.literal(4),
  results: z.tuple([
    z.object({
      kind: z.literal('healthy'),
      failed: z.tuple([]),
      data: z.object({ runs: z.tuple([z.object({ kind: z.literal('static'), requests: z.int().min(1), balances: z.literal(true) })]) }),
    }),
  ]),
});

it('the campaign asks the app about a real server and writes its results', { timeout: 180_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'holdfast-conclusions-test-'));
  try {
    const parameters = [main, 'conclusions', 'healthy', '--runs', '1', '--seed', '4', '--cores', 'free', '--results', results];
    // A busy generator fails a requirement, which gives exit code 1, so this is accepted here.
    const { stdout } = await promisify(execFile)(process.execPath, parameters).catch((error: { code?: unknown; stdout?: string }) => {
      if (error.code !== 1) throw error;
      return { stdout: error.stdout ?? '' };
    });
    expect(stdout).toMatch(/^\| static files, 1 to 500 users \| 1 \| \d+ \|/m);
    expect(stdout).toContain('| healthy runs made | 1 | ≥ 1 |');
    const files = (await readdir(results)).toSorted();
    expect(files.map((name) => name.replace(/-.*\./, '-*.'))).toEqual(['conclusions-*.json', 'conclusions-*.md']);
    const [json = '', markdown = ''] = await Promise.all(files.map((name) => readFile(join(results, name), 'utf8')));
    expect(markdown.trim()).toBe(stdout.trim());
    expect(reportSchema.parse(JSON.parse(json)).results).toHaveLength(1);
  } finally {
    await rm(results, { recursive: true });
  }
});
