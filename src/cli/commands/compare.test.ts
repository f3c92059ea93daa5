import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { putRun } from '#backend/testing/storedRun.ts';
import { comparisonSchema } from '#core/comparison/schema.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

const PLAN = {
  holdfast: 1,
  name: 'A page',
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 2, requests: 12 }] },
} satisfies Partial<PlanInput>;

/** Stores a run of the plan and returns its id. */
function storeRunAt({ home }: Harness, url: string): string {
  const { holdfast: _version, ...plan } = PLAN;
  return putRun(home, { plan: { ...plan, targets: [{ url }] }, windows: repeatedWindows(2, { ok: [{ count: 6, ms: 5 }] }) });
}

describe('holdfast compare', () => {
  let cli: Harness;
  beforeEach(async () => {
    cli = await startHarness();
  });

  it('compares single runs and reports that they are too few for a conclusion', async () => {
    const [first = '', second = ''] = [1, 2].map(() => storeRunAt(cli, 'http://127.0.0.1:1/'));
    const { code, out, err } = await cli.run('compare', `before=${first}`, `after=${second}`);
    expect([code, err]).toEqual([98, '']);
    expect(out).toMatch(/^“before” \(1 run\) against “after” \(1 run\)\n\nToo few runs: 1 and 1\./);
    expect(out).toMatch(/\n +p95 +\S+ m?s +\S+ m?s +\S+ % +– +too few runs\n/);
    expect(out).not.toContain('What is not the same');
    expect((await cli.run('compare', first, first)).err).toContain('is named twice');
    expect((await cli.run('compare', first)).err).toContain('One side cannot be compared.');
    const unknown = await cli.run('compare', first, 'no-such-run');
    expect([unknown.code, unknown.out, unknown.err]).toEqual([1, '', expect.stringContaining('There is no run “no-such-run”')]);
  });

  it('compares the cells of a series, as text, JSON and JUnit', async () => {
    const { url } = await startTarget();
    const variants = ['a', 'b'].map((name) => ({ name, targets: [{ url: `${url}${name}` }] }));
    const series = { variants, repeats: 1, coolDownSeconds: 0, readySeconds: 0, baselineSeconds: 0 };
    await writeFile(join(cli.directory, 'series.json'), JSON.stringify({ ...PLAN, series }));
    const made = await cli.run('series', 'series.json', '--json', '-', '--quiet');
    const id = /"id": "(s-[^"]+)"/.exec(made.out)?.[1] ?? '';
    const { code, out } = await cli.run('compare', id, '--junit', 'compare.xml');
    expect([code, out]).toEqual([98, expect.stringContaining('“a” (1 run) against “b” (1 run)')]);
    expect(out).toContain('  - They differ in the target.\n');
    expect(await readFile(join(cli.directory, 'compare.xml'), 'utf8')).toContain('<error type="tooFew"');
    const json = await cli.run('compare', id, '--json', '-', '--asked', 'host');
    const { pairs, dissimilar } = comparisonSchema.parse(JSON.parse(json.out));
    expect(pairs).toMatchObject([{ conclusion: 'refused' }]);
    expect(dissimilar.map(({ aspect, what }) => [aspect, what])).toEqual([['target', 'address of target 1']]);
  });
});

describe('holdfast run --baseline', () => {
  it('compares a run with an earlier one, and stays inconclusive with too few runs', async () => {
    const cli = await startHarness();
    const { url } = await startTarget();
    await writeFile(join(cli.directory, 'plan.json'), JSON.stringify({ ...PLAN, targets: [{ url }] }));
    const { code, out } = await cli.run('run', 'plan.json', '--baseline', storeRunAt(cli, url));
    expect(code).toBe(98);
    expect(out).toMatch(/“baseline” \(1 run\) against “now” \(1 run\)\n\nToo few runs: 1 and 1\./);
    const missing = await cli.run('run', 'plan.json', '--baseline', 'nothing');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no run “nothing”')]);
    expect((await cli.run('runs', '--json')).out.match(/"holdfastVersion"/g)).toHaveLength(2);
    expect((await cli.run('run', 'plan.json', '--repeats', '0')).err).toContain('whole number from 1 to 50');
  });

  it('compares a run with the baseline of its plan and target until the baseline is removed', async () => {
    const cli = await startHarness();
    const { url } = await startTarget();
    await writeFile(join(cli.directory, 'plan.json'), JSON.stringify({ ...PLAN, targets: [{ url }] }));
    const none = await cli.run('run', 'plan.json', '--baseline', 'preset');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('No baseline of “A page” at')]);
    const id = storeRunAt(cli, url);
    expect((await cli.run('baseline', id)).out).toMatch(
      /^1 run is the baseline of “A page” at .*\nTo claim a difference, Holdfast needs five runs or more/,
    );
    expect((await cli.run('baseline')).out).toContain(id);
    const { code, out } = await cli.run('run', 'plan.json', '--baseline', 'preset');
    expect([code, out]).toEqual([98, expect.stringContaining('“the baseline” (1 run) against “A page” (1 run)')]);
    expect((await cli.run('baseline', '--remove', 'last')).out).toContain(`To set it again: holdfast baseline ${id}`);
    expect((await cli.run('baseline')).out).toContain('No baselines.');
  }, 60_000);

  it('rejects a baseline series without runs before the run starts', async () => {
    const cli = await startHarness();
    const series = { repeats: 2, coolDownSeconds: 0, readySeconds: 0, baselineSeconds: 0 };
    const targets = [{ url: 'http://127.0.0.1:9/' }];
    await writeFile(join(cli.directory, 'series.json'), JSON.stringify({ ...PLAN, targets, series }));
    await writeFile(join(cli.directory, 'plan.json'), JSON.stringify({ ...PLAN, targets }));
    const made = await cli.run('series', 'series.json', '--json', '-', '--quiet');
    const id = /"id": "(s-[^"]+)"/.exec(made.out)?.[1] ?? '';
    for (const args of [
      ['baseline', id],
      ['run', 'plan.json', '--baseline', id],
      ['compare', id],
      ['compare', `before=${id}`, `after=${id}`],
    ]) {
      const { code, out, err } = await cli.run(...args);
      expect([code, out], args.join(' ')).toEqual([1, '']);
      expect(err).toContain(`The series ${id} has no runs to compare: none was started`);
      expect(err).toContain(`holdfast show ${id}`);
    }
    expect((await cli.run('show', id)).out).toContain('did not accept a connection');
  });

  it('repeats a run as a series of one cell', async () => {
    const cli = await startHarness();
    const { url } = await startTarget();
    await writeFile(join(cli.directory, 'plan.json'), JSON.stringify({ ...PLAN, targets: [{ url }] }));
    const { code, out } = await cli.run('run', 'plan.json', '--repeats', '2');
    expect([code, out]).toEqual([0, expect.stringContaining('2 of 2 runs')]);
    const id = /series (s-\S+)/.exec(out)?.[1] ?? '';
    const compared = await cli.run('run', 'plan.json', '--baseline', id);
    expect(compared.out).toContain('Too few runs: 2 and 1.');
    expect(compared.out).toContain('Nothing that Holdfast records differs between them');
    expect((await cli.run('compare', id)).err).toContain('Only one cell of the series');
  }, 60_000);
});
