import { lookUpHost } from '#backend/lookUp.ts';
import { connect as connectPlain, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { checkServerIdentity, connect, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import { findPinnedAddresses } from '#core/plan/pins.ts';
import type { ConnectionSettings } from '#core/plan/url.ts';

/** Connection options of single requests: those of the load, with secrets resolved. */
export interface TargetConnection extends ConnectionSettings {
  /** Client certificate; null if there is none, or if its secrets were not resolved. */
  readonly clientCertificate: ClientCertificate | null;
}

/** Application protocols in the order in which browsers offer them. */
export const BROWSER_PROTOCOLS = ['h2', 'http/1.1'];

/** Converts the TLS settings to Node's options. */
export function tlsOptions({ tls, clientCertificate: own }: TargetConnection): {
  ca?: string;
  servername?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
} {
  return {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(own === null ? {} : { cert: own.certificate, key: own.key }),
    ...(own === null || own.passphrase === null ? {} : { passphrase: own.passphrase }),
  };
}

/** Returns the local addresses that can reach `host`: for an IP address, those of its family; for a name, one of each family. */
export function localAddressesFor({ localAddresses = [] }: ConnectionSettings['connections'], host: string): string[] {
  const kind = isIP(host);
  if (kind !== 0) return localAddresses.filter((local) => isIP(local) === kind);
  return [4, 6].flatMap((family) => localAddresses.find((local) => isIP(local) === family) ?? []);
}

/** Returns `URL.hostname` without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replaceAll(/[[\]]/g, '');
}

export interface ConnectFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Connects like the load, with TLS if `connection` is given and the address is https, but sends no request. Returns null on success; never
 * throws. The time limit covers name lookup, connection and TLS.
 */
export function connectOnce(
  url: URL,
  connections: ConnectionSettings['connections'],
  connection: TargetConnection | null,
  maxMs: number,
): Promise<ConnectFailure | null> {
  return new Promise((resolve) => {
    const { socket, readyEvent } = openSocket(url, connections, connection);
    const settle = (failure: ConnectFailure | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => settle({ code: 'ETIMEDOUT', message: 'no connection in time' }), maxMs);
    socket.once(readyEvent, () => settle(null));
    socket.once('close', () => settle({ code: 'ECONNRESET', message: 'the connection was closed' }));
    // This listener is not removed, because a socket that is being destroyed may emit another error.
    socket.on('error', (error: NodeJS.ErrnoException) => settle({ code: error.code ?? 'UNKNOWN', message: error.message }));
  });
}

/**
 * Opens a connection, and returns it with the name of the event after which it accepts writes. Uses TLS only if `connection` is given and
 * the address is https.
 */
export function openSocket(
  url: URL,
  connections: ConnectionSettings['connections'],
  connection: TargetConnection | null,
): { readonly socket: Socket; readonly readyEvent: 'secureConnect' | 'connect' } {
  if (connection === null || url.protocol !== 'https:')
    return { socket: connectPlain(connectOptions(url, connections)), readyEvent: 'connect' };
  return { socket: connectTls(url, connection), readyEvent: 'secureConnect' };
}

/** Opens a TLS connection like the load; `other` overrides its options. */
export function connectTls(url: URL, connection: TargetConnection, other: ConnectionOptions = {}): TLSSocket {
  return connect({ ...connectOptions(url, connection.connections), ...readTls(url, connection), ...other });
}

function connectOptions(url: URL, connections: ConnectionSettings['connections']): NetConnectOpts {
  if (connections.socketPath !== undefined) return { path: connections.socketPath };
  const host = findPinnedAddresses(connections.resolve, url)?.[0] ?? hostOf(url);
  const [localAddress] = localAddressesFor(connections, host);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const to = { host, port, lookup: lookUpHost };
  return localAddress === undefined ? to : { ...to, localAddress, family: isIP(localAddress) };
}

function readTls(url: URL, connection: TargetConnection): ConnectionOptions {
  const host = hostOf(url);
  const serverName = connection.tls.serverName ?? host;
  return {
    ...tlsOptions(connection),
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    checkServerIdentity: (_dialled: string, certificate: PeerCertificate) => checkServerIdentity(serverName, certificate),
    rejectUnauthorized: connection.tls.verify,
    ALPNProtocols: [connection.connections.protocol ?? 'http/1.1'],
  };
}
