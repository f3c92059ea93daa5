import { describe, expect, it } from 'vitest';
import { EMPTY_HOST, readHost, readHosts } from './HostForm.tsx';

describe('readHost and readHosts', () => {
  it('return the host, with null for empty fields', () => {
    expect(readHost({ ...EMPTY_HOST, name: ' web1 ' })).toEqual({
      host: { name: 'web1', address: 'web1', user: null, port: null, keyPath: null, jump: null },
      problems: null,
    });
    const typed = { name: 'web1', address: '10.0.0.1', user: 'deploy', port: '2222', keyPath: '~/.ssh/id', jump: 'a,b' };
    expect(readHost(typed).host).toEqual({ ...typed, port: 2_222 });
  });

  it.each([
    ['root@host:2201', { name: 'host', address: 'host', user: 'root', port: 2_201 }],
    ['ssh://deploy@10.0.0.5/', { name: '10.0.0.5', address: '10.0.0.5', user: 'deploy', port: null }],
    ['host:22', { address: 'host', user: null, port: 22 }],
    ['web.example.org', { address: 'web.example.org', user: null, port: null }],
  ])('read user and port from the address %s, and use its host as the name if none is given', (address, host) => {
    expect(readHost({ ...EMPTY_HOST, address }).host).toMatchObject(host);
  });

  it.each([
    ['[fe80::1]:2201', 'fe80::1', 2_201],
    ['::1', '::1', null],
    ['root@fe80::1', 'fe80::1', null],
  ])('read the IPv6 address %s', (address, expected, port) => {
    expect(readHost({ ...EMPTY_HOST, name: 'six', address }).host).toMatchObject({ address: expected, port });
  });

  it('prefer the fields for user and port to the address, and reject a port above 65535', () => {
    expect(readHost({ ...EMPTY_HOST, address: 'root@host:22', user: 'me', port: '23' }).host).toMatchObject({ user: 'me', port: 23 });
    expect(readHost({ ...EMPTY_HOST, address: 'root@host:70000' }).problems?.port).toBe('Enter a number from 1 to 65535.');
  });

  it('return several hosts for several addresses', () => {
    const read = readHosts({ ...EMPTY_HOST, name: 'ignored', address: 'root@web1:2201, web2', keyPath: '~/.ssh/id' });
    expect(read.map(({ host }) => host)).toMatchObject([
      { name: 'web1', user: 'root', port: 2_201, keyPath: '~/.ssh/id' },
      { name: 'web2', user: null, port: null, keyPath: '~/.ssh/id' },
    ]);
    expect(readHosts({ ...EMPTY_HOST, address: 'web1, -x' })[1]?.problems).toHaveProperty('address');
  });

  it('report the problem of each field', () => {
    const { problems } = readHost({ name: '../x', address: 'a b', user: '-x', port: '22x', keyPath: 'a', jump: ';' });
    expect(Object.keys(problems ?? {}).toSorted()).toEqual(['address', 'jump', 'name', 'port', 'user']);
    expect(problems?.port).toBe('Enter a number from 1 to 65535.');
  });
});
