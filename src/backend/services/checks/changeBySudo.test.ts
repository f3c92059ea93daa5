import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CheckFinding, HostChange } from '#core/machines/checks/finding.ts';
import { hasSudo, type SshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const USER = 'deploy';
const PASSWORD = 'correct horse battery';
const CHECK = { host: 'there', role: 'target' as const, plan: null };
const CHANGE = { setting: 'net.core.somaxconn', from: '128', to: '4096' };
const QUESTION = { kind: 'password' as const, host: 'there', label: 'password for sudo on there' };

let server: SshServer;
let test: TestBackend;

/** Starts a host with the given sudo rules in its own network, where settings can be changed without changing this machine. */
async function startHost(...sudoers: string[]): Promise<void> {
  const ownNetwork = ['sysctl -q -w net.core.somaxconn=128'];
  // Makes sudo log every command to this file.
  server = await startSshServer({ user: USER, password: PASSWORD, ownNetwork, sudoers: ['Defaults logfile=/run/sudo/said', ...sudoers] });
  const home = temporaryDirectory();
  const knownHostsFile = join(home, 'known');
  writeFileSync(knownHostsFile, server.knownHosts);
  test = await startTestBackend({ ssh: { home, agentSocket: null, userName: USER, systemKnownHosts: knownHostsFile } });
  const { port, clientKey: keyPath } = server;
  await test.client.call('hosts.add', { host: { name: 'there', address: '127.0.0.1', port, keyPath } });
}
afterEach(async () => {
  await test.close();
  await server.stop();
});

const somaxconn = (): string => server.inside('cat /proc/sys/net/core/somaxconn').trim();
const apply = (): Promise<{ change: HostChange; finding: CheckFinding }> =>
  test.client.call('checks.apply', { ...CHECK, id: 'listenQueue', change: CHANGE });
const reply = (value: string): Promise<unknown> => test.client.call('hosts.reply', { question: QUESTION, value });

async function recorded(): Promise<string[]> {
  const target = await startTarget();
  const { runId } = await test.client.call('runs.start', { plan: planFor(`${target.url}page`) });
  await watchToEnd(test.client, runId);
  await target.close();
  const { events } = await test.client.call('runs.result', { runId });
  return events.filter(({ kind }) => kind === 'hostChanged').map(({ text }) => text);
}

/** Returns the files of the data directory that contain the password. */
function findLeaks(): string[] {
  const files = readdirSync(test.dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => readFileSync(file).includes(PASSWORD));
}

const name = `a change on a host by a user who is not root${hasSudo ? '' : ' (sudo is missing, or may not become root here)'}`;
describe.skipIf(!hasSudo)(name, { timeout: 180_000 }, () => {
  it('uses sudo without a password, verifies the setting, adds it to later runs, and reverts it', async () => {
    await startHost(`${USER} ALL=(root) NOPASSWD: ALL`);
    const { change, finding } = await apply();
    expect(finding).toMatchObject({ id: 'listenQueue', title: expect.stringContaining('4,096') });
    expect(somaxconn()).toBe('4096');
    expect(await recorded()).toEqual(['Holdfast changed net.core.somaxconn on there from 128 to 4096 before this run.']);
    await test.client.call('checks.revert', { changeId: change.id });
    expect(somaxconn()).toBe('128');
    // Changes that are not reverted yet are covered by tests of runs.
    expect(await test.client.call('checks.changes', {})).toEqual([]);
  });

  it('asks for the sudo password, forgets a wrong one, and writes none to disk', async () => {
    await startHost(`${USER} ALL=(root) ALL`);
    const wanted = { code: 'HOST_SECRET_NEEDED', data: { question: QUESTION } };
    await expect(apply()).rejects.toMatchObject(wanted);
    await reply('not this one');
    await expect(apply()).rejects.toMatchObject({ code: 'SUDO_PASSWORD_WRONG' });
    await expect(apply()).rejects.toMatchObject(wanted);
    expect(somaxconn()).toBe('128');
    await reply(PASSWORD);
    const { change } = await apply();
    expect(somaxconn()).toBe('4096');
    // Holdfast keeps a correct password, so the next attempt uses the old one.
    server.changePassword('another');
    await expect(test.client.call('checks.revert', { changeId: change.id })).rejects.toMatchObject({ code: 'SUDO_PASSWORD_WRONG' });
    await expect(test.client.call('checks.revert', { changeId: change.id })).rejects.toMatchObject(wanted);
    expect(somaxconn()).toBe('4096');
    expect(await test.client.call('checks.changes', {})).toHaveLength(1);
    await reply('another');
    await test.client.call('checks.revert', { changeId: change.id });
    expect(somaxconn()).toBe('128');
    const started = server.inside('cat /run/sudo/said');
    expect(started).toContain('COMMAND=/usr/sbin/sysctl -q -w net.core.somaxconn=4096');
    expect(started).not.toContain(PASSWORD);
    expect(findLeaks()).toEqual([]);
  });

  it('is refused if the user lacks the right, and then records nothing', async () => {
    await startHost(`${USER} ALL=(root) /usr/bin/true`);
    await expect(apply()).rejects.toMatchObject({ code: 'HOST_SECRET_NEEDED' });
    await reply(PASSWORD);
    await expect(apply()).rejects.toMatchObject({ code: 'SETTING_REFUSED', message: expect.stringContaining('is not allowed to execute') });
    expect(somaxconn()).toBe('128');
    expect(await test.client.call('checks.changes', {})).toEqual([]);
    expect(findLeaks()).toEqual([]);
  });

  it('is reverted without a command if a restart has already undone the change', async () => {
    await startHost(`${USER} ALL=(root) NOPASSWD: /usr/sbin/sysctl -q -w net.core.somaxconn=4096`);
    const { change } = await apply();
    server.inside('sysctl -q -w net.core.somaxconn=128');
    await test.client.call('checks.revert', { changeId: change.id });
    expect(await test.client.call('checks.changes', {})).toEqual([]);
  });
});
