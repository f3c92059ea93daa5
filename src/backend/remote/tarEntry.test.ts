import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { tarEntry } from './installNode.ts';

function makeArchive(...names: readonly string[]): Buffer {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'package/bin'), { recursive: true });
  mkdirSync(join(directory, 'package', 'x'.repeat(99)));
  writeFileSync(join(directory, 'package/package.json'), '{}');
  writeFileSync(join(directory, 'package/bin/node'), Buffer.alloc(1_300, 7));
  writeFileSync(join(directory, 'package', 'x'.repeat(99), 'long'), 'far');
  writeFileSync(join(directory, 'evil'), 'evil');
  symlinkSync('/etc/passwd', join(directory, 'package/bin/link'));
  // The second file gets a name that leads to a location outside of the folder.
  return execFileSync('tar', ['--format=ustar', '-c', '-P', '--transform', 's,^evil$,package/../../evil,', '-C', directory, ...names]);
}

describe('tarEntry', () => {
  const archive = makeArchive('package/package.json', 'evil', 'package/bin/link', 'package/bin/node', `package/${'x'.repeat(99)}/long`);

  it('finds a file by its full name', () => {
    expect(tarEntry(archive, 'package/bin/node')?.equals(Buffer.alloc(1_300, 7))).toBe(true);
    expect(tarEntry(archive, `package/${'x'.repeat(99)}/long`)?.toString()).toBe('far');
  });

  it('ignores links and files with similar names', () => {
    expect(tarEntry(makeArchive('evil', 'package/bin/link'), 'package/bin/node')).toBeNull();
    expect(tarEntry(archive, 'evil')).toBeNull();
    expect(tarEntry(archive, 'package/bin/link')).toBeNull();
  });

  it('throws for a truncated archive', () => {
    expect(() => tarEntry(archive.subarray(0, 4_000), 'package/bin/node')).toThrow(RangeError);
    expect(() => tarEntry(Buffer.alloc(1_024, 'x'), 'package/bin/node')).toThrow(RangeError);
    expect(tarEntry(Buffer.alloc(0), 'package/bin/node')).toBeNull();
  });
});
