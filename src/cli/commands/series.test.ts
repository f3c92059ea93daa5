import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriesResultSchema } from '#core/series/result.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget, type TestTarget } from '../testing/target.ts';

const PLAN = {
  holdfast: 1,
  name: 'Two pages',
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 2, requests: 20 }] },
};

describe('holdfast series', () => {
  let harness: Harness;
  let target: TestTarget;
  beforeEach(async () => {
    harness = await startHarness();
    target = await startTarget();
  });

  const makeVariants = (): object[] =>
    ['a', 'b'].map((name) => ({ name, factors: { page: name }, targets: [{ url: `${target.url}${name}` }] }));
  async function saveSeries(series: object, plan: object = {}): Promise<void> {
    const quick = { coolDownSeconds: 0, readySeconds: 0, ...series };
    await writeFile(join(harness.directory, 'series.json'), JSON.stringify({ ...PLAN, ...plan, series: quick }));
  }

  it('runs all cells, prints one table, and saves it as CSV and JSON', async () => {
    await saveSeries({ variants: makeVariants(), levels: { requests: [20] } });
    const { code, out, err } = await harness.run('series', 'series.json', '--csv', 'table.csv', '--json', 'all.json');
    expect(err).toMatch(/2 of 2 {2}b · 20 requests · measured/);
    expect(code).toBe(0);
    expect(out).toMatch(/^· Measured 2 cells\.\n\nCells\n +Cell +page +State +Complete runs +Responses\/s/);
    expect(out).toMatch(/\n +a · 20 requests +a +Measured +1 of 1/);
    expect(out).toMatch(/\nTwo pages · .* UTC · 2 of 2 runs · .*\nHoldfast · series s-\S+\n$/);
    const result = seriesResultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'all.json'), 'utf8')));
    expect(result.rows.map(({ runs }) => runs[0]?.figures?.ok)).toEqual([20, 20]);
    const csv = await readFile(join(harness.directory, 'table.csv'), 'utf8');
    expect(csv.split('\r\n').length).toBe(4);
    expect(csv).toContain(String(result.rows[1]?.throughput?.median));

    const shown = await harness.run('show', result.series.id);
    expect(shown.out).toBe(out);
    expect((await harness.run('show', result.series.id.slice(0, -3))).out).toBe(out);
    const unknown = await harness.run('show', 's-1999');
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringMatching(/There is no series “s-1999”\.[^]*To list them: holdfast series/),
    ]);
    const all = await harness.run('series');
    expect(all.out).toMatch(new RegExp(`^${result.series.id} .* finished  2 of 2 runs  Two pages\n$`));
    const listed = await harness.run('runs', '--json');
    expect(JSON.parse(listed.out).runs[0].series).toMatchObject({ id: result.series.id, cell: 'b · 20 requests' });
  });

  it('writes no file if one of them cannot be written', async () => {
    await saveSeries({ variants: makeVariants() });
    const { code, err } = await harness.run('series', 'series.json', '--json', 'all.json', '--csv', 'nowhere/table.csv');
    expect([code, err]).toEqual([1, expect.stringContaining('The file nowhere/table.csv cannot be written')]);
    expect(await readdir(harness.directory)).toEqual(['series.json']);
  });

  it('shows commands and runs them only with consent', async () => {
    await saveSeries({ variants: makeVariants(), before: ['echo ready > ready.txt; false'] });
    harness.agrees = 'nobody';
    const refused = await harness.run('series', 'series.json');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('  $ echo ready > ready.txt; false\n');
    expect(refused.err).toContain("add --allow 'command:echo ready > ready.txt; false'");
    expect(refused.out).toBe('');
    await saveSeries({ variants: makeVariants(), before: ['exit 3'] });
    const allowed = await harness.run('series', 'series.json', '--allow', 'command:exit 3');
    harness.agrees = 'yes';
    expect(allowed.out).toContain('Not run: The command “exit 3” failed. It ended with code 3.');
    expect(allowed.code, 'not known: nothing was measured').toBe(98);
  });

  it('exits with the code for a failed criterion in any cell, but ignores impossible cells of a matrix', async () => {
    const impossible = { levels: { connections: [1, 50], requests: [20] } };
    await saveSeries(impossible, { targets: [{ url: target.url }] });
    expect((await harness.run('series', 'series.json', '--quiet')).code).toBe(0);
    const broken = await startTarget({ status: 500 });
    await saveSeries(impossible, { targets: [{ url: broken.url }], criteria: [{ kind: 'errors', maxShare: 0.1 }] });
    expect((await harness.run('series', 'series.json', '--quiet')).code).toBe(99);
  });

  it('keeps finished cells when it is stopped', async () => {
    await saveSeries({ variants: makeVariants(), coolDownSeconds: 60 });
    const runningCommand = harness.start('series', 'series.json');
    await target.reached(20);
    runningCommand.interrupt();
    const { code, out } = await runningCommand.done;
    expect(code).toBe(130);
    expect(out).toMatch(/\n +b +b +Not run +0 of 1/);
  });

  it('lists every problem before it opens the backend', async () => {
    await saveSeries({ variants: [{ name: 'a' }, { name: 'a' }], repeat: 3 }, { engine: 'warp' });
    const { code, err } = await harness.run('series', 'series.json');
    expect(code).toBe(2);
    expect(err).toContain('UNKNOWN_KEY');
    expect(err).toContain('NOT_ONE_OF');
    const none = await harness.run('show', 's-none');
    expect(none.err).toContain('There is no series “s-none”.');
    expect(none.err).toContain('To list them: holdfast series');
  });
});

