import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { hasSecureTarget, hostReach, isPublicHost } from './hosts/generatorNames.ts';
import { isAddress, parseServerNames, serverName, targetName, targetOfServer, reportsServers } from './serverNames.ts';
import { connectionSettings, hostOf, isSecureUrl, pathOf } from './url.ts';

const one = planWith();
const two = planWith({ targets: [{ url: 'http://a:1/' }, { url: 'http://b:2/shop/' }] });
const paths = planWith({ targets: [{ url: 'http://a:1/x' }, { url: 'http://a:1/y' }, { url: 'http://b:2/', name: 'B' }] });

describe('the name of a target', () => {
  it('is its own name, or else its host, with the path if it is needed to distinguish targets', () => {
    expect([0, 1].map((index) => targetName(two, index))).toEqual(['a:1', 'b:2']);
    expect([0, 1, 2, 3].map((index) => targetName(paths, index))).toEqual(['a:1/x', 'a:1/y', 'B', 'target 4']);
  });
});

describe('the name of the server that responded', () => {
  it("is the header's value, after the target's name if there are several targets", () => {
    expect([serverName(one, 0, 'web1'), serverName(two, 1, 'web1')]).toEqual(['web1', 'b:2 › web1']);
    expect([serverName(one, 0, undefined), serverName(two, 1, undefined), serverName(one, 0, '')]).toEqual([null, 'b:2', null]);
    expect(serverName(one, 0, 'x'.repeat(300))?.length).toBeLessThanOrEqual(200);
  });

  it('is known if there are several targets or a header', () => {
    expect([reportsServers(one), reportsServers(two), reportsServers(planWith({ servers: { header: 'x-server' } }))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is split into its target and all servers that a proxy tried', () => {
    expect([targetOfServer('b:2 › web1'), targetOfServer('web1')]).toEqual(['b:2', null]);
    expect(parseServerNames('10.0.0.1:80, 10.0.0.2:80 : 10.0.0.3:80')).toEqual({
      name: '10.0.0.3:80',
      tried: ['10.0.0.1:80', '10.0.0.2:80'],
    });
    expect(parseServerNames('b:2 › x, y')).toEqual({ name: 'b:2 › y', tried: ['b:2 › x'] });
    expect(parseServerNames('-, x')).toEqual({ name: 'x', tried: [] });
    expect(parseServerNames('-')).toEqual({ name: '-', tried: [] });
  });

  it('may be an address', () => {
    expect(['10.0.0.1:80', '[::1]:8080', 'unix:/run/a', 'b:2 › unix:/run/a'].every(isAddress)).toBe(true);
    expect(['backend', 'web:80a', 'my unix:/run/a'].some(isAddress)).toBe(false);
  });
});

describe('addresses:', () => {
  it.each([
    ['loopback', ['localhost', 'a.localhost', 'LOCALHOST.', '127.0.0.1', '127.9.9.9', '0.0.0.0', '[::1]', '[::]', '[::ffff:7f00:1]']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.1', '192.168.1.1', '169.254.1.1', '100.64.0.1', '100.127.0.1']],
    [
      'private',
      [
        'printer.local',
        'db.internal',
        'a.home.arpa',
        'a.localdomain',
        '[fc00::1]',
        '[fdff::1]',
        '[fe80::1]',
        '[febf::1]',
        '[::ffff:a00:1]',
      ],
    ],
    [
      'public',
      ['172.15.0.1', '172.32.0.1', '192.167.1.1', '192.169.1.1', '169.253.1.1', '100.63.0.1', '100.128.0.1', '11.0.0.1', '1.0.0.1'],
    ],
    [
      'public',
      [
        'example.org',
        'ai',
        'notlocalhost',
        '0.8.8.8',
        '0.0.0.1',
        '[::ffff:8:808]',
        'mylocal',
        '[fbff::1]',
        '[fec0::1]',
        '[2001:db8::1]',
        '[::ffff:808:808]',
        '1.2.3',
        '1.2.3.4.5',
      ],
    ],
  ] as const)('hostReach returns “%s” for %j', (reach, hosts) => {
    expect(hosts.filter((host) => hostReach(host) !== reach)).toEqual([]);
    expect(hosts.every((host) => isPublicHost(host) === (reach === 'public'))).toBe(true);
  });

  it('isSecureUrl returns whether an address is reached over TLS', () => {
    expect([hasSecureTarget(two), hasSecureTarget(planWith({ targets: [{ url: 'http://a/' }, { url: 'https://b/' }] }))]).toEqual([
      false,
      true,
    ]);
    expect([isSecureUrl(' HTTPS://a'), isSecureUrl('a'), isSecureUrl('http://https:')]).toEqual([true, false, false]);
  });
});

it('hostOf and pathOf: return parts of a URL and leave other text unchanged', () => {
  expect([hostOf('http://a:8080/b?c'), pathOf('http://a:8080/b?c'), hostOf('a b'), pathOf('/b')]).toEqual(['a:8080', '/b', 'a b', '/b']);
});

it('connectionSettings: returns the connection settings of the load, for single requests', () => {
  const plan = planWith({ connections: { reuse: 'never', socketPath: '/run/a' }, tls: { verify: false } });
  expect(connectionSettings(plan)).toEqual({ tls: plan.tls, connections: { socketPath: '/run/a' } });
  expect(connectionSettings(planWith({ connections: { localAddresses: ['10.0.0.1'] } })).connections).toEqual({
    localAddresses: ['10.0.0.1'],
  });
  expect(connectionSettings(one).connections).toEqual({});
});
