import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { resultSchema } from '#core/result/schema.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';
import { runsText } from './runs.ts';

const listSchema = z.strictObject({ runs: z.array(z.looseObject({ id: z.string(), state: z.string(), startedAt: z.string() })) });

async function makeRuns(cli: Harness, count: number): Promise<string[]> {
  const target = await startTarget();
  const ids: string[] = [];
  for (let run = 0; run < count; run += 1) {
    const { out } = await cli.run('quick', target.url, '-c', '1', '-n', '10', '--json', '-');
    ids.push(resultSchema.parse(JSON.parse(out)).run.id);
  }
  return ids;
}

describe('runs and show', () => {
  it('list runs, newest first, and show each', async () => {
    const cli = await startHarness();
    const [first = '', second = ''] = await makeRuns(cli, 2);
    const { runs } = listSchema.parse(JSON.parse((await cli.run('runs', '--json')).out));
    expect(runs.map(({ id, state }) => [id, state])).toEqual([
      [second, 'finished'],
      [first, 'finished'],
    ]);
    const text = await cli.run('runs');
    expect(text.out.split('\n')[0]).toContain(second);
    const showRun = async (...args: string[]): Promise<string> => (await cli.run('show', ...args)).out;
    expect(resultSchema.parse(JSON.parse(await showRun('last', '--json'))).run.id).toBe(second);
    expect(resultSchema.parse(JSON.parse(await showRun(first, '--json'))).run.id).toBe(first);
    expect(await showRun(first, '--format', 'ab')).toMatch(/^Complete requests: +10$/m);
    expect(await showRun(first, '--format', 'jmeter')).toMatch(/^TOTAL +10 .* 0\.00% /m);
    expect(await showRun(first)).toContain('10');
    const missing = await cli.run('show', 'no-such-run');
    expect([missing.code, missing.out]).toEqual([1, '']);
    expect(missing.err).toContain('holdfast runs');
  });

  it('show the verdict, or the state if there is no verdict', () => {
    const row = { id: 'r', name: 'n', startedAt: '2026-01-01T00:00:00Z', requests: 1, completedPerSecond: 1, target: 'http://a/' };
    const words = (['passed', 'failed', 'inconclusive', 'measured'] as const).map((outcome) => ({
      ...row,
      state: 'finished' as const,
      outcome,
    }));
    const text = runsText([...words, { ...row, state: 'interrupted', outcome: null }]);
    expect(text.match(/ (passed|failed|inconclusive|measured|interrupted) /g)).toHaveLength(5);
  });

  it('print “No runs.” for an empty history', async () => {
    const cli = await startHarness();
    expect(JSON.parse((await cli.run('runs', '--json')).out)).toEqual({ runs: [] });
    expect((await cli.run('runs')).out).toContain('No runs.');
    expect((await cli.run('show', 'last')).code).toBe(1);
  });

  it('report an invalid database and leave it unchanged', async () => {
    const cli = await startHarness();
    await makeRuns(cli, 1);
    const database = (await readdir(cli.home)).find((name) => /\.(db|sqlite3?)$/.test(name));
    if (database === undefined) throw new Error('no database');
    const garbage = 'this is no database '.repeat(400);
    for (const name of await readdir(cli.home)) if (name.startsWith(`${database}-`)) await writeFile(join(cli.home, name), '');
    await writeFile(join(cli.home, database), garbage);
    const { code, out, err } = await cli.run('runs');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^holdfast: .+\n {2}\S/);
    expect(err).toContain(database);
    expect(await readFile(join(cli.home, database), 'utf8')).toBe(garbage);
  });

  it('report a data folder that cannot be created', async () => {
    const file = join(temporaryDirectory(), 'file');
    await writeFile(file, '');
    const cli = await startHarness({ home: join(file, 'data') });
    const { code, out, err } = await cli.run('runs');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^holdfast: .+\n {2}.*HOLDFAST_HOME/);
  });
});
