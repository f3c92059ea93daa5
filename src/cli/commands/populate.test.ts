import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '#core/work/feeds/parseFeed.ts';
import { findLab } from '#lab/registry.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startHarness } from '../testing/harness.ts';

const plan = (url: string): string => `
holdfast: 1
name: Contest with people of our own
targets: [{ url: '${url}' }]
feeds: { accounts: { file: accounts.csv, order: unique } }
journey:
  - { name: home, path: / }
  - name: login
    method: POST
    path: /login
    form: { username: '{{accounts.username}}', password: '{{accounts.password}}', _xsrf: '{{cookie._xsrf}}' }
    redirects: { follow: true }
    checks: [{ kind: contains, text: '{{accounts.username}}' }]
load: { model: users, stages: [{ users: 12, seconds: 1 }] }
leavesBehind: ['One account for each row of accounts.csv.']
populate:
  feed: accounts
  perSecond: 100
  journey:
    - { name: form, path: /register, checks: [{ kind: contains, text: new_user }] }
    - name: register
      method: POST
      path: /register
      form: { new_user: 'true', first_name: '{{accounts.first_name}}', last_name: '{{accounts.last_name}}', username: '{{accounts.username}}', password: '{{accounts.password}}', _xsrf: '{{cookie._xsrf}}' }
      checks: [{ kind: contains, text: '{{accounts.username}}' }]
`;

describe('accounts and populate', () => {
  it('create people, register them at the practice contest, and let a run log all of them in', async () => {
    const lab = await findLab('contest').start({ registration: true, shards: 1, 'service-ms': 1 }, testSurroundings());
    try {
      const cli = await startHarness();
      const file = join(cli.directory, 'plan.yaml');
      await writeFile(file, plan(lab.urls[0] ?? ''));
      const made = await cli.run('accounts', '8', '--form', 'cms', '--out', 'accounts.csv');
      expect(made).toMatchObject({ code: 0, out: expect.stringContaining('8 accounts') });
      const list = join(cli.directory, 'accounts.csv');
      expect((await stat(list)).mode & 0o777).toBe(0o600);
      expect(await cli.run('accounts', '12', '--out', 'accounts.csv')).toMatchObject({
        code: 1,
        err: expect.stringContaining('left alone'),
      });

      const short = await cli.run('validate', 'plan.yaml');
      expect(short).toMatchObject({ code: 2, err: expect.stringContaining('needs 12 rows, one for each user') });
      await writeFile(list, `${await readFile(list, 'utf8')}contestant1,taken-Name1,A,B\n`);
      const rest = await cli.run('accounts', '3', '--form', 'cms', '--prefix', 'more', '--out', 'more.csv');
      expect(rest.code).toBe(0);
      const more = (await readFile(join(cli.directory, 'more.csv'), 'utf8')).split('\n').slice(1).join('\n');
      await writeFile(list, `${await readFile(list, 'utf8')}${more}`);

      const shown = await cli.run('populate', 'plan.yaml', '--show');
      expect(shown).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Creating 12 rows of “accounts”') });
      const first = await cli.run('populate', 'plan.yaml');
      expect(first).toMatchObject({ code: 1, out: expect.stringContaining('11 of 12 rows created, 0 existed before, 1 failed') });
      expect(first.out).toContain('row 9 (contestant1): register: status 409');
      expect(first.out).toContain('Left in place: One account for each row');
      await writeFile(list, (await readFile(list, 'utf8')).replace('contestant1,', 'newcomer1,'));
      expect(await cli.run('populate', 'plan.yaml', '--quiet')).toMatchObject({ code: 0, out: '', err: '' });

      const run = await cli.run('run', 'plan.yaml', '--json', '-');
      const { outcomes, plan: stored } = JSON.parse(run.out) as { outcomes: { requests: { sent: number; ok: number } }; plan: object };
      expect(outcomes.requests.sent).toBeGreaterThan(24);
      expect(outcomes.requests.ok).toBe(outcomes.requests.sent);
      expect(stored).toMatchObject({ leavesBehind: ['One account for each row of accounts.csv.'] });

      const { rows } = parseFeed(await readFile(list, 'utf8'), { file: 'a.csv', format: undefined, separator: ',' });
      const outputs = [made, short, shown, first, run].map(({ out, err }) => out + err).join('');
      for (const [, password = ''] of rows) expect(outputs).not.toContain(password);
    } finally {
      await lab.stop();
    }
  });
});
