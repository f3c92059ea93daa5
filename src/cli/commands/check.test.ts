import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasSshServer, startSshServer, type SshServer } from '#backend/remote/testing/sshServer.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness, type Harness } from '../testing/harness.ts';

let harness: Harness;
let answer: string;
let askedNames: string[];

beforeEach(async () => {
  answer = 'no';
  askedNames = [];
  const home = temporaryDirectory();
  harness = await startHarness({
    ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts: join(home, 'none') },
    hiddenInput: async (label) => {
      askedNames.push(label);
      return label.includes('Trust this key?') ? 'yes' : answer;
    },
  });
});

const PLAN = `holdfast: 1
name: Many
targets: [{ url: 'http://127.0.0.1:1/' }]
journey: [{ name: page }]
load: { model: connections, stages: [{ connections: 10, seconds: 1 }] }
`;

describe('the check of this computer', () => {
  it('lists the findings for a plan by severity, and counts the passed checks', async () => {
    writeFileSync(join(harness.directory, 'many.yaml'), PLAN);
    const { code, out } = await harness.run('check', '--plan', 'many.yaml');
    expect(code).toBe(0);
    expect(out).toMatch(/^This computer as generator\nproblem {2}/);
    expect(out).toContain('The target cannot be reached [targetReachable]');
    expect(out).toMatch(/\d+ checks passed; --all lists them\.\n$/);
    const json: unknown = JSON.parse((await harness.run('check', '--plan', 'many.yaml', '--json')).out);
    expect(json).toMatchObject({ host: null, role: 'generator' });
    expect((await harness.run('check', '--path')).err).toContain('There is no path to measure');
    expect((await harness.run('check', '--plan', 'many.yaml', '--path')).out).toContain('Bandwidth of the path: unknown');
  });

  it('rejects an invalid plan and an unknown role', async () => {
    writeFileSync(join(harness.directory, 'bad.yaml'), 'holdfast: 1\n');
    expect((await harness.run('check', '--plan', 'bad.yaml')).code).toBe(2);
    expect((await harness.run('check', '--role', 'king')).code).toBe(1);
    expect((await harness.run('check', '--apply', 'clock')).err).toContain('advises no change');
  });
});

/** The host has its own network namespace, so that settings of this machine stay unchanged. */
describe.skipIf(!hasSshServer)('a change on a host', () => {
  let server: SshServer;
  const somaxconn = (): string => server.inside('cat /proc/sys/net/core/somaxconn').trim();

  async function addTunedHost(): Promise<void> {
    server = await startSshServer({ ownNetwork: ['sysctl -q -w net.core.somaxconn=128'] });
    await harness.run('hosts', 'add', 'there', '127.0.0.1', '--port', String(server.port), '--key', server.clientKey);
  }
  afterEach(() => server?.stop());

  it('is applied only after consent, is verified, and can be undone', async () => {
    await addTunedHost();
    const check = await harness.run('check', 'there', '--role', 'target');
    expect(check).toMatchObject({ code: 0, out: expect.stringContaining('sudo sysctl -w net.core.somaxconn=4096') });
    expect(await harness.run('check', 'there', '--role', 'target', '--apply', 'listenQueue')).toMatchObject({
      code: 130,
      err: expect.stringContaining('Nothing was changed.'),
    });
    expect(somaxconn()).toBe('128');
    answer = 'yes';
    const applied = await harness.run('check', 'there', '--role', 'target', '--apply', 'listenQueue');
    expect(applied).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^net\.core\.somaxconn of there is now 4096, verified\. The check says: (?:ok|info), Up to 4,096/),
    });
    expect(somaxconn()).toBe('4096');
    // The setting is already applied.
    expect(await harness.run('check', 'there', '--role', 'target', '--apply', 'listenQueue')).toMatchObject({
      code: 1,
      err: expect.stringContaining('advises no change'),
    });
    expect(await harness.run('check', 'there', '--revert')).toMatchObject({ code: 0, out: 'net.core.somaxconn of there is 128 again.\n' });
    expect(somaxconn()).toBe('128');
    expect((await harness.run('check', 'there', '--revert')).out).toContain('Nothing to undo on there');
  });
});
