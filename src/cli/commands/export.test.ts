import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHarness } from '../testing/harness.ts';

const PLAN = `holdfast: 1
name: Log in
targets: [{ url: 'http://127.0.0.1:8080/', headers: { Authorization: { secret: 'env:TOKEN' } } }]
feeds: { accounts: { file: users.csv } }
journey: [{ name: login, method: POST, path: login, form: { user: '{{accounts.username}}', password: '{{accounts.password}}' } }]
load: { model: users, stages: [{ users: 2, seconds: 5 }] }
`;

describe('holdfast export', () => {
  it('writes a script and its files, readable only by the user and without secrets', async () => {
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'plan.yaml'), PLAN);
    await writeFile(join(cli.directory, 'users.csv'), 'username,password\nada,hush\n');
    const { code, out, err } = await cli.run('export', 'k6', 'plan.yaml', 'script.js');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('Before it is run, set TOKEN.\n');
    expect(err).toContain('Beside it: accounts.json.\n');
    const script = await readFile(join(cli.directory, 'script.js'), 'utf8');
    expect(script).toContain("open('./accounts.json')");
    expect(script).not.toContain('hush');
    expect(JSON.parse(await readFile(join(cli.directory, 'accounts.json'), 'utf8'))).toEqual([{ username: 'ada', password: 'hush' }]);
    if (process.platform !== 'win32') expect((await stat(join(cli.directory, 'accounts.json'))).mode & 0o077).toBe(0);
    expect(await cli.run('export', 'k6', 'plan.yaml', 'script.js')).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already') as unknown,
    });
  });

  it('prints a command that import can read', async () => {
    const cli = await startHarness();
    const { code, out, err } = await cli.run('export', 'ab', 'plain-page', '--set', 'target=http://127.0.0.1:8080/a', '--set', 'seconds=5');
    expect(code).toBe(0);
    expect(out).toBe('ab -t 5 -n 5000000 -c 10 -l -r -k -s 120 http://127.0.0.1:8080/a\n');
    expect(err).toContain('note: ab uses HTTP/1.0');
    const back = await startHarness({ standardInput: out });
    expect((await back.run('import', 'auto')).out).toContain('connections: 10\n      seconds: 5');
  });

  it('reports why a tool cannot run a plan', async () => {
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'plan.yaml'), PLAN);
    await writeFile(join(cli.directory, 'users.csv'), 'username,password\nada,hush\n');
    const ab = await cli.run('export', 'ab', 'plan.yaml');
    expect(ab).toMatchObject({ code: 2, out: '' });
    expect(ab.err).toContain('ab supports fixed connections only. The plan has users.');
    expect(ab.err).toContain('{{accounts.username}}, {{accounts.password}}');
    expect((await cli.run('export', 'artillery', 'plan.yaml')).code).toBe(2);
    expect((await cli.run('export', 'gatling', 'plan.yaml')).code).toBe(1);
    expect((await cli.run('export', 'k6', 'missing.yaml')).code).toBe(1);
  });

  it('writes the manifests of the k6 operator and requires --run NAME', async () => {
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'plan.yaml'), PLAN);
    await writeFile(join(cli.directory, 'users.csv'), 'username,password\nada,hush\n');
    const nameless = await cli.run('export', 'k6-operator', 'plan.yaml');
    expect(nameless).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--run NAME') as unknown });
    const { code, out, err } = await cli.run(
      'export',
      'k6-operator',
      'plan.yaml',
      '--run',
      'log-in',
      '--parallelism',
      '2',
      '--memory',
      '2Gi',
    );
    expect(code).toBe(0);
    expect(out).toContain('kind: ConfigMap');
    expect(out).toContain('apiVersion: k6.io/v1alpha1\nkind: TestRun\nmetadata:\n  name: log-in\nspec:\n  parallelism: 2\n');
    expect(err).toContain('kubectl create secret generic log-in-secrets --from-literal=TOKEN=…');
    expect(err).toContain('The ConfigMap holds accounts.json too');
    const many = await cli.run('export', 'k6-operator', 'plan.yaml', '--run', 'log-in', '--parallelism', '3');
    expect([many.code, many.out, many.err]).toEqual([2, '', expect.stringContaining('divided among 2 runners at most')]);
    await writeFile(join(cli.directory, 'socket.yaml'), `${PLAN}\nconnections: { socketPath: /run/x.sock }\n`);
    const impossible = await cli.run('export', 'k6-operator', 'socket.yaml', '--run', 'log-in');
    expect([impossible.code, impossible.out, impossible.err]).toEqual([2, '', expect.stringContaining('a Unix socket')]);
  });
});