describe('series that have been run', () => {
  it('can be described, merged, resumed and deleted', async () => {
    const cli = await startHarness();
    const target = await startTarget();
    const planText = (levels: string, run = ''): string =>
      `holdfast: 1\nname: Batches\ntargets: [{ url: '${target.url}' }]\njourney: [{ name: page }]\nload: { model: connections, stages: [{ connections: 2, requests: 10 }] }\nseries: { levels: { ${levels} }, coolDownSeconds: 0${run} }\n`;
    await writeFile(join(cli.directory, 'low.yaml'), planText('requests: [10, 20], connections: [5, 15]', ', before: [echo hello]'));
    const described = await cli.run('series', 'low.yaml', '--describe');
    expect(described.code).toBe(0);
    expect(described.out).toContain('Batches: 4 cells, 3 runs');
    expect(described.out).toContain('15 connections, 10 requests: left out.');
    expect(described.out).toContain('  1. 5 connections, 10 requests\n');
    expect(described.out).toContain('$ echo hello');
    expect((await cli.run('validate', 'low.yaml')).code).toBe(0);

    for (const [name, levels] of [
      ['a', 'requests: [10, 20]'],
      ['b', 'requests: [30]'],
    ] as const) {
      await writeFile(join(cli.directory, `${name}.yaml`), planText(levels));
      expect((await cli.run('series', `${name}.yaml`, '--quiet')).code).toBe(0);
    }
    const ids = (await cli.run('series')).out.match(/s-\d{8}-\d{6}-[\da-f]{6}/g) ?? [];
    expect(ids).toHaveLength(2);
    const merged = await cli.run('series', '--merge', ...ids);
    expect(merged.out).toMatch(/10 requests[\s\S]*20 requests[\s\S]*30 requests[\s\S]*Batch 1/);
    expect(await cli.run('series', '--resume', ids[0] ?? '')).toMatchObject({ code: 1, err: expect.stringContaining('is done') });
    expect(await cli.run('series', 'a.yaml', '--delete', ids[0] ?? '')).toMatchObject({ code: 1 });
    expect(await cli.run('series', '--delete', ids[0] ?? '')).toMatchObject({ code: 0, out: expect.stringContaining('is deleted') });
    expect((await cli.run('series')).out).not.toContain(ids[0]);
  });

  it('are merged from single runs of a plan at several targets', async () => {
    const cli = await startHarness();
    const targets = [await startTarget(), await startTarget()];
    for (const { url } of targets) {
      await writeFile(
        join(cli.directory, 'plan.yaml'),
        `holdfast: 1\nname: One server\ntargets: [{ url: '${url}' }]\njourney: [{ name: page }]\nload: { model: connections, stages: [{ connections: 2, requests: 10 }] }\n`,
      );
      expect((await cli.run('run', 'plan.yaml', '--quiet')).code).toBe(0);
    }
    const runs = (await cli.run('runs')).out.match(/^\d{8}-\d{6}-[\da-f]+/gm) ?? [];
    expect(runs).toHaveLength(2);
    const { out, code, err } = await cli.run('series', '--merge', ...runs, '--json', 'table.json');
    expect(code, err).toBe(0);
    for (const { url } of targets) expect(out).toContain(url);
    const { rows } = seriesResultSchema.parse(JSON.parse(await readFile(join(cli.directory, 'table.json'), 'utf8')));
    expect(rows.map(({ runs: [run] }) => [run?.state, run?.figures?.ok])).toEqual([
      ['value', 10],
      ['value', 10],
    ]);
  });
});
