import { lookUp } from '#backend/lookUp.ts';
import { connect as connectPlain, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { checkServerIdentity, connect, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import { pinnedAddresses } from '#core/plan/pins.ts';
import type { ConnectionSettings } from '#core/plan/url.ts';

/** How single requests reach a target: the way the load does, with the secrets filled in. */
export interface TargetConnection extends ConnectionSettings {
  /** null when there is none, or its secrets were not asked for. */
  readonly clientCertificate: ClientCertificate | null;
}

/** As browsers order them. */
export const BROWSERS_PROTOCOLS = ['h2', 'http/1.1'];

/** What Node calls whom to trust, which name to ask for and what to show. */
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

/** Addresses of this machine that can reach `host`: those of its kind where it is an address itself, one of each kind for a name. */
export function localAddressesFor({ localAddresses = [] }: ConnectionSettings['connections'], host: string): string[] {
  const kind = isIP(host);
  if (kind !== 0) return localAddresses.filter((local) => isIP(local) === kind);
  return [4, 6].flatMap((family) => localAddresses.find((local) => isIP(local) === family) ?? []);
}

/** `URL.hostname` without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replaceAll(/[[\]]/g, '');
}

export interface ConnectFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Connects the way the load would, agrees on TLS where `connection` is given and the address wants it, and sends no request. Null when that
 * worked; never throws. The limit holds for the look-up of the name, the connection and TLS together.
 */
export function connectOnce(
  url: URL,
  connections: ConnectionSettings['connections'],
  connection: TargetConnection | null,
  limitMs: number,
): Promise<ConnectFailure | null> {
  return new Promise((resolve) => {
    const { socket, readyEvent } = openSocket(url, connections, connection);
    const settle = (failure: ConnectFailure | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => settle({ code: 'ETIMEDOUT', message: 'no connection in time' }), limitMs);
    socket.once(readyEvent, () => settle(null));
    socket.once('close', () => settle({ code: 'ECONNRESET', message: 'the connection was closed' }));
    // Stays after the first: a socket that is being destroyed may still tell of an error.
    socket.on('error', (error: NodeJS.ErrnoException) => settle({ code: error.code ?? 'UNKNOWN', message: error.message }));
  });
}

/** A connection that is being opened, and the event that tells that it can be written to. TLS only where `connection` is given and the address wants it. */
export function openSocket(
  url: URL,
  connections: ConnectionSettings['connections'],
  connection: TargetConnection | null,
): { readonly socket: Socket; readonly readyEvent: 'secureConnect' | 'connect' } {
  if (connection === null || url.protocol !== 'https:') return { socket: connectPlain(whereTo(url, connections)), readyEvent: 'connect' };
  return { socket: connectTls(url, connection), readyEvent: 'secureConnect' };
}

/** A connection over TLS that is being opened, as the load will have it but for what `other` changes. */
export function connectTls(url: URL, connection: TargetConnection, other: ConnectionOptions = {}): TLSSocket {
  return connect({ ...whereTo(url, connection.connections), ...tlsOf(url, connection), ...other });
}

function whereTo(url: URL, connections: ConnectionSettings['connections']): NetConnectOpts {
  if (connections.socketPath !== undefined) return { path: connections.socketPath };
  const host = pinnedAddresses(connections.resolve, url)?.[0] ?? hostOf(url);
  const [localAddress] = localAddressesFor(connections, host);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const to = { host, port, lookup: lookUp };
  return localAddress === undefined ? to : { ...to, localAddress, family: isIP(localAddress) };
}

function tlsOf(url: URL, connection: TargetConnection): ConnectionOptions {
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
