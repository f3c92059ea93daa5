import { describe, expect, it } from 'vitest';
import { EMPTY_HOST, readHost } from './HostForm.tsx';

describe('what is typed of a host', () => {
  it('is the host, with the configuration for what is left empty', () => {
    expect(readHost({ ...EMPTY_HOST, name: ' web1 ' })).toEqual({
      host: { name: 'web1', address: 'web1', user: null, port: null, keyPath: null, jump: null },
      problems: null,
    });
    const typed = { name: 'web1', address: '10.0.0.1', user: 'deploy', port: '2222', keyPath: '~/.ssh/id', jump: 'a,b' };
    expect(readHost(typed).host).toEqual({ ...typed, port: 2_222 });
  });

  it('says of each field what is wrong', () => {
    const { problems } = readHost({ name: '../x', address: 'a b', user: '-x', port: '22x', keyPath: 'a', jump: ';' });
    expect(Object.keys(problems ?? {}).toSorted()).toEqual(['address', 'jump', 'name', 'port', 'user']);
    expect(problems?.port).toBe('Enter a number from 1 to 65535.');
  });
});
