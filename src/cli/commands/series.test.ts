import { readFile, writeFile } from 'node:fs/promises';
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

  const variants = (): object[] =>
    ['a', 'b'].map((name) => ({ name, factors: { page: name }, targets: [{ url: `${target.url}${name}` }] }));
  async function save(series: object, plan: object = {}): Promise<void> {
    const quick = { coolDownSeconds: 0, readySeconds: 0, ...series };
    await writeFile(join(harness.directory, 'series.json'), JSON.stringify({ ...PLAN, ...plan, series: quick }));
  }

  it('runs all cells, prints one table, and saves it as CSV and JSON', async () => {
    await save({ variants: variants(), levels: { requests: [20, 30] } });
    const { code, out, err } = await harness.run('series', 'series.json', '--csv', 'table.csv', '--json', 'all.json');
    expect(err).toMatch(/4 of 4 {2}b · 30 requests · measured/);
    expect(code).toBe(0);
    expect(out).toMatch(/^Two pages · 4 of 4 runs · finished\n\ncell +page +state +runs +answers\/s/);
    expect(out).toMatch(/\na · 20 requests +a +measured +1 of 1/);
    expect(out).toContain('Every cell is run by autocannon, which can do all of them.');
    const result = seriesResultSchema.parse(JSON.parse(await readFile(join(harness.directory, 'all.json'), 'utf8')));
    expect(result.rows.map(({ runs }) => runs[0]?.figures?.ok)).toEqual([20, 30, 20, 30]);
    const csv = await readFile(join(harness.directory, 'table.csv'), 'utf8');
    expect(csv.split('\r\n').length).toBe(6);
    expect(csv).toContain(String(result.rows[3]?.throughput?.median));

    const shown = await harness.run('show', result.series.id);
    expect(shown.out).toBe(out);
    const all = await harness.run('series');
    expect(all.out).toMatch(new RegExp(`^${result.series.id} .* finished  4 of 4 runs  Two pages\n$`));
    const listed = await harness.run('runs', '--json');
    expect(JSON.parse(listed.out).runs[0].series).toMatchObject({ id: result.series.id, cell: 'b · 30 requests' });
  });

  it('shows commands, and runs them only when that was said', async () => {
    await save({ variants: variants(), before: ['echo ready > ready.txt; false'] });
    const refused = await harness.run('series', 'series.json');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('  $ echo ready > ready.txt; false\n');
    expect(refused.err).toContain('add --yes-run-commands');
    expect(refused.out).toBe('');
    await save({ variants: variants(), before: ['exit 3'] });
    const allowed = await harness.run('series', 'series.json', '--yes-run-commands');
    expect(allowed.out).toContain('a: not run: The command “exit 3” failed. It ended with code 3.');
    expect(allowed.code, 'not known: nothing was measured').toBe(98);
  });

  it('says by its exit code that an objective was missed in a cell, and not that a cell of a matrix cannot be', async () => {
    const impossible = { levels: { connections: [1, 50], requests: [20] } };
    await save(impossible, { targets: [{ url: target.url }] });
    expect((await harness.run('series', 'series.json', '--quiet')).code).toBe(0);
    await save(impossible, { targets: [{ url: target.url }], objectives: [{ kind: 'throughput', minPerSecond: 1e9 }] });
    expect((await harness.run('series', 'series.json', '--quiet')).code).toBe(99);
  });

  it('keeps finished cells when it is stopped', async () => {
    await save({ variants: variants(), coolDownSeconds: 60 });
    const going = harness.start('series', 'series.json');
    await target.reached(20);
    going.interrupt();
    const { code, out } = await going.done;
    expect(code).toBe(130);
    expect(out).toMatch(/\nb +b +not run +0 of 1/);
  });

  it('lists everything that is wrong before anything is opened', async () => {
    await save({ variants: [{ name: 'a' }, { name: 'a' }], repeat: 3 }, { engine: 'warp' });
    const { code, err } = await harness.run('series', 'series.json');
    expect(code).toBe(2);
    expect(err).toContain('UNKNOWN_KEY');
    expect(err).toContain('NOT_ONE_OF');
    const none = await harness.run('show', 's-none');
    expect(none.err).toContain('There is no series "s-none".');
    expect(none.err).toContain('holdfast series lists them');
  });
});
