import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget, type TestTarget } from '../testing/target.ts';

let cli: Harness;
let target: TestTarget;

beforeEach(async () => {
  cli = await startHarness();
  cli.agrees = 'nobody';
  target = await startTarget();
});

/** Saves a plan that another person could have written, with a list next to it. */
async function savePlan(changes: object, name = 'plan.json'): Promise<void> {
  const plan = {
    holdfast: 1,
    name: 'From elsewhere',
    targets: [{ url: target.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 3 }] },
    ...changes,
  };
  await writeFile(join(cli.directory, name), JSON.stringify(plan));
  await writeFile(join(cli.directory, 'users.csv'), 'name\nada\n');
}

const DEMANDING_PLAN = {
  targets: [] as { url: string; headers: object }[],
  journey: [{ name: 'page', path: '/{{people.name}}', body: { secret: 'file:/nowhere/.ssh/id_rsa' }, method: 'POST' }],
  feeds: { people: { file: 'users.csv' } },
  monitors: [{ kind: 'redis', address: '10.255.255.1:6379' }],
  stored: [{ name: 'rows', step: 'page', command: "echo 'it is'; echo 1" }],
};

describe('a plan from another person', () => {
  it.each(['run', 'try', 'breaking-point', 'populate', 'check'])(
    'needs consent for all its items; %s names the options that give consent',
    async (command) => {
      const headers = { 'X-Key': { secret: 'env:AWS_SECRET_ACCESS_KEY' } };
      await savePlan({
        ...DEMANDING_PLAN,
        targets: [
          { url: target.url, headers },
          { url: 'http://shop.example/', headers: {} },
        ],
      });
      const { code, err } = await (command === 'check' ? cli.run('check', '--plan', 'plan.json') : cli.run(command, 'plan.json'));
      expect(code).toBe(1);
      expect(err).toContain('shop.example (public): sends load to it [targets[1].url]');
      const allowed = [
        'host:shop.example',
        'host:10.255.255.1',
        'file:/nowhere/.ssh/id_rsa',
        'env:AWS_SECRET_ACCESS_KEY',
        String.raw`'command:echo '\''it is'\''; echo 1'`,
      ];
      for (const key of allowed) expect(err).toContain(`--allow ${key}`);
      expect(target.requests).toBe(0);
    },
  );

  it('is not exported with its files without consent', async () => {
    await savePlan({ journey: [{ name: 'page', path: '/{{people.name}}' }], feeds: DEMANDING_PLAN.feeds });
    const { code, out, err } = await cli.run('export', 'k6', 'plan.json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('--allow file:');
    expect((await cli.run('export', 'k6', 'plan.json', '--allow', 'file:users.csv')).out).toContain('From elsewhere');
  });

  it('runs with --allow for each item, without storing that consent', async () => {
    await savePlan({ journey: [{ name: 'page', path: '/{{people.name}}' }], feeds: DEMANDING_PLAN.feeds });
    expect((await cli.run('run', 'plan.json')).err).toContain(`--allow file:${join(cli.directory, 'users.csv')}`);
    expect((await cli.run('run', 'plan.json', '--allow', 'file:other.csv')).code).toBe(1);
    expect(target.requests).toBe(0);
    expect((await cli.run('run', 'plan.json', '--allow', 'file:users.csv')).code).toBe(0);
    expect((await cli.run('run', 'plan.json')).code).toBe(0);
    await savePlan({ journey: [{ name: 'page', path: '/x/{{people.name}}' }], feeds: DEMANDING_PLAN.feeds });
    expect((await cli.run('run', 'plan.json')).code, 'another plan').toBe(1);
    expect(target.requests).toBe(6);
  });

  it('is accepted or rejected at a terminal', async () => {
    await savePlan({ journey: [{ name: 'page', path: '/{{people.name}}' }], feeds: DEMANDING_PLAN.feeds });
    cli.agrees = 'no';
    expect(await cli.run('run', 'plan.json')).toMatchObject({ code: 130, err: expect.stringContaining('You did not agree') });
    cli.agrees = 'yes';
    const { code, err } = await cli.run('run', 'plan.json');
    expect([code, err.match(/This plan needs your permission for/g)]).toEqual([0, ['This plan needs your permission for']]);
    // Consent that is already given is tested above.
  });

  it('needs no consent for values typed on the command line', async () => {
    process.env['HOLDFAST_TYPED'] = 'a=1';
    await savePlan({ targets: [{ url: target.url, cookie: { secret: 'env:HOLDFAST_TYPED' } }] });
    expect((await cli.run('run', 'plan.json', '--set', 'cookie=env:HOLDFAST_TYPED')).code).toBe(1);
    await savePlan({});
    expect((await cli.run('run', 'plan.json', '--set', 'cookie=env:HOLDFAST_TYPED')).code).toBe(0);
    delete process.env['HOLDFAST_TYPED'];
  });

  it('ignores consent in the plan itself and reports it', async () => {
    await savePlan({ targets: [{ url: 'http://shop.example/' }], safety: { consentedHosts: ['shop.example'] } });
    const { code, err } = await cli.run('run', 'plan.json');
    expect([code, err]).toEqual([1, expect.stringContaining('Consent in a plan has no effect.')]);
    expect(err).toContain('--allow host:shop.example');
  });

  it('cannot hide permissions behind control characters', async () => {
    await savePlan({ stored: [{ name: 'rows', step: 'page', command: 'echo 1\u001b[2K\u202e # harmless\nrm -rf nothing' }] });
    const { err } = await cli.run('run', 'plan.json');
    expect(err).toContain(String.raw`echo 1\u001b[2K\u202e # harmless\nrm -rf nothing`);
    for (const letter of ['\u001b', '\u202e']) expect(err).not.toContain(letter);
  });

  it('rejects an invalid --allow', async () => {
    await savePlan({});
    expect(await cli.run('run', 'plan.json', '--allow', 'example.org')).toMatchObject({
      code: 1,
      err: expect.stringContaining('host:example.org'),
    });
  });

  it('accepts a path from the home folder in --allow', async () => {
    const folder = join(homedir(), '.no-such-folder-of-holdfast');
    await savePlan({ journey: [{ name: 'page', body: { secret: `file:${folder}/none` }, method: 'POST' }] });
    expect((await cli.run('run', 'plan.json', '--allow', 'file:~/.no-such-folder-of-holdfast/none')).err).toContain('cannot be read');
  });
});
