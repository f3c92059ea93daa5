import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Host, hostSchema } from '#core/plan/schema/hosts.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { isPrivate, isSafeConfiguration, readConfigText } from './configFile.ts';
import { type HopSettings, hopsTo } from './hostSettings.ts';
import { makeSurroundings } from './surroundings.ts';

let home: string;
beforeEach(() => {
  home = temporaryDirectory();
  mkdirSync(join(home, '.ssh'), { mode: 0o700 });
});

const HOSTS: Host[] = [hostSchema.parse({ name: 'bastion', address: '10.0.0.9', user: 'gate', port: 2_200, jump: 'outer' })];

function hops(config: string, host: Partial<Host> = {}): HopSettings[] {
  writeFileSync(join(home, '.ssh', 'config'), config, { mode: 0o600 });
  const surroundings = makeSurroundings(home, { home, agentSocket: '/agent', userName: 'me' });
  const ways = {
    config: readConfigText(surroundings),
    surroundings,
    findHost: (name: string) => HOSTS.find((known) => known.name === name) ?? null,
  };
  return hopsTo(hostSchema.parse({ name: 'web', address: 'web1', ...host }), ways);
}

const formatHops = (settings: readonly HopSettings[]) => settings.map(({ user, address, port }) => `${user}@${address}:${port}`);

describe('hopsTo', () => {
  it('uses the defaults of OpenSSH without a configuration', () => {
    const [only] = hops('');
    expect(only).toEqual({
      label: 'web',
      address: 'web1',
      port: 22,
      user: 'me',
      keyName: 'web1',
      identityFiles: ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(home, '.ssh', name)),
      areIdentitiesNamed: false,
      identitiesOnly: false,
      agentSocket: '/agent',
      knownHostsFiles: [join(home, '.ssh', 'known_hosts'), join(home, '.ssh', 'known_hosts2')],
      jumps: [],
    });
  });

  it('takes a setting from the request, else its first value in the configuration', () => {
    const config = `
HOST web?
  hostname %h.inner.example
  Port 2222
  user deploy
  IdentityFile ~/.ssh/%r_key
  identityfile /keys/%h
  IdentitiesOnly yes
  HostKeyAlias the-web
  IdentityAgent none
  UserKnownHostsFile ~/.ssh/known_web /etc/known_web
Host *
  Port 99
`;
    expect(hops(config)[0]).toMatchObject({
      address: 'web1.inner.example',
      port: 2_222,
      user: 'deploy',
      keyName: 'the-web',
      identityFiles: [join(home, '.ssh/deploy_key'), '/keys/web1.inner.example'],
      identitiesOnly: true,
      agentSocket: null,
      knownHostsFiles: [join(home, '.ssh/known_web'), '/etc/known_web'],
    });
    expect(formatHops(hops(config, { user: 'root', port: 22 }))).toEqual(['root@web1.inner.example:22']);
  });

  it('adds jump hosts, and the jump hosts of the first one', () => {
    const config = 'Host inner\n ProxyJump wrong\nHost first\n ProxyJump zero\n User one\nHost web1\n ProxyJump first,two@inner:2022\n';
    expect(formatHops(hops(config))).toEqual(['me@zero:22', 'one@first:22', 'two@inner:2022', 'me@web1:22']);
    expect(formatHops(hops(config, { jump: 'bastion' }))).toEqual(['me@outer:22', 'gate@10.0.0.9:2200', 'me@web1:22']);
    expect(formatHops(hops(config, { jump: 'none' }))).toEqual(['me@web1:22']);
  });

  it('rejects a loop of jumps', () => {
    expect(() => hops('Host a\n ProxyJump b\nHost b\n ProxyJump a\n', { jump: 'a' })).toThrow(/more than 8 hosts, or a loop/);
  });

  it('rejects a host that needs a ProxyCommand', () => {
    expect(() => hops('Host *\n ProxyCommand nc %h %p\n')).toThrow(/through a command \(ProxyCommand\)/);
    expect(formatHops(hops('Host *\n ProxyCommand none\n'))).toEqual(['me@web1:22']);
  });

  it('reads included files, and ends a section at the end of its file', () => {
    mkdirSync(join(home, '.ssh', 'conf.d'));
    writeFileSync(join(home, '.ssh', 'conf.d', 'a'), 'Host other\n  User nobody\n', { mode: 0o600 });
    writeFileSync(join(home, '.ssh', 'conf.d', 'b'), 'Host web1\n  Port 2222\n', { mode: 0o600 });
    expect(formatHops(hops('Include conf.d/*\nUser all\n'))).toEqual(['all@web1:2222']);
  });
});

describe('a hostile configuration', () => {
  it('runs no command: neither Match exec nor name lookups', () => {
    const trap = join(home, 'trap');
    const config = `Match exec "touch ${trap}"\n  Port 1\nMatch host web1 exec "touch ${trap}"\n  Port 2\nHost *\n  CanonicalizeHostname yes\n  CanonicalDomains example.invalid x\n  ProxyJump none\n`;
    expect(formatHops(hops(config))).toEqual(['me@web1:22']);
    expect(existsSync(trap)).toBe(false);
  });

  it('is not followed if others could have written it', () => {
    hops('Port 2222\n');
    chmodSync(join(home, '.ssh', 'config'), 0o620);
    const surroundings = makeSurroundings(home, { home });
    expect(() => readConfigText(surroundings)).toThrow(/others could have written it/);
  });

  it.each([
    [0, 0o600, true],
    [1_000, 0o644, true],
    [1_001, 0o600, false],
    [1_000, 0o664, false],
    [1_000, 0o602, false],
  ])('isSafeConfiguration: owner %i with mode %o: %s', (ownerId, mode, isSafe) => {
    expect(isSafeConfiguration({ ownerId, mode }, 1_000)).toBe(isSafe);
  });

  it.each([
    [1_000, 0o600, true],
    [1_000, 0o640, false],
    [0, 0o644, true],
  ])('isPrivate: owner %i with mode %o: %s', (ownerId, mode, isIt) => {
    expect(isPrivate({ ownerId, mode }, 1_000)).toBe(isIt);
  });

  it('reports an invalid port', () => {
    expect(() => hops('Port 22x\n')).toThrow(/“22x” as the port of web/);
  });
});

it('an SSH configuration that cannot be parsed is rejected with SSH_CONFIG', () => {
  expect(() => hops('Host a\n  User b\nMatch host\n')).toThrow(expect.objectContaining({ code: 'SSH_CONFIG' }));
});
