import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ensureBuild } from '#tools/launch/build.mjs';

const root = new URL('../../', import.meta.url).pathname;
const main = join(root, 'bench/main.ts');
const reportSchema = z.object({ struck: z.array(z.object({ place: z.string(), problems: z.array(z.string()) })) });

beforeAll(() => ensureBuild(root), 300_000);

it('Holdfast survives kills at some crash points', { timeout: 120_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'holdfast-kills-test-'));
  try {
    const only = 'command line,load thread,store migration,disk full,disk fails,suspend';
    const parameters = ['kills', '--count', '8', '--seed', '11', '--only', only, '--results', results];
    await promisify(execFile)(process.execPath, [main, ...parameters]).catch(() => {});
    const name = (await readdir(results)).find((file) => file.endsWith('.json')) ?? '';
    const { struck } = reportSchema.parse(JSON.parse(await readFile(join(results, name), 'utf8')));
    expect(struck.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(struck).toHaveLength(8);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
