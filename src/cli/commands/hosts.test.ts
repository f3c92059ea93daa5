import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasSshServer, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { ensureBuild } from '#tools/launch/build.mjs';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

let harness: Harness;
let prompts: string[];
let answer: () => Promise<string>;
let home: string;

beforeEach(async () => {
  prompts = [];
  answer = () => Promise.reject(new HoldfastError({ code: 'NO_TERMINAL', message: 'none', hint: '' }));
  home = temporaryDirectory();
  harness = await startHarness({
    ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: join(home, 'none') },
    hiddenInput: (label) => {
      prompts.push(label);
      return answer();
    },
  });
});

describe('the list of hosts', () => {
  it('lists added hosts and omits removed ones', async () => {
    expect((await harness.run('hosts', 'list')).out).toMatch(/^No hosts/);
    expect(
      await harness.run('hosts', 'add', 'web1', '10.0.0.1', '--user', 'deploy', '--port', '2222', '--jump', 'gate@b:22,c', '--key', '~/k'),
    ).toMatchObject({ code: 0 });
    expect((await harness.run('hosts', 'add', 'alias')).code).toBe(0);
    expect((await harness.run('hosts', 'list')).out).toMatch(
      /^alias +alias +\nweb1 +deploy@10\.0\.0\.1:2222 +through gate@b:22,c with ~\/k\n$/,
    );
    expect(await harness.run('hosts', 'add', 'WEB1', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('A host “WEB1” already exists'),
    });
    expect((await harness.run('hosts', 'add', 'web1', 'x', '--replace')).code).toBe(0);
    expect(JSON.parse((await harness.run('hosts', 'list', '--json')).out)).toEqual({
      hosts: [
        { name: 'alias', address: 'alias', user: null, port: null, jump: null, keyPath: null },
        { name: 'web1', address: 'x', user: null, port: null, jump: null, keyPath: null },
      ],
    });
    expect((await harness.run('hosts', 'remove', 'web1')).code).toBe(0);
    expect(await harness.run('hosts', 'remove', 'web1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no host “web1”'),
    });
  });

  it('rejects the name that is reserved for this computer, and suggests another', async () => {
    const refused = await harness.run('hosts', 'add', 'here');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('“here” is this computer, so no host can have that name. Choose another name');
    expect((await harness.run('hosts', 'add', 'web1', 'here')).code).toBe(0);
  });

  it('rejects names that could be a path, option or command, all at once', async () => {
    const bad = await harness.run(
      'hosts',
      'add',
      '../../etc/x',
      'a;b',
      '--user',
      '-oProxyCommand=x',
      '--port',
      '70000',
      '--jump',
      'a b',
      '--key',
      'a\nb',
    );
    expect(bad.code).toBe(1);
    for (const part of ['name ../../etc/x', 'address a;b', '--user -oProxyCommand=x', '--port 70000', '--jump a b', '--key /'])
      expect(bad.err).toContain(part);
    expect((await harness.run('hosts', 'list')).out).toMatch(/^No hosts/);
  });
});

describe.skipIf(!hasSshServer)('a load from a host', () => {
  let server: SshServer;
  beforeAll(() => ensureBuild(new URL('../../../', import.meta.url).pathname), 300_000);
  beforeAll(async () => {
    server = await startSshServer();
  });
  afterAll(() => server.stop());

  it('starts with --on, names its load generator, and asks the user to confirm the host key', { timeout: 180_000 }, async () => {
    const target = await startTarget();
    await harness.run('hosts', 'add', 'there', '127.0.0.1', '--port', String(server.port), '--key', server.clientKey);
    const quick = ['quick', target.url, '-n', '20', '-c', '2', '--on', 'there'];
    expect(await harness.run(...quick)).toMatchObject({ code: 1, err: expect.stringContaining('--trust SHA256:') });
    expect(target.requests).toBe(0);
    answer = async () => 'yes';
    expect((await harness.run(...quick, '--json', 'result.json')).code).toBe(0);
    const result: unknown = JSON.parse(readFileSync(join(harness.directory, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ balances: true, outcomes: { requests: { sent: 20 } }, generators: [{ name: 'there' }] });
    expect(target.requests).toBe(20);
    expect(await harness.run('quick', target.url, '--on', 'nowhere')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no host “nowhere”'),
    });
    for (const [on, reported] of [
      ['nowhere', 'There is no host “nowhere”'],
      ['a/b', '--on a/b: not a list of load generators.'],
    ] as const)
      expect(await harness.run('characterize', target.url, '--on', on)).toMatchObject({ code: 1, err: expect.stringContaining(reported) });
    const { out, err } = await harness.run('characterize', target.url, '--on', 'there', '--seconds', '1s', '--max-time', '4s');
    expect(out).toMatch(/\nWhat is .* · from there\n/);
    expect(err).toContain('Only this computer measures idle connections, and it sends no part of this load.');
  });
});

