import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDirectoryFor, prepareDataDirectory } from './dataDirectory.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

describe('dataDirectoryFor', () => {
  const home = '/home/ada';
  it.each([
    ['linux', {}, '/home/ada/.local/share/holdfast'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/holdfast'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/holdfast'],
    ['darwin', {}, '/home/ada/Library/Application Support/holdfast'],
    ['win32', { APPDATA: 'C:\\Users\\ada\\Roaming' }, 'C:\\Users\\ada\\Roaming\\holdfast'],
    ['linux', { HOLDFAST_HOME: 'here', XDG_DATA_HOME: '/data' }, resolve('here')],
  ] as const)('on %s with %o is %s', (platform, environment, expected) => {
    expect(dataDirectoryFor({ platform, home, environment })).toBe(expected);
  });
});

describe('prepareDataDirectory', () => {
  const root = temporaryDirectory();

  it('creates the directory for the owner only', () => {
    const directory = join(root, 'a', 'b');
    prepareDataDirectory(directory);
    for (const created of [join(root, 'a'), directory, join(directory, 'logs')]) expect(statSync(created).mode & 0o777).toBe(0o700);
    expect(() => prepareDataDirectory(directory)).not.toThrow();
  });

  it('reports a file where the directory should be', () => {
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'file'), '');
    expect(() => prepareDataDirectory(join(root, 'file', 'data'))).toThrow(expect.objectContaining({ code: 'DATA_DIRECTORY' }));
    expect(() => prepareDataDirectory(join(root, 'file'))).toThrow(expect.objectContaining({ code: 'DATA_DIRECTORY' }));
  });

  it.runIf(process.platform === 'linux')(
    'fails with a message, instead of hanging, where the system lets nobody create a directory',
    () => {
      expect(() => prepareDataDirectory('/proc/xyz')).toThrow(
        expect.objectContaining({ code: 'DATA_DIRECTORY', message: expect.stringContaining('/proc/xyz') }),
      );
    },
  );
});
