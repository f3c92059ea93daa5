import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeHostKey, knownName, knownTypes, matchesHost, parseKnownHosts } from './knownHosts.ts';

const offered = { type: 'ssh-ed25519', key: 'AAAA1' };
const judgeKey = (text: string, name = 'web.example', shown = offered) => judgeHostKey(parseKnownHosts(text, 'f'), name, shown);

describe('judgeHostKey', () => {
  it.each([
    ['of an unknown host', '# a comment\n\nother ssh-ed25519 AAAA1\n', { kind: 'unknown', hasAuthority: false }],
    ['that is known', 'web.example ssh-ed25519 AAAA1', { kind: 'known' }],
    ['that is one of several', 'web.example ssh-ed25519 AAAA0\nweb.example ssh-ed25519 AAAA1', { kind: 'known' }],
    ['known by a pattern', '*.example,!db.example ssh-ed25519 AAAA1', { kind: 'known' }],
    ['that is another one', 'web.example ssh-ed25519 AAAA0', { kind: 'changed', places: ['f:1'], knownTypes: ['ssh-ed25519'] }],
    ['of another type only', 'web.example ssh-rsa AAAA0', { kind: 'changed', places: ['f:1'], knownTypes: ['ssh-rsa'] }],
    ['that is revoked, and known too', 'web.example ssh-ed25519 AAAA1\n@revoked * ssh-ed25519 AAAA1', { kind: 'revoked', places: ['f:2'] }],
    ['while another one is revoked', '@revoked * ssh-ed25519 AAAA0', { kind: 'unknown', hasAuthority: false }],
    ['for which an authority signs', '@cert-authority *.example ssh-ed25519 AAAA1', { kind: 'unknown', hasAuthority: true }],
    ['under a marker of the future', '@trusted web.example ssh-ed25519 AAAA1', { kind: 'unknown', hasAuthority: false }],
    ['in half a line', 'web.example ssh-ed25519', { kind: 'unknown', hasAuthority: false }],
  ])('judges a key %s', (_, text, judgement) => {
    expect(judgeKey(text)).toEqual(judgement);
  });

  it('distinguishes ports of a host', () => {
    expect(judgeKey('[web.example]:2222 ssh-ed25519 AAAA1', knownName('Web.Example', 2_222))).toEqual({ kind: 'known' });
    expect(judgeKey('web.example ssh-ed25519 AAAA1', knownName('web.example', 2_222)).kind).toBe('unknown');
    expect(knownName('web.example', 22)).toBe('web.example');
  });

  it('knownTypes returns the types of plain entries only', () => {
    expect(knownTypes(parseKnownHosts('a ssh-rsa X\n@revoked a ssh-dss X\nb ecdsa X\na ssh-rsa Y', 'f'), 'a')).toEqual(['ssh-rsa']);
  });

  it('judgeHostKey finds lines that OpenSSH has hashed', () => {
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-known-'));
    const file = join(directory, 'known_hosts');
    writeFileSync(file, 'web.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIlzBUJGUi/ZXwqYUb9FS7VRrXYZs2r5aHmp6dBPnUZm\n');
    execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' });
    const text = readFileSync(file, 'utf8');
    rmSync(directory, { recursive: true });
    expect(text).toMatch(/^\|1\|/);
    const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIIlzBUJGUi/ZXwqYUb9FS7VRrXYZs2r5aHmp6dBPnUZm';
    expect(judgeKey(text, 'web.example', { type: 'ssh-ed25519', key })).toEqual({ kind: 'known' });
    expect(judgeKey(text, 'db.example', { type: 'ssh-ed25519', key }).kind).toBe('unknown');
  });
});

describe('the patterns of matchesHost', () => {
  it('match what the equivalent regular expression matches', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 12 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        const expression = pattern
          .replaceAll('.', String.raw`\.`)
          .replaceAll('*', '.*')
          .replaceAll('?', '.');
        expect(matchesHost(pattern, name)).toBe(new RegExp(`^${expression}$`).test(name));
      }),
    );
  });

  it('match in linear time, whatever the pattern', () => {
    const pattern = `${'*a'.repeat(2_000)}b`;
    const start = performance.now();
    expect(matchesHost(pattern, 'a'.repeat(4_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
