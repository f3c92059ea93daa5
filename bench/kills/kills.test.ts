import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ensureBuild } from '#tools/launch/build.mjs';
import { parseKillsOptions } from './options.ts';
import { isRecovered, markdownOf, type Struck } from './report.ts';

const root = new URL('../../', import.meta.url).pathname;
const main = join(root, 'bench/main.ts');
const reportSchema = z.object({ struck: z.array(z.object({ place: z.string(), problems: z.array(z.string()) })) });

describe('kills', () => {
  beforeAll(() => ensureBuild(root), 300_000);

  it('are survived at each of some places', { timeout: 120_000 }, async () => {
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

  it('that were not survived are told one by one', () => {
    const good: Struck = { place: 'a', where: 'x', trial: 1, lostSeconds: 0.5, outOfBalance: 0, leftOver: 0, problems: [] };
    const bad: Struck = { ...good, trial: 2, lostSeconds: 3, leftOver: 1, problems: ['still there: node'] };
    const text = markdownOf({ startedAt: '2026-01-01', seed: 7, struck: [good, bad], missing: [{ place: 'b', why: 'No sshd.' }] });
    expect(text).toContain('1 of 2 recovered. Seed 7.');
    expect(text).toContain('| a | x | 2 | 1 | 3.0 | 0 | 1 |');
    expect(text).toContain('Trial 2, a, x: still there: node');
    expect(text).toContain('Not tried: b. No sshd.');
    expect([good, bad].map(isRecovered)).toEqual([true, false]);
  });

  it('are asked for with every mistake at once', () => {
    expect(parseKillsOptions(['--count', '5', '--only', 'a'], ['a', 'b'])).toMatchObject({ count: 5, only: ['a'], seed: null });
    expect(() => parseKillsOptions(['--count', '0', '--only', 'c'], ['a', 'b'])).toThrow(/--only c[^]*--count 0/);
  });
});