describe.skipIf(!hasSshServer)('the test of a host', () => {
  let server: SshServer;
  beforeAll(async () => {
    server = await startSshServer({ password: 'correct horse' });
  });
  afterAll(() => server.stop());

  it('asks the user to confirm the host key, and describes the host', async () => {
    await harness.run('hosts', 'add', 'there', '127.0.0.1', '--port', String(server.port), '--key', server.clientKey);
    const nobody = await harness.run('hosts', 'test', 'there');
    expect(nobody).toMatchObject({ code: 1, out: '' });
    const fingerprint = /SHA256:\S+/.exec(nobody.err)?.[0]?.replace(/\.$/, '') ?? '';
    expect(nobody.err).toContain(`--trust ${fingerprint}`);
    answer = async () => 'no';
    expect(await harness.run('hosts', 'test', 'there')).toMatchObject({
      code: 130,
      err: expect.stringContaining('The key was not trusted.'),
    });
    expect(await harness.run('hosts', 'test', 'there', '--trust', `${fingerprint.slice(0, -1)}`)).toMatchObject({ code: 1 });
    expect(existsSync(join(harness.home, 'known_hosts'))).toBe(false);
    answer = async () => 'yes';
    const tested = await harness.run('hosts', 'test', 'there');
    expect(tested.code).toBe(0);
    expect(tested.out).toMatch(
      /^there responds\.\nuser +root\nhost +\S+\nsystem +.+ \(Linux .+\)\ncores +\d+\nmemory +[\d.]+ GB\nNode +2\d\.\S+ \(\/.*\)\nclock +.* this computer, ± .*\nround trip +.*ms\n/,
    );
    prompts = [];
    expect(JSON.parse((await harness.run('hosts', 'test', 'there', '--json')).out)).toMatchObject({ user: 'root', notes: [] });
    expect(prompts).toEqual([]);
  });

  it('asks for the password, and writes it to no file', async () => {
    await harness.run('hosts', 'add', 'there', '127.0.0.1', '--port', String(server.port));
    answer = async () => (prompts.at(-1)?.includes('Trust this key?') === true ? 'yes' : 'correct horse');
    expect(await harness.run('hosts', 'test', 'there')).toMatchObject({ code: 0 });
    expect(prompts).toEqual([expect.stringMatching(/SHA256:\S+[\s\S]*Trust this key\?/), 'there: password of root on 127.0.0.1']);
    for (const file of ['holdfast.sqlite', 'holdfast.sqlite-wal', 'known_hosts'])
      if (existsSync(join(harness.home, file))) expect(readFileSync(join(harness.home, file)).includes('correct horse')).toBe(false);
  });

  it('exits with instructions if nobody confirms the host key', async () => {
    await harness.run('hosts', 'add', 'there', '127.0.0.1', '--port', String(server.port));
    answer = async () =>
      prompts.at(-1)?.includes('Trust this key?') === true
        ? 'yes'
        : Promise.reject(new HoldfastError({ code: 'CANCELLED', message: 'You stopped.', hint: '' }));
    expect((await harness.run('hosts', 'test', 'there')).code).toBe(130);
    answer = () => Promise.reject(new HoldfastError({ code: 'NO_TERMINAL', message: 'none', hint: '' }));
    expect((await harness.run('hosts', 'test', 'there')).err).toContain('password of root on 127.0.0.1');
  });
});
