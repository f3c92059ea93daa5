import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../testing/harness.ts';

const PLAN = `holdfast: 1
name: A plan of mine
targets: [{ url: 'http://127.0.0.1:8080/' }]
journey: [{ name: page }]
load: { model: connections, stages: [{ connections: 2, requests: 40 }] }
criteria: [{ kind: errors, maxShare: 0.01 }]
exercises: [one page]
`;

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
  await writeFile(join(cli.directory, 'plan.yaml'), PLAN);
});

describe('validate', () => {
  it('accepts a valid plan with warnings', async () => {
    const { code, out, err } = await cli.run('validate', 'plan.yaml');
    expect([code, out]).toEqual([0, 'plan.yaml is valid.\n']);
    expect(err).toContain('TOO_FEW_REQUESTS');
  });

  it('lists every problem with its location, code and hint', async () => {
    await writeFile(
      join(cli.directory, 'bad.yaml'),
      PLAN.replace('http:', 'ftp:').replace('requests: 40', 'requests: -1').replace('errors', 'eror'),
    );
    const { code, out, err } = await cli.run('validate', 'bad.yaml');
    expect([code, out]).toEqual([2, '']);
    for (const path of ['targets[0].url', 'load.stages[0].requests', 'criteria[0]']) expect(err).toContain(`error: ${path}`);
    expect(err.split('\n').filter((line) => line.startsWith('error: ')).length).toBeGreaterThanOrEqual(3);
    expect(err).toMatch(/\[[A-Z_]+\]\n {2}\S/);
  });

  it.each([
    ['nothing at all', ''],
    ['invalid YAML', 'a: [b'],
    ['a text', 'hello'],
    ['a list', '[1, 2]'],
    ['an unsupported version', PLAN.replace('holdfast: 1', 'holdfast: 99')],
    ['aliases that grow without end', `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b]\n`],
  ])('explains %s', async (_what, text) => {
    await writeFile(join(cli.directory, 'bad.yaml'), text);
    const { code, out, err } = await cli.run('validate', 'bad.yaml');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: /);
    expect((await cli.run('run', 'bad.yaml')).code).toBe(2);
    expect((await cli.run('describe', 'bad.yaml')).code).toBe(2);
  });

  it('reports a missing file and a folder', async () => {
    await mkdir(join(cli.directory, 'folder'));
    for (const name of ['missing.yaml', 'folder']) {
      const { code, err } = await cli.run('validate', name);
      expect(code).toBe(1);
      expect(err).toContain(name);
    }
  });

  it('needs neither a backend nor a data directory', async () => {
    await cli.run('validate', 'plan.yaml');
    await cli.run('describe', 'plan.yaml');
    await cli.run('presets');
    expect(await readdir(cli.home)).toEqual([]);
  });
});

describe('describe', () => {
  it('describes a plan, including what is unknown before the run', async () => {
    const { code, out, err } = await cli.run('describe', 'plan.yaml');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('A plan of mine');
    expect(out).toContain('Requests: 40');
    expect(out).toContain('Duration: unknown before the run');
    expect(out).toContain('one page');
  });

  it('describes arrivals, with changes by --set', async () => {
    const load = 'load: { model: arrivals, stages: [{ kind: constant, perSecond: 10, seconds: 30 }] }';
    await writeFile(join(cli.directory, 'open.yaml'), PLAN.replace(/^load: .*$/m, load));
    expect((await cli.run('validate', 'open.yaml')).out).toBe('open.yaml is valid.\n');
    const { code, out } = await cli.run('describe', 'open.yaml', '--set', 'load.stages[0].perSecond=20', '--set', 'load.spacing=poisson');
    expect(code).toBe(0);
    expect(out).toContain('20 requests begin each second for 30 s');
    expect(out).toContain('at random times');
    const wrong = await cli.run('describe', 'open.yaml', '--set', 'load.stages[0].perSecond=-1', '--set', 'load.stages[0].kind=constnt');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('load.stages[0]');
  });

  it('shows how the demand of a preset is derived, also without a target', async () => {
    const { code, out } = await cli.run('describe', 'cms-contest', '--set', 'participants=375');
    expect(code).toBe(0);
    expect(out).toContain('Demand on the site: 87.5 requests/s');
    expect(out).toContain('The test pushes harder');
    expect(out).toContain('No target given');
    const named = await cli.run('describe', 'cms-contest', '--set', 'target=http://contest.example.org/');
    expect(named.out).not.toContain('No target given');
  });

  it('reports invalid answers to questions', async () => {
    const { code, err } = await cli.run('describe', 'cms-contest', '--set', 'participants=0', '--set', 'pollSeconds=7');
    expect(code).toBe(2);
    expect(err).toMatch(/participants|pollSeconds/);
  });
});

describe('presets', () => {
  it('lists the questions with their descriptions', async () => {
    const { code, out, err } = await cli.run('presets');
    expect([code, err]).toEqual([0, '']);
    for (const word of ['cms-contest: Will our contest site hold?', 'participants=750', 'pollSeconds=30', 'plain-page', 'target=URL'])
      expect(out).toContain(word);
    expect(JSON.parse((await cli.run('presets', '--json')).out)).toMatchObject({
      presets: expect.arrayContaining([expect.objectContaining({ id: 'cms-contest' }), expect.objectContaining({ id: 'plain-page' })]),
    });
  });
});
