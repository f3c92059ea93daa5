import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostSchema } from '#core/plan/schema/hosts.ts';
import { connectThrough, type SshConnection } from '../ssh/connection.ts';
import { hopsTo } from '../ssh/hostSettings.ts';
import { makeSurroundings, type SshSurroundings } from '../ssh/surroundings.ts';
import type { SshServer } from './sshServer.ts';

/** Returns the SSH surroundings of a user who knows only the given servers, with all files in `directory`. */
export function surroundingsFor(directory: string, ...servers: readonly SshServer[]): SshSurroundings {
  const surroundings = makeSurroundings(directory, {
    home: directory,
    agentSocket: null,
    userName: 'root',
    systemKnownHosts: join(directory, 'none'),
  });
  for (const { knownHosts } of servers) appendFileSync(surroundings.ownKnownHosts, knownHosts);
  return surroundings;
}

/** Connects with the key that the server accepts. */
export function connectTo(server: SshServer, directory: string, user: string | null = null): Promise<SshConnection> {
  const surroundings = surroundingsFor(directory, server);
  const host = hostSchema.parse({ name: 'there', address: '127.0.0.1', port: server.port, keyPath: server.clientKey, user });
  const hops = hopsTo(host, { config: { text: '', notes: [] }, surroundings, findHost: () => null });
  return connectThrough(hops, { surroundings, replies: { ask: async () => null, forget: () => {} } });
}
