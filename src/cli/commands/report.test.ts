import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

describe('holdfast report', () => {
  it('saves a run in every format and a series with its cells, and no other files', async () => {
    const cli = await startHarness();
    const target = await startTarget();
    const plan = { holdfast: 1, name: 'Two levels', targets: [{ url: target.url }], journey: [{ name: 'page' }] };
    const load = { model: 'connections', stages: [{ connections: 1, requests: 5 }] };
    await writeFile(
      join(cli.directory, 'series.json'),
      JSON.stringify({ ...plan, load, series: { levels: { connections: [1, 2] }, coolDownSeconds: 0 } }),
    );
    const series = await cli.run('series', 'series.json', '--quiet');
    expect(series.code, series.err).toBe(0);

    const forms = ['html', 'md', 'json', 'csv', 'steps', 'junit', 'hlog'];
    const saved = await cli.run('report', 'last', ...forms.flatMap((form) => [`--${form}`, `report.${form}`]));
    expect([saved.code, saved.out]).toEqual([0, '']);
    expect(saved.err).toContain('Saved: report.html');
    expect((await readdir(cli.directory)).sort()).toEqual([...forms.map((form) => `report.${form}`), 'series.json'].sort());
    const readReport = (form: string): Promise<string> => readFile(join(cli.directory, `report.${form}`), 'utf8');
    expect(await readReport('html')).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(await readReport('md')).toMatch(/^# /);
    expect(JSON.parse(await readReport('json'))).toMatchObject({ schema: 'holdfast.result/1', balances: true });
    expect(await readReport('csv')).toMatch(/^second,/);
    expect(await readReport('steps')).toMatch(/^stage,counted,step,sent,/);
    expect(await readReport('junit')).toMatch(/<testsuites .* tests="1" failures="0" errors="0"/);
    expect(await readReport('hlog')).toMatch(/^0\.000,[\d.]+,[\d.]+,HIST/m);
    const piped = await cli.run('report', 'last', '--md', '-');
    expect([piped.code, piped.out, piped.err]).toEqual([0, await readReport('md'), '']);

    const [id = ''] = (await cli.run('series')).out.split(' ');
    const wanted = ['--html', 'all.html', '--csv', 'all.csv', '--junit', 'all.xml'];
    const all = await cli.run('report', '--series', id, ...wanted, '--cells', 'cells');
    expect(all.code, all.err).toBe(0);
    expect(await readFile(join(cli.directory, 'all.html'), 'utf8')).toContain('>Cells<');
    expect((await readdir(join(cli.directory, 'cells'))).sort()).toEqual([
      expect.stringMatching(/^001-.+-repeat-1-junit\.xml$/),
      expect.stringMatching(/^001-.+-repeat-1\.csv$/),
      expect.stringMatching(/^001-.+-repeat-1\.html$/),
      expect.stringMatching(/^002-.+-repeat-1-junit\.xml$/),
      expect.stringMatching(/^002-.+-repeat-1\.csv$/),
      expect.stringMatching(/^002-.+-repeat-1\.html$/),
    ]);
    expect((await cli.run('report', id, '--hlog', 'a.hlog')).err).toContain('A series has no --hlog');
    expect(await readdir(cli.directory)).not.toContain('a.hlog');
  }, 40_000);

  it('reports problems before it writes a file', async () => {
    const cli = await startHarness();
    const readRefusal = async (...args: string[]): Promise<string> => {
      const { code, err } = await cli.run('report', ...args);
      expect(code).toBe(1);
      return err;
    };
    expect(await readRefusal('last')).toContain('Name a format and a file.');
    expect(await readRefusal('--html', 'a.html')).toContain('Name a run.');
    expect(await readRefusal('last', '--pdf', '-')).toContain('not written to a terminal');
    expect(await readRefusal('last', '--md', '-', '--json', '-')).toContain('Standard output takes one file');
    expect(await readRefusal('last', '--series', 's-1', '--md', 'a.md')).toContain('a run or of a series');
    expect(await readRefusal('last', '--html', 'a.html')).toContain('No runs.');
    expect(await readdir(cli.directory)).toEqual([]);
  });
});
