import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import type { BackendOptions } from '#backend/options.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import type { SshServer } from './sshServer.ts';

export interface HostsBackend extends TestBackend {
  /** Adds a server to the list of hosts, replacing a server of the same name. */
  know(name: string, server: SshServer, isTrusted?: boolean): Promise<void>;
}

/** Starts a backend whose user has no SSH files except the keys of known servers. */
export async function startHostsBackend({ ssh, ...changes }: Partial<BackendOptions> = {}): Promise<HostsBackend> {
  const home = temporaryDirectory();
  const systemKnownHosts = join(home, 'known');
  const test = await startTestBackend({ ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts, ...ssh }, ...changes });
  return {
    ...test,
    async know(name, { port, clientKey: keyPath, knownHosts }, isTrusted = true) {
      if (isTrusted) appendFileSync(systemKnownHosts, knownHosts);
      await test.client.call('hosts.add', { host: { name, address: '127.0.0.1', port, keyPath }, replace: true });
    },
  };
}
